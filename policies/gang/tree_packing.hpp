// Packing of gang-scheduled jobs into buddy trees so that processors are kept busy throughout the
// timeplexing cycle (Wang, Papaefthymiou & Squillante 1997, section 7, name the idea and no rule).
//
// Jobs are bound to nodes. In a slice the jobs of the class that it serves run; beside them
// parasites: bound jobs of other classes. Processors count as nodes do, a job's node as a whole.
// What is searched is all sets of parasites: since two nodes are either apart or one inside the
// other, the best a node can do is its own job or the best of its halves, which is exact. And where
// a job is bound: all nodes, for the sum over the slices of the cycle of what they would keep busy
// with the other jobs where they are.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "engine/planning/buddy_trees.hpp"

#include "policies/gang/gang.hpp"

namespace schedfarm::policies {

/// Which of two packings that keep as many processors busy: the one with smaller jobs or the one
/// with larger jobs, node by node from the top.
enum class PackingTie : std::uint8_t { leaves, root };

PackingTie packing_tie(const engine::Parameters& given);

class TreePacking {
  public:
    /// `cycle`: the row of each slice. Slices of the root class do not count.
    TreePacking(
        const engine::BuddyTrees& trees, const std::vector<std::uint32_t>& cycle, PackingTie tie
    );

    const engine::BuddyNodes& nodes() const { return nodes_; }
    /// Cost: O(classes²).
    void bind(engine::TreeNode at);
    void unbind(engine::TreeNode at);
    void occupy(engine::TreeNode at) { nodes_.occupy(at.node_class, at.node); }
    void release_all() { nodes_.release_all(); }
    void release(engine::TreeNode at) { nodes_.release(at.node_class, at.node); }

    /// Bound nodes, all of them idle and apart, that keep as many idle processors busy as any. From
    /// left to right. Not the root class. Cost: O(processors).
    std::vector<engine::TreeNode> parasites() const;

    /// Of the nodes that are neither bound nor busy the one that keeps the most processors busy in
    /// a cycle when it is bound; ties leftmost. Cost: O(nodes of the class · classes²).
    std::optional<std::uint32_t> best_node(
        std::uint32_t node_class, std::span<const engine::NodeRange> ranges
    ) const;

  private:
    using ByNode = std::vector<std::vector<std::uint32_t>>;  // by class and node

    void refresh(engine::TreeNode at);
    std::uint32_t halves(const ByNode& kept, std::uint32_t node_class, std::uint32_t node) const;
    std::uint32_t kept_by(
        std::uint32_t served,
        engine::TreeNode at,
        std::uint32_t in_halves,
        bool is_bound,
        bool has_served
    ) const;
    std::int64_t gain(engine::TreeNode at) const;
    std::uint32_t kept_with(std::uint32_t served, engine::TreeNode at, std::uint32_t top) const;
    void choose(const ByNode& kept, engine::TreeNode at, std::vector<engine::TreeNode>& chosen)
        const;

    engine::BuddyTrees trees_;
    PackingTie tie_;
    engine::BuddyNodes nodes_;
    std::vector<std::vector<std::int64_t>> weights_;  // by tree and class: slices that serve it
    std::vector<ByNode> kept_;   // by class served: processors kept busy in a slice of it
    std::vector<ByNode> bound_;  // by class: how many of its bound nodes are inside a node
};

}  // namespace schedfarm::policies
