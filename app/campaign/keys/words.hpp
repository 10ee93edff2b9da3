// The words for values of a cell, as campaigns and keys have them.
#pragma once

#include <array>

#include "engine/random/stream.hpp"
#include "engine/simulation/system.hpp"
#include "engine/statistics/stop_rule.hpp"

#include "app/campaign/keys/section_reader.hpp"
#include "app/campaign/keys/sections/load_search.hpp"

namespace schedfarm::app {

template <>
inline constexpr auto words_of<engine::Generator> = std::array{"philox", "mrg32k3a"};
template <>
inline constexpr auto words_of<engine::RunningJobs> = std::array{"drain", "cut"};
template <>
inline constexpr auto words_of<engine::IntervalMethod> =
    std::array{"student_t", "skew_adjusted", "confidence_sequence"};
template <>
inline constexpr auto words_of<SearchCriterion> = std::array{"drift", "response_time"};

}  // namespace schedfarm::app
