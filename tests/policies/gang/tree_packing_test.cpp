// Tree packing against all sets of jobs, and the policy against a second-by-second reference (by
// hand: tests/cases).
#include "policies/gang/tree_packing.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include <doctest/doctest.h>

#include "tests/policies/gang/gang_cells.hpp"
#include "tests/policies/gang/plain_tree_packing.hpp"

namespace schedfarm::tests {

namespace {

using engine::TreeNode;
using policies::PackingTie;
using policies::TreePacking;

/// Few processors, for the reference is slow; in some cells up to 80.
GangCell random_packing_cell(std::uint64_t seed) {
    Dice dice(seed);
    GangCell cell = random_reading(dice);
    while (cell.cycle.processors > 16 && seed % 50 != 0) {
        cell = random_reading(dice);
    }
    return cell;
}

struct RandomTree {
    BuddyTrees trees;
    std::vector<TreeNode> bound;
};

RandomTree random_tree(Dice& dice) {
    RandomTree made{BuddyTrees(1 + dice.below(24)), {}};
    const std::uint32_t classes = made.trees.trees().front().top + 1;
    for (std::uint32_t i = 0; i < 12; ++i) {
        const std::uint32_t node_class = dice.below(classes);
        const TreeNode at{node_class, dice.below(made.trees.node_count(node_class))};
        if (std::find(made.bound.begin(), made.bound.end(), at) == made.bound.end()) {
            made.bound.push_back(at);
        }
    }
    return made;
}

bool are_apart(TreeNode a, TreeNode b) {
    const std::uint32_t up = std::max(a.node_class, b.node_class);
    return a.node >> (up - a.node_class) != b.node >> (up - b.node_class);
}

/// Processors of the best of all sets of these nodes that are apart from each other and `taken`.
std::uint32_t best_of_all(const std::vector<TreeNode>& bound, const std::vector<TreeNode>& taken) {
    std::uint32_t best = 0;
    for (std::uint32_t set = 0; set < 1U << bound.size(); ++set) {
        std::vector<TreeNode> chosen = taken;
        bool is_possible = true;
        std::uint32_t busy = 0;
        for (std::size_t i = 0; i < bound.size() && is_possible; ++i) {
            if ((set >> i & 1U) != 0) {
                for (const TreeNode other : chosen) {
                    is_possible = is_possible && are_apart(bound[i], other);
                }
                chosen.push_back(bound[i]);
                busy += 1U << bound[i].node_class;
            }
        }
        best = is_possible ? std::max(best, busy) : best;
    }
    return best;
}

}  // namespace

TEST_CASE("no set of bound jobs keeps more processors busy than the parasites") {
    for (std::uint64_t seed = 0; seed < 400; ++seed) {
        CAPTURE(seed);
        Dice dice(seed);
        const RandomTree tree = random_tree(dice);
        TreePacking packing(
            tree.trees, {0}, dice.below(2) == 0 ? PackingTie::leaves : PackingTie::root
        );
        for (const TreeNode at : tree.bound) {
            packing.bind(at);
        }
        std::vector<TreeNode> taken;
        if (dice.below(2) == 0) {
            taken.push_back(tree.bound.front());
            packing.occupy(taken.front());
        }
        std::vector<TreeNode> chosen = taken;
        std::uint32_t busy = 0;
        for (const TreeNode at : packing.parasites()) {
            for (const TreeNode other : chosen) {
                REQUIRE(are_apart(at, other));
            }
            chosen.push_back(at);
            busy += 1U << at.node_class;
        }
        REQUIRE(busy == best_of_all(tree.bound, taken));
    }
}

// With each class served once the sum over the cycle is, for each class, its bound nodes in the
// tree and the best of all sets beside them.
TEST_CASE("a job is bound where all nodes of its class keep no more processors busy in a cycle") {
    for (std::uint64_t seed = 0; seed < 400; ++seed) {
        CAPTURE(seed);
        Dice dice(seed);
        const RandomTree tree = random_tree(dice);
        const std::uint32_t classes = tree.trees.trees().front().top + 1;
        std::vector<std::uint32_t> cycle;
        for (std::uint32_t row = 0; row < classes; ++row) {
            cycle.push_back(row);
        }
        const auto busy_in_cycle = [&](const std::vector<TreeNode>& bound) {
            std::int64_t sum = 0;
            for (const std::uint32_t row : cycle) {
                std::vector<TreeNode> own;
                for (const TreeNode at : bound) {
                    for (const BuddyTrees::Tree& in : tree.trees.trees()) {
                        const std::uint32_t first = at.node << at.node_class;
                        if (first >= in.first && first < in.first + (1U << in.top)
                            && at.node_class == policies::served_class(in, row)) {
                            own.push_back(at);
                            sum += 1U << at.node_class;
                        }
                    }
                }
                sum += best_of_all(bound, own);
            }
            return sum;
        };
        TreePacking packing(tree.trees, cycle, PackingTie::leaves);
        std::vector<TreeNode> bound;
        for (std::size_t i = 0; i + 1 < tree.bound.size() && i < 8; ++i) {
            packing.bind(tree.bound[i]);
            bound.push_back(tree.bound[i]);
        }
        const std::uint32_t wanted = tree.bound.back().node_class;
        const NodeRange all{0, tree.trees.node_count(wanted)};
        const auto require_best = [&] {
            std::optional<std::uint32_t> best;
            std::int64_t most = -1;
            for (std::uint32_t node = 0; node < all.end; ++node) {
                if (std::find(bound.begin(), bound.end(), TreeNode{wanted, node}) == bound.end()) {
                    bound.push_back({wanted, node});
                    if (busy_in_cycle(bound) > most) {
                        most = busy_in_cycle(bound);
                        best = node;
                    }
                    bound.pop_back();
                }
            }
            const auto found = packing.best_node(wanted, {&all, 1});
            REQUIRE(found == best);
            return found;
        };
        const TreeNode next{wanted, require_best().value()};
        packing.bind(next);
        bound.push_back(next);
        require_best();
        packing.unbind(next);
        bound.pop_back();
        require_best();
    }
}

TEST_CASE("tree packing completes every job when the reference does") {
    for (std::uint64_t seed = 0; seed < 2000; ++seed) {
        CAPTURE(seed);
        const GangCell cell = random_packing_cell(seed);
        const bool leaves_first = seed % 2 == 0;
        REQUIRE(
            completions(cell, "tree_packing_gang", "order", leaves_first ? "leaves" : "root")
            == PlainTreePacking(cell.cycle, cell.jobs, leaves_first).completions()
        );
    }
}

TEST_CASE("tree packing doubles all completions with all times") {
    for (std::uint64_t seed = 0; seed < 500; ++seed) {
        CAPTURE(seed);
        expect_doubled(random_packing_cell(seed), "tree_packing_gang", "order", "leaves");
    }
}

}  // namespace schedfarm::tests
