#include "engine/planning/buddy_trees.hpp"

#include <algorithm>
#include <functional>

#include "engine/foundation/expect.hpp"

namespace schedfarm::engine {

namespace {

constexpr std::uint32_t word_bits = NodeSet::word_bits;

std::uint64_t ones(std::uint32_t count) {
    return count >= word_bits ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1;
}

}  // namespace

BuddyTrees::BuddyTrees(std::uint32_t processors) : processors_(processors) {
    SCHEDFARM_EXPECT(processors >= 1, "buddy trees over no processors");
    std::uint32_t first = 0;
    for (std::uint32_t left = processors; left > 0;) {
        const auto top = static_cast<std::uint32_t>(std::bit_width(left) - 1);
        trees_.push_back({.first = first, .top = top});
        first += std::uint32_t{1} << top;
        left -= std::uint32_t{1} << top;
    }
    classes_ = class_of(processors) + 1;
}

BuddyNodes::BuddyNodes(const BuddyTrees& trees)
    : trees_(trees), bound_(trees), busy_((trees.processors() + word_bits - 1) / word_bits, 0) {
    for (std::uint32_t node_class = 0; node_class < trees.classes(); ++node_class) {
        weight_.emplace_back(trees.node_count(node_class), 0);
    }
}

// Up to the top of the node's tree: there the next class has no such node.
void BuddyNodes::add_weight(std::uint32_t node_class, std::uint32_t node, std::uint32_t amount) {
    for (; node_class < trees_.classes() && !trees_.is_root(node_class)
           && node < trees_.node_count(node_class);
         ++node_class, node /= 2) {
        weight_[node_class][node] += amount;
    }
}

void BuddyNodes::bind(std::uint32_t node_class, std::uint32_t node) {
    SCHEDFARM_EXPECT(!is_bound(node_class, node), "a node was bound twice");
    bound_.insert(node_class, node);
    add_weight(node_class, node, 1);
}

void BuddyNodes::unbind(std::uint32_t node_class, std::uint32_t node) {
    SCHEDFARM_EXPECT(is_bound(node_class, node), "a node was unbound that is not bound");
    bound_.erase(node_class, node);
    add_weight(node_class, node, -1U);
}

std::uint64_t BuddyNodes::node_bits(std::uint32_t node_class, std::size_t index) const {
    if (trees_.is_root(node_class)) {
        return index == 0 ? 1 : 0;
    }
    if ((std::uint32_t{1} << node_class) < word_bits) {
        return ~std::uint64_t{0} / ones(std::uint32_t{1} << node_class);
    }
    return index % ((std::uint32_t{1} << node_class) / word_bits) == 0 ? 1 : 0;
}

std::uint64_t BuddyNodes::idle_word(std::uint32_t node_class, std::size_t index) const {
    const std::uint64_t nodes = node_bits(node_class, index);
    if (!trees_.is_root(node_class) && (std::uint32_t{1} << node_class) < word_bits) {
        std::uint64_t idle = ~busy_[index];
        for (std::uint32_t i = 0; i < node_class; ++i) {  // both halves
            idle &= idle >> (std::uint32_t{1} << i);
        }
        return idle & nodes;
    }
    if (nodes == 0) {
        return 0;
    }
    const auto first = static_cast<std::uint32_t>(index * word_bits);
    return is_idle(node_class, first >> (trees_.is_root(node_class) ? 0 : node_class)) ? 1 : 0;
}

bool BuddyNodes::has_unbound(std::uint32_t node_class, NodeRange range) const {
    return bound_.find(
        node_class,
        range,
        [&](std::size_t index) {
            return node_bits(node_class, index) & ~bound_.word(node_class, index);
        },
        [](std::uint32_t) { return true; }
    );
}

std::optional<std::uint32_t> BuddyNodes::first_fit(
    std::uint32_t node_class, std::span<const NodeRange> ranges
) const {
    std::optional<std::uint32_t> first;
    const auto take = [&first](std::uint32_t node) {
        first = node;
        return true;
    };
    const auto free = [&](std::size_t index) {
        return free_word(node_class, index);
    };
    for (const NodeRange& range : ranges) {
        if (bound_.find(node_class, range, free, take)) {
            break;
        }
    }
    return first;
}

std::optional<std::uint32_t> BuddyNodes::lightest(
    std::uint32_t node_class, std::span<const NodeRange> ranges
) const {
    std::optional<std::uint32_t> best;
    const auto compare = [&](std::uint32_t node) {
        if (!best || weight_[node_class][node] < weight_[node_class][*best]) {
            best = node;
        }
        return false;
    };
    const auto free = [&](std::size_t index) {
        return free_word(node_class, index);
    };
    for (const NodeRange& range : ranges) {
        bound_.find(node_class, range, free, compare);
    }
    return best;
}

BuddyBlocks::BuddyBlocks(const BuddyTrees& trees)
    : trees_(trees), leftmost_(trees.classes()), others_(trees.classes()) {
    reset();
}

void BuddyBlocks::reset() {
    for (std::vector<std::uint32_t>& others : others_) {
        others.clear();
    }
    classes_ = trees_.processors();
    for (const BuddyTrees::Tree& tree : trees_.trees()) {
        leftmost_[tree.top] = tree.first >> tree.top;
    }
}

bool BuddyBlocks::take_if_idle(std::uint32_t node_class, std::uint32_t node) {
    if ((classes_ >> node_class & 1U) == 0) {
        return false;
    }
    if (leftmost_[node_class] == node) {
        take_leftmost(node_class);
        return true;
    }
    return std::erase(others_[node_class], node) > 0;
}

void BuddyBlocks::add(std::uint32_t node_class, std::uint32_t node) {
    std::uint32_t& leftmost = leftmost_[node_class];
    if ((classes_ >> node_class & 1U) != 0) {
        const std::uint32_t other = std::max(node, leftmost);
        std::vector<std::uint32_t>& others = others_[node_class];
        others.insert(
            std::lower_bound(others.begin(), others.end(), other, std::greater<>()), other
        );
        node = std::min(node, leftmost);
    }
    leftmost = node;
    classes_ |= std::uint32_t{1} << node_class;
}

void BuddyBlocks::release(std::uint32_t node_class, std::uint32_t node) {
    for (; take_if_idle(node_class, node ^ 1U); ++node_class) {  // a whole tree has no buddy
        node /= 2;
    }
    add(node_class, node);
}

}  // namespace schedfarm::engine
