// What the parts of gang scheduling with migration share.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/planning/buddy_trees.hpp"

#include "policies/gang/gang.hpp"
#include "policies/gang/slice_grid.hpp"

namespace schedfarm::policies {

/// Which classes the idle processors of a slice go to first; adaptive: either, chosen anew for each
/// cycle.
enum class FillOrder : std::uint8_t { leaves, root, adaptive };

FillOrder fill_order(const engine::Parameters& given);

/// The order under `adaptive` in a cycle at whose start so many jobs of each class are there: from
/// the root where the nodes of the larger half of the classes that fill are more processors than
/// those of the smaller half; the middle one of an odd number of classes belongs to neither.
FillOrder adapted_order(
    const std::vector<std::size_t>& jobs_by_class, const engine::BuddyTrees& trees
);

/// The order of the slices, one after the other. A cycle at whose start no job is there goes from
/// the leaves.
class SliceOrder {
  public:
    explicit SliceOrder(FillOrder order)
        : order_(order), of_cycle_(order == FillOrder::root ? order : FillOrder::leaves) {}

    /// `jobs_by_class`: called at most once, at the start of a cycle.
    template <typename JobsByClass>
    FillOrder of_slice(
        const SliceGrid& grid,
        double now,
        const engine::BuddyTrees& trees,
        const JobsByClass& jobs_by_class
    ) {
        if (order_ == FillOrder::adaptive) {
            if (grid.is_first_of_cycle() && grid.start() == now) {
                of_cycle_ = adapted_order(jobs_by_class(), trees);
            } else if (grid.cycle() != cycle_) {
                of_cycle_ = FillOrder::leaves;
            }
            cycle_ = grid.cycle();
        }
        return of_cycle_;
    }

  private:
    FillOrder order_;
    FillOrder of_cycle_;
    double cycle_ = -1;
};

}  // namespace schedfarm::policies
