#include "engine/farm/farm_layout.hpp"

#include <algorithm>

#include "engine/farm/master.hpp"
#include "engine/foundation/expect.hpp"

namespace schedfarm::engine {

namespace {

constexpr double busiest_single_master = 0.3;
constexpr std::uint32_t fewest_ranks = 4;

/// P s / T > 0.3, where tasks shorter than a bundle travel in bundles.
bool one_master_is_too_few(std::uint32_t workers, double expected_task_seconds) {
    const double seconds = std::max(expected_task_seconds, MasterLimits{}.bundle_seconds);
    return workers * master_seconds_per_report > busiest_single_master * seconds;
}

}  // namespace

std::vector<RankGroup> farm_layout(std::uint32_t ranks, const FarmOptions& options) {
    SCHEDFARM_EXPECT(options.group_ranks >= 2, "a group is a sub-master and at least one worker");
    const bool is_wanted = options.levels == Levels::two
                           || (options.levels == Levels::automatic
                               && one_master_is_too_few(ranks - 1, options.expected_task_seconds));
    std::vector<RankGroup> groups;
    if (!is_wanted || ranks < fewest_ranks) {
        return groups;
    }
    for (std::uint32_t first = 1; first < ranks; first += options.group_ranks) {
        const std::uint32_t workers = std::min(options.group_ranks, ranks - first) - 1;
        if (workers > 0) {
            groups.push_back({first, workers});
        } else {
            ++groups.back().workers;
        }
    }
    return groups;
}

}  // namespace schedfarm::engine
