// What a policy publishes in a cell: its own observations and, where jobs are advance reservations,
// how many of them it did not keep; and what the simulator publishes where processors go out of
// order. Known before any replication runs.
#pragma once

#include <string_view>
#include <vector>

#include "engine/foundation/parameters.hpp"
#include "engine/simulation/measurement/observations.hpp"
#include "engine/simulation/policy.hpp"
#include "engine/simulation/workload_model.hpp"

namespace schedfarm::engine {

/// Published by policies that keep fixed starts, 1 for each job.
inline constexpr std::string_view reservations_refused = "reservations_refused";
inline constexpr std::string_view reservations_missed = "reservations_missed";

/// By those that say when a refused one could have started: that time less the one asked for. The
/// job log has the time.
inline constexpr std::string_view offered_delay = "offered_delay";
ObservationColumn offered_delay_column();

/// Published by the simulator itself where processors go out of order.
inline constexpr std::string_view availability = "availability";
inline constexpr std::string_view jobs_cut = "jobs_cut";
inline constexpr std::string_view lost_work = "lost_work";

/// The columns behind those of the probes, in order.
std::vector<ObservationColumn> published_columns(
    const PolicyDescription& policy,
    const Parameters& policy_parameters,
    const SystemDescription& system,
    const WorkloadModelDescription& model,
    const Parameters& workload_parameters
);

/// Likewise, for a workload that is there already.
std::vector<ObservationColumn> published_columns(
    const PolicyDescription& policy,
    const Parameters& policy_parameters,
    const SystemDescription& system,
    const WorkloadTraits& workload
);

}  // namespace schedfarm::engine
