// What is asked of every job of a schedule: wait, response and both slowdowns. All jobs are gone
// through twice, some hundred at a time, so that no value is kept: sums, extremes and counts
// first, the quantiles then.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "engine/simulation/logs/job_log.hpp"

namespace schedfarm::app {

/// Over all jobs; quantiles are the smallest value that at least this share does not exceed.
struct Quantity {
    double mean = 0;
    double median = 0;
    double p95 = 0;
    double max = 0;
};

enum class JobQuantity : std::uint8_t {
    wait,              ///< start - submit
    response,          ///< finish - submit
    slowdown,          ///< response / service; without service 1 or infinite
    bounded_slowdown,  ///< max(1, response / max(service, threshold))
};

inline constexpr std::size_t job_quantities = 4;

/// By JobQuantity. REQUIRES: at least one job, all with a record. Cost: O(1) per job.
std::array<Quantity, job_quantities> quantities_of(const engine::JobLog& log, double threshold);

}  // namespace schedfarm::app
