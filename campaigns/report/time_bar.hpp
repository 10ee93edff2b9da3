// Shares over time as a bar of characters for a terminal: block elements of Unicode, eight heights.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace schedfarm::campaigns {

inline constexpr std::size_t time_bar_width = 62;  ///< characters, beside 18 of labels

/// A character per share. Less than a sixteenth is nothing to see; only what is busy throughout is
/// full.
std::string time_bar(const std::vector<double>& shares);

/// Below a bar that begins behind ten columns: where it begins and ends.
std::string time_bar_axis(const std::string& begin, const std::string& end);

}  // namespace schedfarm::campaigns
