#include "engine/simulation/job_stream.hpp"

#include <string>

#include "engine/foundation/expect.hpp"

namespace schedfarm::engine {

void JobStream::refill() {
    const std::uint64_t seen = block_.first_index + block_.count;
    workload_.next(block_);
    SCHEDFARM_EXPECT(
        block_.count > 0,
        "the workload ended after " + std::to_string(seen)
            + " jobs, before the horizon. A shorter horizon?"
    );
    SCHEDFARM_EXPECT(block_.first_index == seen, "a workload left out or repeated a job");
    position_ = 0;
}

}  // namespace schedfarm::engine
