// An integer that changes at certain instants and stays as it is in between, from the first instant
// that was not forgotten to infinity; the ground of the availability profile.
//
// The steps lie in two arrays (engine/planning/step_arrays.hpp) as long as they are few, which is
// mostly so, and in a tree (engine/planning/step_tree.hpp) from then on until they are much fewer.
//
// Cost: O(log n) each, with a few steps that of moving some bytes; no allocation once the largest
// number of steps was seen.
#pragma once

#include <cstddef>
#include <cstdint>

#include "engine/planning/step_arrays.hpp"
#include "engine/planning/step_tree.hpp"
#include "engine/planning/step_window.hpp"

namespace schedfarm::engine {

class StepFunction {
  public:
    static constexpr double never = StepTree::never;

    /// `value` at every time.
    explicit StepFunction(std::int32_t value) : arrays_(value), tree_(value) {}

    /// Adds `amount` ≠ 0 at the times begin <= t < end. REQUIRES: begin < end; begin not forgotten.
    void add(double begin, double end, std::int32_t amount);

    /// Adds `amount` ≠ 0 at the new times of a move and takes it away at the old ones. REQUIRES as
    /// for add().
    void move_ahead(const StepMove& move, std::int32_t amount);

    /// Makes the trial profile anew of what is from `from` on. Cost: O(steps).
    void copy_to(TrialProfile& trial, double from) const;

    // REQUIRES for all: the time was not forgotten.
    std::int32_t at(double time) const { return is_tree_ ? tree_.at(time) : arrays_.at(time); }
    /// The first such time; never if there is none.
    double first_window(const StepWindow& wanted) const {
        return is_tree_ ? tree_.first_window(wanted) : arrays_.first_window(wanted);
    }
    /// Of the windows from `first` on the one of least index that there is, and its first time.
    FoundWindow first_of(const StepWindows& wanted, std::size_t first) const;
    /// Shows the parts of the function from the one that `from` lies in on, in order of time, to
    /// `visit` (begin, least value, greatest value) → StepWalk. A part is a stretch, of which the
    /// two values are the same, or many; `into` shows what is in it.
    template <typename Visitor>
    void walk(double from, Visitor&& visit) const {
        if (is_tree_) {
            tree_.walk(from, visit);
        } else {
            arrays_.walk(from, visit);
        }
    }

    /// Forgets the steps that no time from `time` on needs.
    void forget_before(double time);
    /// `value` at every time again.
    void reset(std::int32_t value);

    /// Number of stretches of constant value.
    std::size_t stretches() const { return is_tree_ ? tree_.stretches() : arrays_.stretches(); }

  private:
    static constexpr std::size_t few_in_tree = 64;

    void move_to_tree();
    void move_to_arrays();

    StepArrays arrays_;
    StepTree tree_;
    bool is_tree_ = false;  // the steps are in the tree, not in the arrays
};

}  // namespace schedfarm::engine
