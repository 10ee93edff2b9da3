// Longest job first, by requested or by actual run time.
#include "policies/queueing/sorted_queue.hpp"

namespace schedfarm::policies {

engine::PolicyDescription describe_ljf() {
    return describe_run_time_queue(
        "ljf",
        "Longest job first: whatever fits starts, longest run time first.",
        [](const engine::Job&, double run_time, double) { return -run_time; }
    );
}

}  // namespace schedfarm::policies
