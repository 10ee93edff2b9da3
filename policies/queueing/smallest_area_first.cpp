// Smallest area first, processors × requested or actual run time.
#include "policies/queueing/sorted_queue.hpp"

namespace schedfarm::policies {

engine::PolicyDescription describe_smallest_area_first() {
    return describe_run_time_queue(
        "smallest_area_first",
        "Whatever fits starts, smallest processors x run time first.",
        [](const engine::Job& job, double run_time, double) {
            return static_cast<double>(job.size) * run_time;
        }
    );
}

}  // namespace schedfarm::policies
