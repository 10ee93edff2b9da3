#include "engine/simulation/kernel/job_stream.hpp"

#include <cstdint>

#include "engine/foundation/expect.hpp"

namespace schedfarm::engine {

bool draw_more(WorkloadModel& workload, JobBlock& block) {
    const std::uint64_t seen = block.first_index + block.count;
    workload.next(block);
    SCHEDFARM_EXPECT(
        block.count == 0 || block.first_index == seen, "a workload left out or repeated a job"
    );
    return block.count > 0;
}

}  // namespace schedfarm::engine
