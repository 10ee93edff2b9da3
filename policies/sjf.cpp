// Shortest job first, by requested run time.
#include "policies/sorted_queue.hpp"

namespace schedfarm::policies {

engine::PolicyDescription describe_sjf() {
    return describe_sorted_queue(
        "sjf",
        "Shortest job first: whatever fits starts, shortest requested run time first.",
        [](const engine::PolicyContext&) {
            return [](const engine::Job& job) {
                return job.estimate;
            };
        }
    );
}

}  // namespace schedfarm::policies
