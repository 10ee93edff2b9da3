// When a cell has enough replications, as the campaign says it.
#pragma once

#include <string>
#include <vector>

#include "engine/statistics/estimate.hpp"
#include "engine/statistics/stop_rule.hpp"

namespace schedfarm::campaigns {

/// A precision target on one metric of the observations.
struct MetricTarget {
    std::string metric;  ///< "response_time.mean"
    engine::PrecisionTarget target;
};

/// When a cell has enough replications.
struct ReplicationPlan {
    std::vector<MetricTarget> targets;  ///< empty: exactly limits.max replications
    engine::ReplicationLimits limits;
    double confidence = 0.95;
    engine::IntervalMethod method = engine::IntervalMethod::skew_adjusted;
};

}  // namespace schedfarm::campaigns
