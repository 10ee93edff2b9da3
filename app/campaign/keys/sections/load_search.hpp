// A load that is looked for, as the campaign says it.
#pragma once

#include <cstdint>

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
};

}  // namespace schedfarm::app
