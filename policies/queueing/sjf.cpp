// Shortest job first, by requested or by actual run time.
#include "policies/queueing/sorted_queue.hpp"

namespace schedfarm::policies {

engine::PolicyDescription describe_sjf() {
    return describe_run_time_queue(
        "sjf",
        "Shortest job first: whatever fits starts, shortest run time first.",
        [](const engine::Job&, double run_time, double) { return run_time; }
    );
}

}  // namespace schedfarm::policies
