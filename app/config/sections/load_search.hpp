// A load that is looked for, as the campaign says it.
#pragma once

#include <cstdint>

#include "app/config/schema/schema.hpp"

namespace schedfarm::app {

enum class SearchCriterion : std::uint8_t {
    drift,          ///< where the backlog begins to grow: the saturation point
    response_time,  ///< where the mean response time passes a threshold
};

/// A load that is searched for by probabilistic bisection, in rounds of replications.
struct LoadSearch {
    SearchCriterion criterion = SearchCriterion::drift;
    double threshold = 0;  ///< response_time: a time; campaigns give it in mean service times
    double low = 0;        ///< utilizations between which the point lies
    double high = 1;
    double width = 0.01;        ///< ends when the interval is no longer than this
    double confidence = 0.95;   ///< of the interval
    double reliability = 0.95;  ///< with which an answer must be right to count fully
    std::uint32_t round = 16;   ///< replications per round
    std::uint32_t most_rounds = 400;

    template <typename Table>
    static auto section() {
        using T = LoadSearch;
        return Table(
                   "load.search",
                   "Looks for the load at which something happens, in rounds of replications; the "
                   "search decides how many there are, in place of `replications` and `precision`. "
                   "`drift`: where the backlog begins to grow, the saturation point; begins from a "
                   "deep queue (`horizon.start`) under a policy that does not preempt. "
                   "`response_time`: where the mean response time passes the threshold."
        )
            .key("criterion", &T::criterion)
            .required("what happens at the load")
            .key("threshold", &T::threshold, ranges::positive, "mean service times")
            .optional("response_time: the mean response time in mean service times")
            .interval(
                "between",
                &T::low,
                &T::high,
                {.low = 0, .high = 10, .low_is_open = true},
                Ends::apart,
                "[0.3, 1.0]"
            )
            .means("utilizations between which the point lies; else the cell ends as not_bracketed")
            .by_default(engine::Value::List{0.3, 1.0})
            .key("width", &T::width, ranges::probability)
            .means("the search ends when its intervals are no longer than this")
            .key("confidence", &T::confidence, ranges::probability)
            .means("confidence level of the interval")
            .key("reliability", &T::reliability, {0.5, 1, true, true})
            .means("probability with which an answer must be right to count fully")
            .key("round", &T::round, {2, 1e6}, "replications")
            .means("replications of a round")
            .key("most_rounds", &T::most_rounds, {1, 1e6}, "rounds")
            .means("rounds at most")
            .apart_from_identity();  // the cap ends a search and changes no replication
    }
};

}  // namespace schedfarm::app
