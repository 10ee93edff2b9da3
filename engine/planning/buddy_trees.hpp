// Buddy trees over any number of processors: one aligned binary tree for each set bit of P, the
// largest first, as in distributed hierarchical control (Feitelson & Rudolph 1990; Wang,
// Papaefthymiou & Squillante 1997, section 2.6).
//
// Class i has the nodes k = 0 … ⌊P / 2^i⌋ − 1; node k is the processors k·2^i … (k + 1)·2^i − 1 and
// lies in one tree. Where P is no power of two, the root class above them has the single node 0:
// the whole machine. A job of p processors belongs to class ⌈log2 p⌉.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "engine/foundation/expect.hpp"

namespace schedfarm::engine {

/// A node of a class.
struct TreeNode {
    std::uint32_t node_class = 0;
    std::uint32_t node = 0;
    friend bool operator==(TreeNode, TreeNode) = default;
};

/// Nodes first … end − 1 of a class, at least one.
struct NodeRange {
    std::uint32_t first = 0;
    std::uint32_t end = 0;
    friend bool operator==(const NodeRange&, const NodeRange&) = default;
};

/// The shape of the trees; a value.
class BuddyTrees {
  public:
    struct Tree {
        std::uint32_t first = 0;  ///< processor
        std::uint32_t top = 0;    ///< class of the whole tree: it has 2^top processors
    };

    /// REQUIRES: processors ≥ 1.
    explicit BuddyTrees(std::uint32_t processors);

    std::uint32_t processors() const { return processors_; }
    const std::vector<Tree>& trees() const { return trees_; }
    bool has_root() const { return trees_.size() > 1; }
    /// With the root class, which is then the last.
    std::uint32_t classes() const { return classes_; }
    bool is_root(std::uint32_t node_class) const {
        return has_root() && node_class + 1 == classes_;
    }
    std::uint32_t node_count(std::uint32_t node_class) const {
        return is_root(node_class) ? 1 : processors_ >> node_class;
    }
    /// Processors of a node of this class.
    std::uint32_t node_size(std::uint32_t node_class) const {
        return is_root(node_class) ? processors_ : std::uint32_t{1} << node_class;
    }
    /// The nodes of a class inside a tree. REQUIRES: node_class ≤ tree.top.
    static NodeRange nodes_of(const Tree& tree, std::uint32_t node_class) {
        return {
            tree.first >> node_class, ((tree.first >> tree.top) + 1) << (tree.top - node_class)};
    }
    /// REQUIRES: 1 ≤ size ≤ processors().
    static std::uint32_t class_of(std::uint32_t size) {
        return static_cast<std::uint32_t>(std::bit_width(size - 1));
    }

  private:
    std::uint32_t processors_;
    std::vector<Tree> trees_;
    std::uint32_t classes_ = 0;
};

/// A set of nodes, one bit each: the nodes of class i stand at the bits of their first processors,
/// so that sets of one class and what is known of processors can be combined a word at a time. A
/// value. Cost: O(1) per node, O(range / 64) to look for nodes.
class NodeSet {
  public:
    static constexpr std::uint32_t word_bits = 64;

    explicit NodeSet(const BuddyTrees& trees)
        : root_(trees.has_root() ? trees.classes() - 1 : trees.classes())
        , words_(
              trees.classes(),
              std::vector<std::uint64_t>((trees.processors() + word_bits - 1) / word_bits)
          ) {}

    bool contains(std::uint32_t node_class, std::uint32_t node) const {
        const std::uint32_t at = position(node_class, node);
        return ((words_[node_class][at / word_bits] >> (at % word_bits)) & 1U) != 0;
    }
    void insert(std::uint32_t node_class, std::uint32_t node) {
        const std::uint32_t at = position(node_class, node);
        words_[node_class][at / word_bits] |= std::uint64_t{1} << (at % word_bits);
    }
    void erase(std::uint32_t node_class, std::uint32_t node) {
        const std::uint32_t at = position(node_class, node);
        words_[node_class][at / word_bits] &= ~(std::uint64_t{1} << (at % word_bits));
    }

