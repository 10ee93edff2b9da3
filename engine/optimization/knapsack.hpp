// The 0/1 knapsack over processors: items go in, where they take processors, or stay out; each has
// a cost either way, and the total is to be least. Weights to be gained are costs of staying out;
// an item that cannot stay out has an infinite cost there. Exact, by dynamic programming over the
// capacities; of equal choices the one that leaves out later items. A Knapsack keeps its memory
// for the next problem.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace schedfarm::engine {

struct KnapsackItem {
    std::uint32_t size = 0;  ///< processors; larger than the capacity: stays out
    double outside = 0;      ///< cost of staying out, not negative
    double inside = 0;       ///< cost of going in, not negative and finite
};

class Knapsack {
  public:
    /// The least total cost alone; infinite: what cannot stay out does not fit.
    /// Cost: O(items × capacity), in vectors.
    double least_cost(std::span<const KnapsackItem> items, std::uint32_t capacity);

    /// The same; chosen()[i] then says whether item i is in (where the cost is infinite: nothing
    /// of use). Twice the time; memory: 8 bytes × items × capacity.
    double solve(std::span<const KnapsackItem> items, std::uint32_t capacity);
    const std::vector<std::uint8_t>& chosen() const { return chosen_; }

  private:
    std::vector<double> rows_;
    std::vector<std::uint8_t> chosen_;
};

}  // namespace schedfarm::engine
