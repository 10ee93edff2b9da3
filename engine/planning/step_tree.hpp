// A step function (engine/planning/step_function.hpp) of many steps, in a B-tree. A node keeps for
// each child the least and the greatest value below it, so that a search skips whole subtrees, and
// an amount that is to be added to everything below it, so that a change of a long stretch touches
// few nodes. Nodes that run empty are taken out and others are not rebalanced: the height stays
// logarithmic in the number of insertions (Sen & Tarjan, Deletion without rebalancing in B-trees,
// 2014).
//
// Cost: O(log n) each; no allocation once the largest number of steps was seen.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "engine/planning/step_window.hpp"

namespace schedfarm::engine {

class StepTree {
  public:
    static constexpr double never = std::numeric_limits<double>::infinity();

    /// `value` at every time.
    explicit StepTree(std::int32_t value);

    /// Adds `amount` ≠ 0 at the times begin <= t < end. REQUIRES: begin < end; begin not forgotten.
    void add(double begin, double end, std::int32_t amount);

    // REQUIRES for all: the time was not forgotten.
    std::int32_t at(double time) const { return value_below(time, &Node::last_at_or_before); }
    double first_window(const StepWindow& wanted) const;
    /// Shows the parts of the function from the one that `from` lies in on, in order of time, to
    /// `visit` (begin, least value, greatest value) → StepWalk. A part is a stretch, of which the
    /// two values are the same, or many; `into` shows what is in it.
    template <typename Visitor>
    void walk(double from, Visitor&& visit) const {
        walk_below(root_, height_, from, 0, visit);
    }

    /// Forgets the steps that no time from `time` on needs.
    void forget_before(double time);
    /// `value` at every time again.
    void reset(std::int32_t value);

    /// Number of stretches of constant value.
    std::size_t stretches() const { return stretches_; }

  private:
    static constexpr std::uint32_t fan_out = 16;

    enum class Kind : std::uint8_t { leaf, inner };

    /// In a leaf, stretch i begins at time[i], and low[i] = high[i] is its value. Else child i
    /// begins at time[i] and its values lie in low[i] … high[i]. All less what the ancestors add.
    struct Node {
        std::array<double, fan_out> time;
        std::array<std::int32_t, fan_out> low;
        std::array<std::int32_t, fan_out> high;
        std::array<std::int32_t, fan_out> added;  // to everything in child i; part of low and high
        std::array<std::uint32_t, fan_out> child;
        std::uint32_t count;

        // −1 when all are later; the entries beyond `count` never count.
        int last_at_or_before(double at) const {
            int found = -1;
            for (std::uint32_t i = 0; i < fan_out; ++i) {
                found += time[i] <= at ? 1 : 0;
            }
            return found;
        }
        int last_before(double at) const;
        void insert_gap(std::uint32_t i, Kind kind);
        void remove(std::uint32_t i, Kind kind);
        void clear_from(std::uint32_t i);
        void add_to(std::uint32_t i, std::int32_t amount);
    };

    std::uint32_t new_node();
    void refresh(std::uint32_t parent, std::uint32_t i);
    void split_root();
    void split_child(std::uint32_t parent, std::uint32_t i);
    bool insert_step(double time);
    void add_below(
        std::uint32_t node,
        std::uint32_t level,
        double begin,
        double end,
        double limit,
        std::int32_t amount
    );
    std::int32_t value_below(double time, int (Node::*child_of)(double) const) const;
    void erase(double time);
    void erase_below(std::uint32_t node, std::uint32_t level, double time);
    void erase_if_level(double time);
    double second_step() const;
    template <typename Visitor>
    bool walk_below(
        std::uint32_t node, std::uint32_t level, double from, std::int32_t base, Visitor& visit
    ) const;

    std::vector<Node> nodes_;
    std::vector<std::uint32_t> unused_;
    std::uint32_t root_ = 0;
    std::uint32_t height_ = 0;  // levels above the leaves
    std::size_t stretches_ = 1;
};

// False when the visitor has stopped.
template <typename Visitor>
bool StepTree::walk_below(
    std::uint32_t node, std::uint32_t level, double from, std::int32_t base, Visitor& visit
) const {
    const Node& here = nodes_[node];
    auto i = static_cast<std::uint32_t>(std::max(here.last_at_or_before(from), 0));
    for (; i < here.count; ++i) {
        const StepWalk next = visit(here.time[i], here.low[i] + base, here.high[i] + base);
        if (next == StepWalk::stop
            || (next == StepWalk::into && level > 0
                && !walk_below(here.child[i], level - 1, from, base + here.added[i], visit))) {
            return false;
        }
    }
    return true;
}

}  // namespace schedfarm::engine
