// When a cell has enough replications, as the campaign says it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/statistics/estimate.hpp"
#include "engine/statistics/stop_rule.hpp"

#include "app/config/schema/schema.hpp"

namespace schedfarm::app {

/// A precision target on one metric of the observations.
struct MetricTarget {
    std::string metric;  ///< "response_time.mean"
    engine::PrecisionTarget target;
};

/// What a cell may cost at most, beside limits.max; checked with the stop rule. Counts keep the
/// promise of equal results from any run; core-hours do not, and the cell is then provisional.
struct Budget {
    std::optional<std::uint64_t> replications;
    std::optional<std::uint64_t> jobs;    ///< submitted, over all replications
    std::optional<std::uint64_t> events;  ///< Observations::events, over all replications
    std::optional<double> core_hours;

    template <typename Table>
    static auto section() {
        using T = Budget;
        constexpr engine::Range many{1, 9007199254740992.0};  // 2^53
        return Table(
                   "precision.budget",
                   "What a cell may cost at most, over all its replications; any one or several. "
                   "Counts give the same results on any machine; core-hours do not, and a cell "
                   "that "
                   "they end is marked provisional."
        )
            .key("replications", &T::replications, {1, 1e9}, "replications")
            .means("replications")
            .key("jobs", &T::jobs, many, "jobs")
            .means("jobs submitted")
            .key("events", &T::events, many, "events")
            .means("events simulated")
            .key("core_hours", &T::core_hours, ranges::positive, "hours")
            .means("time that the replications take");
    }
};

/// When a cell has enough replications.
struct ReplicationPlan {
    std::vector<MetricTarget> targets;  ///< empty: exactly limits.max replications
    engine::ReplicationLimits limits;
    Budget budget;
    double confidence = 0.95;
    engine::IntervalMethod method = engine::IntervalMethod::skew_adjusted;
};

}  // namespace schedfarm::app
