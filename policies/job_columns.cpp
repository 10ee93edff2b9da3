#include "policies/job_columns.hpp"

#include <string>

#include "engine/foundation/expect.hpp"
#include "engine/simulation/dependent_workload.hpp"
#include "engine/simulation/kernel/job_stream.hpp"

namespace schedfarm::policies {

using engine::MoldableTimes;

bool is_plain(
    const engine::SystemDescription& system,
    const engine::WorkloadModel& workload,
    std::uint32_t most_processors
) {
    const std::uint32_t processors = system.processors();
    const engine::WorkloadTraits& traits = workload.traits();
    return system.outages.empty() && processors <= most_processors && traits.max_size <= processors
           && !traits.has_fixed_starts && workload.dependent() == nullptr;
}

std::size_t JobColumns::next_block() {
    engine::draw_next(workload_, block_);
    prepare_block();
    return block_.count;
}

bool JobColumns::next_block_if_any() {
    const bool is_there = engine::draw_more(workload_, block_);
    prepare_block();
    return is_there;
}

void JobColumns::prepare_block() {
    choose_service();
    SCHEDFARM_EXPECT(
        can_be_served(),
        "one of the jobs from " + std::to_string(block_.first_index)
            + " on has no processors, more than the system, or no finite service time"
    );
}

void JobColumns::choose_service() {
    service_ = block_.service_time.data();
    if (block_.moldable.empty()) {
        return;
    }
    chosen_service_.assign(service_, service_ + block_.count);
    for (std::size_t i = 0; i < block_.count; ++i) {
        if (const MoldableTimes* moldable = block_.moldable[i]) {
            chosen_service_[i] = moldable->times[block_.size[i] - 1];
        }
    }
    service_ = chosen_service_.data();
}

bool JobColumns::can_be_served() const {
    bool result = true;
    for (std::size_t i = 0; i < block_.count; ++i) {
        const bool has_size = block_.size[i] - 1U < capacity_;
        const bool ends = service_[i] >= 0 && service_[i] < std::numeric_limits<double>::infinity();
        result = result & has_size & ends;  // no branch
    }
    return result;
}

}  // namespace schedfarm::policies
