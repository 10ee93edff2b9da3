// The test of a guess λ of the makespan by Mounié, Rapine and Trystram ("A 3/2-approximation
// algorithm for scheduling independent monotonic malleable tasks", SIAM J. Comput. 37, 2007): can
// the work be at most m λ when the tasks that take long share out two shelves? Tasks with
// time(1) <= λ/2 are small and run on one processor; of the others those on the first shelf take
// γ(λ) processors, together at most m, those on the second γ(λ/2). In a schedule that ends at λ,
// those that take longer than λ/2 run side by side at some time, so that λ below the optimum of
// the makespan is never refused wrongly: a refusal is a proof.
//
// The proof holds for schedules of doubles, whose ends are rounded sums start + time from 0 on, as
// those of the simulator are. Rounding is monotone: a task that ends by λ takes at most λ, and if
// two take more than λ/2 the second does not end by λ. Only work needs a margin: mean_load_bound().
#pragma once

#include <cstdint>
#include <vector>

#include "engine/optimization/knapsack.hpp"
#include "engine/optimization/moldable_instance.hpp"

namespace schedfarm::engine {

/// What no schedule ends before if its tasks' areas sum up to at least `work`: work / processors,
/// rounded down by 2 (n + 4) u + area_loss() of it, u half a unit in the last place of 1. Of this,
/// n u is for the sum `work`, n u for the ends of a schedule, which may lose u each, and the rest
/// for the other operations and the areas that fall by rounding.
double mean_load_bound(const MoldableInstance& instance, double work);

enum class Shelf : std::uint8_t { first, second, small };

struct ShelfTask {
    Shelf shelf = Shelf::small;
    std::uint32_t processors = 1;
};

class ShelfTest {
  public:
    /// REQUIRES: the instance is monotone and outlives this.
    explicit ShelfTest(const MoldableInstance& instance) : instance_(instance) {}

    /// The least work, infinite if the shelves cannot hold what must be there. Never grows with λ
    /// by more than rounding. λ is accepted if this is at most m λ; a schedule that ends by λ does
    /// not end before mean_load_bound() of this. Cost: O(n m), in vectors.
    double least_work(double lambda);

    /// Where the tasks go, in their order. REQUIRES: λ is accepted.
    std::vector<ShelfTask> partition(double lambda);

  private:
    bool sort_tasks(double lambda);

    const MoldableInstance& instance_;
    Knapsack knapsack_;
    std::vector<KnapsackItem> items_;        // the tasks that are not small
    std::vector<std::uint32_t> item_tasks_;  // their numbers
    std::vector<std::uint32_t> second_;      // their γ(λ/2)
    double small_work_ = 0;
};

}  // namespace schedfarm::engine