    std::uint64_t word(std::uint32_t node_class, std::size_t index) const {
        return words_[node_class][index];
    }
    bool has_any(std::uint32_t node_class, NodeRange range) const {
        return find(
            node_class,
            range,
            [&](std::size_t index) { return word(node_class, index); },
            [](std::uint32_t) { return true; }
        );
    }
    /// Calls `action` with every node of the range in the set, ascending. It may erase that node.
    template <typename Action>
    void for_each(std::uint32_t node_class, NodeRange range, Action action) const {
        find(
            node_class,
            range,
            [&](std::size_t index) { return word(node_class, index); },
            [&](std::uint32_t node) {
                action(node);
                return false;
            }
        );
    }
    /// Whether `is_found` holds for a node of the range whose bit is set in the word that `words`
    /// gives for its index; it is asked in ascending order, up to the first that is found.
    template <typename Words, typename Predicate>
    bool find(std::uint32_t node_class, NodeRange range, Words words, Predicate is_found) const {
        const std::uint32_t shift = node_class == root_ ? 0 : node_class;
        const std::uint32_t first = range.first << shift;
        const std::uint32_t last = (range.end << shift) - 1;  // ranges are not empty
        for (std::uint32_t index = first / word_bits; index <= last / word_bits; ++index) {
            std::uint64_t bits = words(index);
            if (index == first / word_bits) {
                bits &= ~std::uint64_t{0} << (first % word_bits);
            }
            if (index == last / word_bits) {
                bits &= ~std::uint64_t{0} >> (word_bits - 1 - last % word_bits);
            }
            for (; bits != 0; bits &= bits - 1) {
                const auto bit = static_cast<std::uint32_t>(std::countr_zero(bits));
                if (is_found((index * word_bits + bit) >> shift)) {
                    return true;
                }
            }
        }
        return false;
    }

  private:
    std::uint32_t position(std::uint32_t node_class, std::uint32_t node) const {
        return node_class == root_ ? 0 : node << node_class;
    }

    std::uint32_t root_;                             // class, or one that there is not
    std::vector<std::vector<std::uint64_t>> words_;  // by class
};

/// Which nodes are bound to a job (nodes of several classes may overlap) and which processors are
/// busy. Cost: O(classes) to bind, O(size / 64) to occupy, O(range / 64) to search by first fit,
/// O(free nodes) by weight.
class BuddyNodes {
  public:
    explicit BuddyNodes(const BuddyTrees& trees);

    bool is_bound(std::uint32_t node_class, std::uint32_t node) const {
        return bound_.contains(node_class, node);
    }
    bool has_bound(std::uint32_t node_class, NodeRange range) const {
        return bound_.has_any(node_class, range);
    }
    bool has_unbound(std::uint32_t node_class, NodeRange range) const;
    /// REQUIRES: the node is in the opposite state.
    void bind(std::uint32_t node_class, std::uint32_t node);
    void unbind(std::uint32_t node_class, std::uint32_t node);
    /// Bound nodes in the node's subtree, itself included. REQUIRES: not the root class.
    std::uint32_t weight(std::uint32_t node_class, std::uint32_t node) const {
        return weight_[node_class][node];
    }

    /// Whether all processors of the node are idle.
    bool is_idle(std::uint32_t node_class, std::uint32_t node) const {
        bool is_idle = true;
        for_words(node_class, node, [&](std::size_t index, std::uint64_t bits) {
            is_idle = is_idle && (busy_[index] & bits) == 0;
        });
        return is_idle;
    }
    /// REQUIRES: the node is idle.
    void occupy(std::uint32_t node_class, std::uint32_t node) {
        for_words(node_class, node, [this](std::size_t index, std::uint64_t bits) {
            SCHEDFARM_EXPECT((busy_[index] & bits) == 0, "a node was occupied that is not idle");
            busy_[index] |= bits;
        });
    }
    /// Makes every processor idle.
    void release_all() { std::fill(busy_.begin(), busy_.end(), 0); }
    /// REQUIRES: the node was occupied as a whole.
    void release(std::uint32_t node_class, std::uint32_t node) {
        for_words(node_class, node, [this](std::size_t index, std::uint64_t bits) {
            busy_[index] &= ~bits;
        });
    }

