// What the parts of gang scheduling with migration share.
#pragma once

#include <cstdint>
#include <memory>

#include "engine/planning/buddy_trees.hpp"
#include "engine/simulation/fast_way.hpp"
#include "engine/simulation/policy.hpp"
#include "engine/simulation/schedule_verifier.hpp"

#include "policies/gang.hpp"

namespace schedfarm::policies {

/// Which classes the idle processors of a slice go to first.
enum class FillOrder : std::uint8_t { leaves, root };

/// The time slices of the grid, one after the other; cycle k starts at k · T.
class SliceGrid {
  public:
    SliceGrid(const GangSettings& settings, const engine::BuddyTrees& trees)
        : cycle_s_(settings.cycle_s), quanta_(settings, trees), rows_(trees.classes()) {}

    void arrive(double submit_time, double service_time, std::uint32_t job_class) {
        quanta_.arrive(submit_time, service_time, job_class);
    }
    double start() const { return cycle_ * cycle_s_ + offset_; }
    /// The class of the row: that of the largest nodes.
    std::uint32_t row_class() const { return rows_ - 1 - row_; }

    /// Goes to the first slice that starts at `time` or later.
    void find(double time);
    /// Goes to the next slice.
    void next();

  private:
    double cycle_s_;
    GangQuanta quanta_;
    std::uint32_t rows_;
    double cycle_ = 0;
    std::uint32_t row_ = 0;
    double offset_ = 0;  // of the row in its cycle
};

/// Open and trace experiments without an event queue: a slice is a loop over the jobs that run.
/// Null where it does not apply.
std::unique_ptr<engine::FastWay> make_migration_fast_way(
    const GangSettings& settings, FillOrder order, const engine::FastWayContext& context
);

/// Checks at the start of every slice that the jobs that run are those that the rule names, and
/// that no slice is left out, work begins switch_cost_s into a slice and none crosses its end; and
/// what holds for all gang scheduling (policies/gang_verifier.hpp). Cost: O(jobs²) per slice.
std::unique_ptr<engine::ScheduleVerifier> make_migration_verifier(
    const GangSettings& settings, FillOrder order, const engine::BuddyTrees& trees
);

}  // namespace schedfarm::policies
