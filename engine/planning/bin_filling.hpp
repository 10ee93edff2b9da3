// Bin filling: no time, no policy and no kernel. Jobs are placed on an empty system, in order,
// until one does not fit: it ends the fill and is dropped, and the next fill begins with the next
// job. All that a policy has to say here is the placement.
//
// Fills are independent rows side by side, a fixed number of them, so that a vectorised loop and a
// plain one give the same result: fill f belongs to row f mod bin_rows, and the t-th job offered in
// row r is job t * bin_rows + r of the workload. Everything is integer arithmetic. The fingerprint
// of a row is a polynomial in 32-bit arithmetic, cheap in any vector unit, over its fills:
//
//     hash := hash * 0x9e3779b1 + (placed << 16) + idle     (modulo 2^32)
//
// It is weak within a row (2^-32), but every change of one fill changes it, because the factor is
// odd; the hashes of the rows are mixed and added into the 64-bit fingerprint.
//
// Cost beside drawing: total requests on all processors as one pool about 0.3 ns per job with
// AVX-512; others, through the placement, about 80 ns for four components on four clusters.
#pragma once

#include <cstdint>

#include "engine/planning/placement.hpp"
#include "engine/simulation/measurement/observations.hpp"
#include "engine/simulation/system.hpp"
#include "engine/simulation/workload_model.hpp"

namespace schedfarm::engine {

inline constexpr std::uint64_t bin_rows = 16;

/// One replication of `fills` fills: the values of observation_columns(), jobs placed, and as
/// events the jobs offered. REQUIRES: fills > 0; a system without outages; every job fits on it
/// when it is empty.
Observations fill_bins(
    PlacementRule rule,
    const SystemDescription& system,
    std::uint64_t fills,
    WorkloadModel& workload
);

}  // namespace schedfarm::engine