    /// Calls `action` with every bound node of the range whose processors are all idle, ascending;
    /// it may occupy that node.
    template <typename Action>
    void for_bound_idle(std::uint32_t node_class, NodeRange range, Action action) const {
        const auto bound_idle = [&](std::size_t index) {
            const std::uint64_t bound = bound_.word(node_class, index);
            return bound == 0 ? bound : bound & idle_word(node_class, index);
        };
        bound_.find(node_class, range, bound_idle, [&](std::uint32_t node) {
            action(node);
            return false;
        });
    }
    /// The leftmost node of the ranges, in their order, that is neither bound nor busy.
    std::optional<std::uint32_t> first_fit(
        std::uint32_t node_class, std::span<const NodeRange> ranges
    ) const;
    /// The one of least weight among those; ties leftmost.
    std::optional<std::uint32_t> lightest(
        std::uint32_t node_class, std::span<const NodeRange> ranges
    ) const;

  private:
    // By the bits of NodeSet.
    std::uint64_t node_bits(std::uint32_t node_class, std::size_t index) const;
    std::uint64_t idle_word(std::uint32_t node_class, std::size_t index) const;
    std::uint64_t free_word(std::uint32_t node_class, std::size_t index) const {
        return ~bound_.word(node_class, index) & idle_word(node_class, index);
    }
    void add_weight(std::uint32_t node_class, std::uint32_t node, std::uint32_t amount);
    /// Calls `action` with the number of every word of the node and its bits in it.
    template <typename Action>
    void for_words(std::uint32_t node_class, std::uint32_t node, Action action) const {
        constexpr std::uint32_t word_bits = NodeSet::word_bits;
        std::uint32_t left = trees_.node_size(node_class);
        std::uint32_t first = node * left;
        while (left > 0) {
            const std::uint32_t offset = first % word_bits;
            const std::uint32_t count = std::min(left, word_bits - offset);
            action(first / word_bits, (~std::uint64_t{0} >> (word_bits - count)) << offset);
            first += count;
            left -= count;
        }
    }

    BuddyTrees trees_;
    NodeSet bound_;
    std::vector<std::vector<std::uint32_t>> weight_;  // by class and node
    std::vector<std::uint64_t> busy_;                 // a bit per processor
};

/// Idle blocks of a buddy system, best fit: a node comes out of the smallest block that holds it,
/// of equal blocks the leftmost. As long as nothing is given back there is at most one block of
/// each class, so that a node of 2^i processors is found if and only if as many are idle.
/// Cost: O(classes) per allocation, O(idle blocks) per release.
class BuddyBlocks {
  public:
    explicit BuddyBlocks(const BuddyTrees& trees);

    /// Makes every processor idle.
    void reset();
    /// The node taken; absent where no block is large enough. REQUIRES: not the root class.
    std::optional<std::uint32_t> allocate(std::uint32_t node_class) {
        const std::uint32_t large_enough = classes_ >> node_class;
        if (large_enough == 0) {
            return {};
        }
        auto from = node_class + static_cast<std::uint32_t>(std::countr_zero(large_enough));
        std::uint32_t node = leftmost_[from];
        take_leftmost(from);
        while (from > node_class) {  // right halves stay idle; there were no blocks of their size
            --from;
            node *= 2;
            leftmost_[from] = node + 1;
            classes_ += std::uint32_t{1} << from;
        }
        return node;
    }
    /// REQUIRES: the node was allocated.
    void release(std::uint32_t node_class, std::uint32_t node);

  private:
    void take_leftmost(std::uint32_t node_class) {
        std::vector<std::uint32_t>& others = others_[node_class];
        if (others.empty()) {
            classes_ -= std::uint32_t{1} << node_class;
        } else {
            leftmost_[node_class] = others.back();
            others.pop_back();
        }
    }
    bool take_if_idle(std::uint32_t node_class, std::uint32_t node);
    void add(std::uint32_t node_class, std::uint32_t node);

    BuddyTrees trees_;
    std::uint32_t classes_ = 0;                       // with idle nodes, a bit for each
    std::vector<std::uint32_t> leftmost_;             // by class: idle node, if there is one
    std::vector<std::vector<std::uint32_t>> others_;  // by class: idle nodes, descending
};

}  // namespace schedfarm::engine
