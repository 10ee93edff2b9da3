#include "policies/queueing/fcfs_lanes.hpp"

#include "engine/foundation/cpu_dispatch.hpp"
#include "engine/foundation/special_values.hpp"

namespace schedfarm::policies {

namespace {

template <std::size_t lanes>
[[gnu::always_inline]] inline void start_in_lanes(
    FcfsLanes::State& state, const FcfsLanes::Jobs* jobs, std::size_t count
) {
    using V = engine::Doubles<8 * lanes>;
    using Row = typename V::Lanes;
    const auto finish = [&](std::size_t k) -> typename V::Unaligned& {
        return V::at(state.finish + k * lanes);
    };
    const auto held = [&](std::size_t k) -> typename V::Unaligned& {
        return V::at(state.held + k * lanes);
    };
    std::size_t slots = state.slots;
    Row start = V::at(state.start);
    for (std::size_t i = 0; i < count; ++i) {
        Row submit;
        Row service;
        Row size;
        for (std::size_t lane = 0; lane < lanes; ++lane) {
            submit[lane] = jobs[lane].submit[i];
            service[lane] = jobs[lane].service[i];
            size[lane] = jobs[lane].size[i];
        }
        const Row left = state.processors - size;
        Row fits = submit;
        for (std::size_t k = slots; k > 0; --k) {
            fits = held(k) > left ? Row(finish(k)) : fits;
        }
        start = submit > start ? submit : start;
        start = fits > start ? fits : start;
        for (std::size_t lane = 0; lane < lanes; ++lane) {
            jobs[lane].start[i] = start[lane];
        }
        bool runs = false;  // the last slot, in some lane
        for (std::size_t lane = 0; lane < lanes; ++lane) {
            runs = runs | (finish(slots)[lane] > start[lane]);
        }
        if (runs) [[unlikely]] {  // every job finishes later than the new slot, whatever that holds
            finish(slots + 1) = Row{} - engine::infinity;
            ++slots;
        }
        // A slot stays if it finishes no earlier than the job; those behind it move up by one.
        const Row end = start + service;
        Row here = finish(slots);
        Row held_here = held(slots);
        for (std::size_t k = slots; k > 0; --k) {
            const Row before = finish(k - 1);
            const Row held_before = held(k - 1);
            const Row other = end < before ? end : before;
            finish(k) = here > other ? here : other;
            held(k) = here < end ? held_before + size : held_here;
            here = before;
            held_here = held_before;
        }
    }
    state.slots = slots;
    V::at(state.start) = start;
}

#if SCHEDFARM_CPU_DISPATCH
SCHEDFARM_AVX512 std::size_t lanes_of_processor() {
    return 8;
}
SCHEDFARM_AVX2 std::size_t lanes_of_processor() {
    return 4;
}
SCHEDFARM_AVX512 void start_in_all_lanes(
    FcfsLanes::State& state, const FcfsLanes::Jobs* jobs, std::size_t count
) {
    start_in_lanes<8>(state, jobs, count);
}
SCHEDFARM_AVX2 void start_in_all_lanes(
    FcfsLanes::State& state, const FcfsLanes::Jobs* jobs, std::size_t count
) {
    start_in_lanes<4>(state, jobs, count);
}
#endif
SCHEDFARM_ANY_PROCESSOR std::size_t lanes_of_processor() {
    return 2;
}
SCHEDFARM_ANY_PROCESSOR void start_in_all_lanes(
    FcfsLanes::State& state, const FcfsLanes::Jobs* jobs, std::size_t count
) {
    start_in_lanes<2>(state, jobs, count);
}

}  // namespace

std::size_t FcfsLanes::lanes() {
    return lanes_of_processor();
}

FcfsLanes::FcfsLanes(std::uint32_t processors) {
    const std::size_t rows = lanes() * (processors + 2U);  // row 0 and one to spare
    rows_.resize(2 * rows + lanes());
    state_.processors = processors;
    state_.finish = rows_.data();
    state_.held = state_.finish + rows;
    state_.start = state_.held + rows;
    for (std::size_t lane = 0; lane < lanes(); ++lane) {
        state_.finish[lane] = engine::infinity;
    }
}

void FcfsLanes::start_next(const std::array<Jobs, most_lanes>& jobs, std::size_t count) {
    start_in_all_lanes(state_, jobs.data(), count);
}

}  // namespace schedfarm::policies
