// Fit Processors First Served: the queue in order of arrival is scanned from head to tail and every
// job that fits starts, but no job is overtaken more than max_jumps times.

#include "engine/planning/queue_policy.hpp"

#include "policies/specialised_simulators.hpp"

namespace schedfarm::policies {

using namespace engine;  // NOLINT(google-build-using-namespace)

PolicyDescription describe_fpfs() {
    PolicyDescription description;
    description.alternative = {
        .name = "fpfs",
        .summary =
            "Fit Processors First Served: whatever fits starts, in order of arrival; nobody "
            "is overtaken more than max_jumps times.",
        .parameters = queue_parameters(7),
        .source = "Bucur & Epema 2000, section 2.3"};
    description.traits = [](const Parameters& parameters) {
        return PolicyTraits{
            .first_come_first_served = parameters.integer("max_jumps") == 0,
            .takes_withdrawals = true};
    };
    description.make = [](const Parameters& parameters, const PolicyContext&) {
        return make_queue_policy(queue_settings(parameters), {});
    };
    description.specialised_simulator =
        [](const Parameters& parameters, const SimulationSetup& setup, WorkloadModel& workload) {
            return simulate_fpfs(queue_settings(parameters), setup, workload);
        };
    // Nobody is overtaken too often, and nobody waits who fits and may start.
    return description;
}

}  // namespace schedfarm::policies
