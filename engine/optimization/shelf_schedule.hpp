// The schedule of Mounié, Rapine and Trystram for an accepted guess λ; it ends by 3/2 λ. The first
// shelf starts at 0 and ends by λ, the second takes up to λ/2 after it and may at first need more
// than m processors. Tasks then move, each time with less work on fewer processors:
//   (1) of the first shelf, at most 3/4 λ long on more than one processor: to one processor less,
//       where it takes at most 3/2 λ and has these processors for itself;
//   (2) of the first shelf, at most 3/4 λ long on one processor: two of them one after the other;
//       a last one after any task of the first shelf that ends early enough, on one of that
//       task's processors, so that the second shelf may use the others;
//   (3) of the second shelf, at most 3/2 λ long on the processors that are idle beside the first:
//       there, on as few as keep that.
// When nothing moves any more, the second shelf fits, and small tasks go one by one to the
// processor that has least to do.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "engine/optimization/moldable_instance.hpp"
#include "engine/optimization/shelf_test.hpp"

namespace schedfarm::engine {

/// A task of a schedule, on processors first_processor … first_processor + processors − 1.
struct PlacedTask {
    double start = 0;
    double finish = 0;
    std::uint32_t first_processor = 0;
    std::uint32_t processors = 1;
};

/// The schedule, task by task; absent where rounding left the second shelf no room, which only
/// happens when the work is m λ to the last digits. REQUIRES: the shelves are
/// ShelfTest::partition(lambda) of this monotone instance. Cost: O(n (log n + log m)).
std::optional<std::vector<PlacedTask>> shelf_schedule(
    const MoldableInstance& instance, double lambda, std::span<const ShelfTask> shelves
);

}  // namespace schedfarm::engine
