// Largest expansion factor first, (wait + run time) / run time. The factors grow while jobs wait,
// at different speeds: they are judged whenever the queue is scanned, at every instant at which a
// job arrives or ends. A job that takes no time comes first.
#include <limits>

#include "policies/queueing/sorted_queue.hpp"

namespace schedfarm::policies {

engine::PolicyDescription describe_lxf() {
    return describe_run_time_queue(
        "lxf",
        "Largest expansion factor first: whatever fits starts, largest (wait + run time) / run "
        "time first, judged whenever a job arrives or ends.",
        [](const engine::Job& job, double run_time, double now) {
            return run_time > 0 ? -(now - job.submit_time) / run_time
                                : -std::numeric_limits<double>::infinity();
        },
        engine::KeyTime::scan
    );
}

}  // namespace schedfarm::policies
