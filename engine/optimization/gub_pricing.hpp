// Finds variables that make a basis of the GUB simplex method cheaper. The reduced cost of task i
// in interval j is its cost and the price of its area there, less the same for the task's key; that
// of the slack of interval j is price(j) − price(j + 1).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "engine/optimization/gub_basis.hpp"
#include "engine/optimization/nested_assignment.hpp"

namespace schedfarm::engine {

struct Candidate {
    GubVariable variable;
    double reduced_cost = 0;  ///< negative
};

class GubPricing {
  public:
    /// REQUIRES: costs of the order of 1; the problem outlives this.
    explicit GubPricing(const NestedAssignment& problem);

    /// The best interval of every task that gains, and all slacks that gain, most gain first.
    /// Overwritten by the next call. Cost: O(tasks × intervals), in vectors.
    const std::vector<Candidate>& candidates(const GubBasis& basis);

    /// The task's best interval now, or the slack, if it still gains. Cost: O(intervals).
    std::optional<Candidate> again(const GubBasis& basis, GubVariable variable) const;

    /// The first variable by number that gains (Bland's rule).
    std::optional<Candidate> first(const GubBasis& basis) const;

  private:
    std::optional<Candidate> slack(const GubBasis& basis, std::uint32_t interval) const;
    double priced(const GubBasis& basis, std::size_t task, std::size_t interval) const {
        return problem_.cost(task, interval)
               + basis.prices()[interval] * problem_.area(task, interval);
    }

    const NestedAssignment& problem_;
    CheapestIntervals cheapest_;
    std::vector<Candidate> candidates_;
};

}  // namespace schedfarm::engine
