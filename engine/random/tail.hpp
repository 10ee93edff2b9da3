// How heavy the tails of distributions of times are: which moments they have, and how much of a
// moment lies beyond the largest value that is likely to have been drawn.
#pragma once

#include <functional>
#include <limits>

#include "engine/foundation/parameters.hpp"

namespace schedfarm::engine {

struct Tail {
    /// E[X^k] is infinite from this k on; infinite: for none.
    double least_infinite_moment = std::numeric_limits<double>::infinity();
    /// The share of E[X^order] that lies beyond the value which one in `values` exceeds; 1 where
    /// the moment is infinite. Empty: not known in closed form. REQUIRES: order > 0, values > 1.
    std::function<double(double order, double values)> share_beyond = {};
};

/// REQUIRES: a choice that time_distributions() admits.
Tail tail_of(const Choice& time_distribution);

}  // namespace schedfarm::engine
