// Between which values a column of observations lies, and with it the ends of its interval. Pure.
#pragma once

#include <string_view>

#include "engine/statistics/bounded_interval.hpp"

namespace schedfarm::engine {

/// Of a column by its name: of the metrics, and of what experiments and outages observe. What a
/// policy publishes may be anything.
ValueRange range_of_column(std::string_view column);

}  // namespace schedfarm::engine
