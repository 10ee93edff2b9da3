#include "models/moldable/moldable_times.hpp"

#include <string>

#include "engine/foundation/cpu_dispatch.hpp"
#include "engine/foundation/expect.hpp"

namespace schedfarm::models {

namespace {

/// What rounding may take from the work of a job that is as fast as can be.
constexpr double rounding = 1e-12;

/// How often more processors make the job slower or its work less, without branches for the sake of
/// vectors.
SCHEDFARM_VECTOR_CLONES
std::int64_t faults(const double* times, std::int32_t count) {
    std::int64_t result = 0;
    for (std::int32_t i = 0; i + 1 < count; ++i) {
        const double work = (i + 1) * times[i] * (1 - rounding);
        result += times[i + 1] <= times[i] ? 0 : 1;
        result += (i + 2) * times[i + 1] >= work ? 0 : 1;
    }
    return result;
}

void expect_monotone(const std::vector<double>& times) {
    const auto count = static_cast<std::int32_t>(times.size());
    if (faults(times.data(), count) == 0) {
        return;
    }
    for (std::int32_t i = 0; i + 1 < count; ++i) {
        SCHEDFARM_EXPECT(
            faults(times.data(), i + 2) == 0,
            "a moldable job is not monotone from " + std::to_string(i + 1)
                + " processors to one more"
        );
    }
}

SCHEDFARM_VECTOR_CLONES
void scale(
    double* __restrict times,
    const double* __restrict factors,
    double time,
    double of_base,
    std::size_t count
) {
    for (std::size_t i = 0; i < count; ++i) {
        times[i] = time * (factors[i] / of_base);
    }
}

}  // namespace

const engine::MoldableTimes* MoldableTimesStore::add(
    double time, std::span<const double> factors, std::uint32_t base
) {
    Entry& entry = entries_.emplace_back();
    entry.times.resize(factors.size());
    scale(entry.times.data(), factors.data(), time, factors[base - 1], factors.size());
    expect_monotone(entry.times);
    entry.moldable.times = entry.times;
    return &entry.moldable;
}

}  // namespace schedfarm::models
