#include "engine/simulation/measurement/published_columns.hpp"

#include <string>

namespace schedfarm::engine {

namespace {

void add_outage_columns(const Outages& outages, std::vector<ObservationColumn>& columns) {
    if (!outages.empty()) {
        columns.push_back(
            {.name = std::string(availability),
             .unit = "1",
             .meaning = "mean fraction of the processors in order, from time 0 to the last event"}
        );
    }
    if (outages.cut_jobs()) {
        columns.push_back(
            {.name = std::string(jobs_cut),
             .unit = "jobs",
             .meaning = "jobs cut by outages, each as often as it was"}
        );
        columns.push_back(
            {.name = std::string(lost_work),
             .unit = "processor*time",
             .meaning = "processors * time that cut jobs had held and must hold again"}
        );
    }
}

}  // namespace

ObservationColumn offered_delay_column() {
    return {
        .name = std::string(offered_delay),
        .unit = "time",
        .meaning =
            "over advance reservations that were refused: earliest possible start when "
            "submitted less the one asked for, summed"};
}

std::vector<ObservationColumn> published_columns(
    const PolicyDescription& policy,
    const Parameters& policy_parameters,
    const SystemDescription& system,
    const WorkloadModelDescription& model,
    const Parameters& workload_parameters
) {
    WorkloadTraits traits;
    traits.has_fixed_starts = model.facts(workload_parameters).has_fixed_starts;
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
    add_outage_columns(system.outages, columns);
    return columns;
}

}  // namespace schedfarm::engine
