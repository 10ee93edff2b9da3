// Shares over time as a bar of characters for a terminal: block elements of Unicode, eight heights.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace schedfarm::app {

inline constexpr std::size_t time_bar_labels = 18;  ///< characters beside a bar

/// A character per share. Less than a sixteenth is nothing to see; only what is busy throughout is
/// full.
std::string time_bar(const std::vector<double>& shares);

/// The same, with a cross in the place of every part that was out of order for half of it or more.
/// REQUIRES: as many shares of one as of the other.
std::string time_bar(const std::vector<double>& shares, const std::vector<double>& out_of_order);

/// Below a bar of `width` characters that begins behind ten columns: where it begins and ends.
std::string time_bar_axis(const std::string& begin, const std::string& end, std::size_t width);

}  // namespace schedfarm::app
