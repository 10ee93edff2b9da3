// Fit Processors Most Processors First Served: the largest job that fits starts first.
#include "policies/queueing/sorted_queue.hpp"

namespace schedfarm::policies {

engine::PolicyDescription describe_fpmpfs() {
    return describe_sorted_queue(
        "fpmpfs",
        "Fit Processors Most Processors First Served: whatever fits starts, largest size first.",
        [](const engine::Parameters&, const engine::PolicyContext&) {
            return [](const engine::Job& job, double) {
                return -static_cast<double>(job.size);
            };
        },
        7
    );
}

}  // namespace schedfarm::policies
