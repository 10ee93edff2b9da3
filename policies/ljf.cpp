// Longest job first, by requested run time.
#include "policies/sorted_queue.hpp"

namespace schedfarm::policies {

engine::PolicyDescription describe_ljf() {
    return describe_sorted_queue(
        "ljf",
        "Longest job first: whatever fits starts, longest requested run time first.",
        [](const engine::PolicyContext&) {
            return [](const engine::Job& job) {
                return -job.estimate;
            };
        }
    );
}

}  // namespace schedfarm::policies
