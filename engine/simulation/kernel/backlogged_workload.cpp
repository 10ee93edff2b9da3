#include "engine/simulation/kernel/backlogged_workload.hpp"

#include <utility>

#include "engine/foundation/expect.hpp"

namespace schedfarm::engine {

BackloggedWorkload::BackloggedWorkload(
    std::unique_ptr<WorkloadModel> workload, std::uint64_t backlog
)
    : VersionOfWorkload(*workload), workload_(std::move(workload)), backlog_(backlog) {
    SCHEDFARM_EXPECT(backlog > 0, "a workload was given an empty backlog");
}

void BackloggedWorkload::next(JobBlock& block) {
    workload_->next(block);
    for (std::size_t i = 0; i < block.count; ++i) {
        const std::uint64_t index = block.first_index + i;
        if (index < backlog_) {
            shift_ = block.submit_time[i];
            block.submit_time[i] = 0;
        } else {
            block.submit_time[i] -= shift_;
        }
    }
}

}  // namespace schedfarm::engine
