// Smallest area first; area = processors × requested run time.
#include "policies/sorted_queue.hpp"

namespace schedfarm::policies {

engine::PolicyDescription describe_smallest_area_first() {
    return describe_sorted_queue(
        "smallest_area_first",
        "Whatever fits starts, smallest processors x requested run time first.",
        [](const engine::PolicyContext&) {
            return [](const engine::Job& job) {
                return area(job);
            };
        }
    );
}

}  // namespace schedfarm::policies
