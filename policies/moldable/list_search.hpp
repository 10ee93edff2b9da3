// Local search for a list of moldable tasks whose schedule has a small Σ weight · completion
// (minsum) and ends by a limit. Beyond the paper of Dutot et al.; their linear program says where
// to begin.
//
// What is made small is minsum / its lower bound, and more for every task that ends beyond the
// limit, so that each step towards it gains. A move changes the allotment of one task, by one
// processor or by a third, or exchanges two tasks of the order. Threshold accepting (Dueck &
// Scheuer 1990): a move stays if the value grows by no more than a threshold, which falls to 0 as
// the cube of the share of moves that are left. So many moves are made and no clock is looked at:
// deterministic.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "policies/moldable/allotted_list.hpp"
#include "policies/moldable/moldable_batches.hpp"
#include "policies/moldable/moldable_problem.hpp"
#include "policies/moldable/pareto_front.hpp"

namespace schedfarm::policies {

/// Where the search begins.
struct GuidedList {
    AllottedList list;
    double minsum_bound = 0;
};

/// The refined linear program of engine/optimization/minsum_bound.hpp shares tasks out over
/// intervals of time. A task's place is the mean end of its shares, its allotment the least that
/// can end within the interval with its largest share. Cost: that of the program.
GuidedList guided_list(const MoldableProblem& problem);

/// Random numbers of one batch, one after the other.
class BatchDice {
  public:
    explicit BatchDice(const BatchDraws& from) : from_(from) {}
    /// One of 0 … n − 1.
    std::uint32_t below(std::uint32_t n) {
        const std::uint64_t draw = from_.stream.draw(from_.first + taken_++);
        return engine::scaled_word(static_cast<std::uint32_t>(draw), n);
    }
    std::uint64_t taken() const { return taken_; }

  private:
    BatchDraws from_;
    std::uint64_t taken_ = 0;
};

/// A move: of which kind, of which task, by how much and which way; or of which two tasks.
inline constexpr std::uint64_t draws_per_move = 4;

struct SearchSettings {
    std::uint64_t moves_per_task = 100;
    double makespan_limit = 1.15;  ///< in λ*, or what reservations allow at least

    /// As many as the numbers of a batch suffice for, at most.
    std::uint64_t moves(std::size_t tasks) const {
        return std::min(moves_per_task * tasks, draws_per_batch / draws_per_move);
    }
};

/// The best list that was seen: among those within the limit, if there were any.
/// `seen`, if any, is offered every list's criteria.
/// Cost: O(n log n) for a move, about 2 µs for 100 tasks.
AllottedList searched_list(
    const MoldableProblem& problem,
    const GuidedList& start,
    const SearchSettings& settings,
    BatchDice& dice,
    ParetoFront* seen = nullptr
);

}  // namespace schedfarm::policies
