#include "policies/gang/tree_packing.hpp"

#include <algorithm>

namespace schedfarm::policies {

using namespace engine;  // NOLINT(google-build-using-namespace)

namespace {

std::size_t tree_of(const BuddyTrees& trees, TreeNode at) {
    std::size_t tree = trees.trees().size() - 1;
    while (trees.trees()[tree].first > at.node << at.node_class) {
        --tree;
    }
    return tree;
}

}  // namespace

TreePacking::TreePacking(
    const BuddyTrees& trees, const std::vector<std::uint32_t>& cycle, PackingTie tie
)
    : trees_(trees), tie_(tie), nodes_(trees) {
    const std::uint32_t classes = trees.trees().front().top + 1;
    ByNode none;
    for (std::uint32_t node_class = 0; node_class < classes; ++node_class) {
        none.emplace_back(trees.node_count(node_class), 0);
    }
    kept_.assign(classes, none);
    bound_.assign(classes, none);
    for (const BuddyTrees::Tree& tree : trees.trees()) {
        std::vector<std::int64_t>& weights = weights_.emplace_back(tree.top + 1, 0);
        for (const std::uint32_t row : cycle) {
            if (!trees.is_root(row)) {
                ++weights[served_class(tree, row)];
            }
        }
    }
}

std::uint32_t TreePacking::halves(const ByNode& kept, std::uint32_t node_class, std::uint32_t node)
    const {
    const std::size_t left = std::size_t{2} * node;
    return node_class == 0 ? 0 : kept[node_class - 1][left] + kept[node_class - 1][left + 1];
}

/// In a slice of the class `served`: its own jobs run, nothing above them, the best beside them.
std::uint32_t TreePacking::kept_by(
    std::uint32_t served, TreeNode at, std::uint32_t in_halves, bool is_bound, bool has_served
) const {
    const std::uint32_t own = is_bound ? trees_.node_size(at.node_class) : 0;
    if (at.node_class == served) {
        return is_bound ? own : in_halves;
    }
    return at.node_class > served && has_served ? in_halves : std::max(own, in_halves);
}

void TreePacking::refresh(TreeNode at) {
    const std::uint32_t top = trees_.trees()[tree_of(trees_, at)].top;
    for (std::uint32_t served = 0; served <= top; ++served) {
        for (TreeNode up = at; up.node_class <= top; ++up.node_class, up.node /= 2) {
            kept_[served][up.node_class][up.node] = kept_by(
                served,
                up,
                halves(kept_[served], up.node_class, up.node),
                nodes_.is_bound(up.node_class, up.node),
                bound_[served][up.node_class][up.node] > 0
            );
        }
    }
}

void TreePacking::bind(TreeNode at) {
    nodes_.bind(at.node_class, at.node);
    if (trees_.is_root(at.node_class)) {
        return;
    }
    const std::uint32_t top = trees_.trees()[tree_of(trees_, at)].top;
    for (TreeNode up = at; up.node_class <= top; ++up.node_class, up.node /= 2) {
        ++bound_[at.node_class][up.node_class][up.node];
    }
    refresh(at);
}

void TreePacking::unbind(TreeNode at) {
    nodes_.unbind(at.node_class, at.node);
    if (trees_.is_root(at.node_class)) {
        return;
    }
    const std::uint32_t top = trees_.trees()[tree_of(trees_, at)].top;
    for (TreeNode up = at; up.node_class <= top; ++up.node_class, up.node /= 2) {
        --bound_[at.node_class][up.node_class][up.node];
    }
    refresh(at);
}

/// What the whole tree would keep busy in a slice of the class `served` if the node were bound.
std::uint32_t TreePacking::kept_with(std::uint32_t served, TreeNode at, std::uint32_t top) const {
    const ByNode& kept = kept_[served];
    const bool is_served = at.node_class == served;
    std::uint32_t with = kept_by(
        served,
        at,
        halves(kept, at.node_class, at.node),
        true,
        bound_[served][at.node_class][at.node] > 0
    );
    while (at.node_class < top) {
        const std::uint32_t both = with + kept[at.node_class][at.node ^ 1U];
        at = {at.node_class + 1, at.node / 2};
        with = kept_by(
            served,
            at,
            both,
            nodes_.is_bound(at.node_class, at.node),
            is_served || bound_[served][at.node_class][at.node] > 0
        );
    }
    return with;
}

std::int64_t TreePacking::gain(TreeNode at) const {
    const std::size_t tree = tree_of(trees_, at);
    const std::uint32_t top = trees_.trees()[tree].top;
    std::int64_t sum = 0;
    for (std::uint32_t served = 0; served <= top; ++served) {
        const std::uint32_t without = kept_[served][top][at.node >> (top - at.node_class)];
        sum += weights_[tree][served] * (std::int64_t{kept_with(served, at, top)} - without);
    }
    return sum;
}

std::optional<std::uint32_t> TreePacking::best_node(
    std::uint32_t node_class, std::span<const NodeRange> ranges
) const {
    std::optional<std::uint32_t> best;
    std::int64_t most = 0;
    for (const NodeRange& range : ranges) {
        for (std::uint32_t node = range.first; node < range.end; ++node) {
            if (nodes_.is_bound(node_class, node) || !nodes_.is_idle(node_class, node)) {
                continue;
            }
            const std::int64_t gained = trees_.is_root(node_class) ? 0 : gain({node_class, node});
            if (!best || gained > most) {
                best = node;
                most = gained;
            }
        }
    }
    return best;
}

void TreePacking::choose(const ByNode& kept, TreeNode at, std::vector<TreeNode>& chosen) const {
    const std::uint32_t in_halves = halves(kept, at.node_class, at.node);
    const std::uint32_t best = kept[at.node_class][at.node];
    if (best == 0) {
        return;
    }
    const bool is_tied = in_halves == trees_.node_size(at.node_class)
                         && nodes_.is_bound(at.node_class, at.node)
                         && nodes_.is_idle(at.node_class, at.node);
    const bool is_own =
        at.node_class == 0 || in_halves < best || (is_tied && tie_ == PackingTie::root);
    if (is_own) {
        chosen.push_back(at);
        return;
    }
    choose(kept, {at.node_class - 1, 2 * at.node}, chosen);
    choose(kept, {at.node_class - 1, 2 * at.node + 1}, chosen);
}

std::vector<TreeNode> TreePacking::parasites() const {
    ByNode kept;
    for (std::uint32_t i = 0; i <= trees_.trees().front().top; ++i) {
        kept.emplace_back(trees_.node_count(i), 0);
        for (std::uint32_t node = 0; node < trees_.node_count(i); ++node) {
            const bool has_own = nodes_.is_bound(i, node) && nodes_.is_idle(i, node);
            const std::uint32_t own = has_own ? trees_.node_size(i) : 0;
            kept[i][node] = std::max(own, halves(kept, i, node));
        }
    }
    std::vector<TreeNode> chosen;
    for (const BuddyTrees::Tree& tree : trees_.trees()) {
        choose(kept, {tree.top, tree.first >> tree.top}, chosen);
    }
    return chosen;
}

}  // namespace schedfarm::policies
