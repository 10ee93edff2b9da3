// When a cell has enough replications, as the campaign says it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/statistics/estimate.hpp"
#include "engine/statistics/stop_rule.hpp"

namespace schedfarm::app {

/// A precision target on one metric of the observations.
struct MetricTarget {
    std::string metric;  ///< "response_time.mean"
    engine::PrecisionTarget target = {};
};

/// What a cell may cost at most, beside limits.max; checked with the stop rule. Counts keep the
/// promise of equal results from any run; core-hours do not, and the cell is then provisional.
struct Budget {
    std::optional<std::uint64_t> replications;
    std::optional<std::uint64_t> jobs;    ///< submitted, over all replications
    std::optional<std::uint64_t> events;  ///< Observations::events, over all replications
    std::optional<double> core_hours;
};

/// When a cell has enough replications.
struct ReplicationPlan {
    std::vector<MetricTarget> targets = {};  ///< empty: exactly limits.max replications
    engine::ReplicationLimits limits;
    Budget budget = {};
    double confidence = 0.95;
    engine::IntervalMethod method = engine::IntervalMethod::skew_adjusted;
};

}  // namespace schedfarm::app
