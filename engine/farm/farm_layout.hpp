// Which rank is what. One level: rank 0 is the master of all others. Two levels: the ranks after it
// fall into groups of consecutive ranks, the first of each is the sub-master of the rest; a last
// rank that would be a group by itself joins the group before it. Pure.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/farm/farm.hpp"

namespace schedfarm::engine {

/// What a report and the order that follows are reckoned to cost a master: the s of the knee
/// P* = T / s. `schedfarm-bench --farm` measures one to two microseconds; the rest is for slower
/// processors and networks.
constexpr double master_seconds_per_report = 10e-6;

struct RankGroup {
    std::uint32_t sub_master = 0;
    std::uint32_t workers = 0;  ///< the ranks that follow it
    friend bool operator==(const RankGroup&, const RankGroup&) = default;
};

/// The groups of a world of `ranks` ranks; empty: one level, as for worlds of fewer than 4 ranks,
/// where a sub-master could only be in the way. REQUIRES: options.group_ranks >= 2.
std::vector<RankGroup> farm_layout(std::uint32_t ranks, const FarmOptions& options);

}  // namespace schedfarm::engine
