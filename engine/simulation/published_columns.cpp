#include "engine/simulation/published_columns.hpp"

#include <string>

namespace schedfarm::engine {

std::vector<ObservationColumn> published_columns(
    const PolicyDescription& policy,
    const Parameters& policy_parameters,
    const SystemDescription& system,
    const WorkloadModelDescription& model,
    const Parameters& workload_parameters
) {
    WorkloadTraits traits;
    traits.has_fixed_starts = model.has_fixed_starts && model.has_fixed_starts(workload_parameters);
    return published_columns(policy, policy_parameters, system, traits);
}

std::vector<ObservationColumn> published_columns(
    const PolicyDescription& policy,
    const Parameters& policy_parameters,
    const SystemDescription& system,
    const WorkloadTraits& workload
) {
    std::vector<ObservationColumn> columns;
    if (policy.observations) {
        columns = policy.observations(policy_parameters, system);
    }
    if (workload.has_fixed_starts) {
        columns.push_back(
            {.name = std::string(reservations_refused),
             .unit = "jobs",
             .meaning = "advance reservations refused when submitted; the jobs waited like any "
                        "other"}
        );
        columns.push_back(
            {.name = std::string(reservations_missed),
             .unit = "jobs",
             .meaning = "advance reservations whose processors were not free at their time"}
        );
    }
    return columns;
}

}  // namespace schedfarm::engine
