#include "engine/planning/buddy_trees.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "engine/foundation/expect.hpp"
#include "engine/foundation/hash.hpp"

#include "tests/support/long_form.hpp"

namespace {

using namespace schedfarm::engine;  // NOLINT(google-build-using-namespace)

constexpr std::optional<std::uint32_t> none = std::nullopt;

/// Everything by looking at processors one by one.
class PlainNodes {
  public:
    explicit PlainNodes(const BuddyTrees& trees) : trees_(trees), busy_(trees.processors()) {}

    using Node = std::pair<std::uint32_t, std::uint32_t>;  // class, node
    std::vector<Node> bound;

    std::vector<std::uint32_t> processors_of(Node node) const {
        std::vector<std::uint32_t> found;
        for (std::uint32_t p = 0; p < trees_.processors(); ++p) {
            if (trees_.is_root(node.first) || p / trees_.node_size(node.first) == node.second) {
                found.push_back(p);
            }
        }
        return found;
    }
    void set(Node node, bool is_busy) {
        for (const std::uint32_t p : processors_of(node)) {
            busy_[p] = is_busy;
        }
    }
    bool is_idle(Node node) const {
        const auto processors = processors_of(node);
        return std::none_of(processors.begin(), processors.end(), [this](std::uint32_t p) {
            return busy_[p];
        });
    }
    bool is_bound(Node node) const {
        return std::find(bound.begin(), bound.end(), node) != bound.end();
    }
    std::uint32_t weight(Node node) const {
        const auto inside = processors_of(node);
        std::uint32_t sum = 0;
        for (const Node& one : bound) {
            const bool is_within =
                !trees_.is_root(one.first)
                && std::find(inside.begin(), inside.end(), processors_of(one).front())
                       != inside.end();
            sum += is_within && one.first <= node.first ? 1U : 0U;
        }
        return sum;
    }

    std::vector<std::uint32_t> free_nodes(std::uint32_t node_class) const {
        std::vector<std::uint32_t> found;
        for (std::uint32_t node = 0; node < trees_.node_count(node_class); ++node) {
            if (!is_bound({node_class, node}) && is_idle({node_class, node})) {
                found.push_back(node);
            }
        }
        return found;
    }
    /// Of the idle nodes the one whose largest idle surrounding node is smallest.
    std::optional<std::uint32_t> best_fit(std::uint32_t node_class) const {
        const std::uint32_t top = trees_.trees().front().top;
        for (std::uint32_t around = node_class; around <= top; ++around) {
            for (std::uint32_t node = 0; node < trees_.node_count(node_class); ++node) {
                const std::uint32_t block = node >> (around - node_class);
                if (block < trees_.node_count(around) && is_largest_idle({around, block})) {
                    return node;
                }
            }
        }
        return {};
    }

  private:
    bool is_largest_idle(Node node) const {
        const Node parent{node.first + 1, node.second / 2};
        const bool has_parent = node.first < trees_.trees().front().top
                                && parent.second < trees_.node_count(parent.first);
        return is_idle(node) && !(has_parent && is_idle(parent));
    }

    BuddyTrees trees_;
    std::vector<bool> busy_;
};

class Numbers {
  public:
    explicit Numbers(std::uint64_t seed) : state_(mix(seed + 1)) {}
    std::uint32_t below(std::uint32_t n) {
        state_ = mix(state_ + 0x9e3779b97f4a7c15U);
        return static_cast<std::uint32_t>((state_ >> 32) % n);
    }

  private:
    std::uint64_t state_;
};

/// Binds, unbinds, occupies and releases at random, in both ways.
class RandomUse {
  public:
    explicit RandomUse(std::uint64_t seed)
        : numbers(seed), trees(1 + numbers.below(200)), nodes(trees), plain(trees) {}

    void step() {
        const std::uint32_t node_class = numbers.below(trees.classes());
        const PlainNodes::Node node{node_class, numbers.below(trees.node_count(node_class))};
        if (plain.is_bound(node)) {
            nodes.unbind(node.first, node.second);
            std::erase(plain.bound, node);
        } else if (numbers.below(2) == 0) {
            nodes.bind(node.first, node.second);
            plain.bound.push_back(node);
        }
        if (plain.is_idle(node) && numbers.below(3) != 0) {
            nodes.occupy(node.first, node.second);
            plain.set(node, true);
            busy_.push_back(node);
        } else if (!busy_.empty() && numbers.below(2) == 0) {
            nodes.release(busy_.back().first, busy_.back().second);
            plain.set(busy_.back(), false);
            busy_.pop_back();
        }
    }

    Numbers numbers;
    BuddyTrees trees;
    BuddyNodes nodes;
    PlainNodes plain;

  private:
    std::vector<PlainNodes::Node> busy_;
};

void check_searches(const RandomUse& use, std::uint32_t node_class) {
    const NodeRange all{0, use.trees.node_count(node_class)};
    const std::vector<std::uint32_t> free = use.plain.free_nodes(node_class);
    REQUIRE(
        use.nodes.first_fit(node_class, {&all, 1}) == (free.empty() ? none : std::optional(free[0]))
    );
    if (use.trees.is_root(node_class)) {
        return;
    }
    std::optional<std::uint32_t> lightest;
    for (std::uint32_t node = 0; node < all.end; ++node) {
        const PlainNodes::Node one{node_class, node};
        REQUIRE(use.nodes.weight(node_class, node) == use.plain.weight(one));
        REQUIRE(use.nodes.is_idle(node_class, node) == use.plain.is_idle(one));
    }
    for (const std::uint32_t node : free) {
        const std::uint32_t weight = use.plain.weight({node_class, node});
        if (!lightest || weight < use.plain.weight({node_class, *lightest})) {
            lightest = node;
        }
    }
    REQUIRE(use.nodes.lightest(node_class, {&all, 1}) == lightest);
}

/// Every part of the class, node by node.
void check_bound(const RandomUse& use, std::uint32_t node_class) {
    const std::uint32_t count = use.trees.node_count(node_class);
    for (std::uint32_t first = 0; first < count; ++first) {
        std::uint32_t bound = 0;
        std::vector<std::uint32_t> bound_idle;
        for (std::uint32_t node = first; node < count; ++node) {
            const PlainNodes::Node one{node_class, node};
            bound += use.plain.is_bound(one) ? 1U : 0U;
            if (use.plain.is_bound(one) && use.plain.is_idle(one)) {
                bound_idle.push_back(node);
            }
            const NodeRange range{first, node + 1};
            std::vector<std::uint32_t> found;
            use.nodes.for_bound_idle(node_class, range, [&found](std::uint32_t next) {
                found.push_back(next);
            });
            const bool is_same =
                found == bound_idle && use.nodes.has_bound(node_class, range) == (bound > 0)
                && use.nodes.has_unbound(node_class, range) == (bound <= node - first);
            REQUIRE(is_same);
        }
    }
}

/// Allocations at random, given back at random too or not at all.
void check_best_fit(std::uint64_t seed) {
    Numbers numbers(seed);
    const BuddyTrees trees(1 + numbers.below(150));
    BuddyBlocks blocks(trees);
    PlainNodes plain(trees);
    std::vector<PlainNodes::Node> taken;
    const bool gives_back = seed % 2 == 0;
    std::uint32_t idle = trees.processors();
    for (int step = 0; step < 40; ++step) {
        const std::uint32_t node_class = numbers.below(trees.trees().front().top + 1);
        if (gives_back && !taken.empty() && numbers.below(3) == 0) {
            const auto place = numbers.below(static_cast<std::uint32_t>(taken.size()));
            std::swap(taken[place], taken.back());
            blocks.release(taken.back().first, taken.back().second);
            plain.set(taken.back(), false);
            taken.pop_back();
            continue;
        }
        const auto node = blocks.allocate(node_class);
        REQUIRE(node == plain.best_fit(node_class));
        REQUIRE((gives_back || node.has_value() == (trees.node_size(node_class) <= idle)));
        if (node) {
            taken.emplace_back(node_class, *node);
            plain.set(taken.back(), true);
            idle -= trees.node_size(node_class);
        }
    }
}

}  // namespace

TEST_CASE("320 processors are a tree of 256 and one of 64 under a root") {
    const BuddyTrees trees(320);
    REQUIRE(trees.trees().size() == 2);
    CHECK(trees.trees()[0].first == 0);
    CHECK(trees.trees()[0].top == 8);
    CHECK(trees.trees()[1].first == 256);
    CHECK(trees.trees()[1].top == 6);
    CHECK(trees.classes() == 10);
    CHECK(trees.is_root(9));
    CHECK(trees.node_count(9) == 1);
    CHECK(trees.node_size(9) == 320);
    CHECK(trees.node_count(6) == 5);
    CHECK(BuddyTrees::nodes_of(trees.trees()[0], 6) == NodeRange{0, 4});
    CHECK(BuddyTrees::nodes_of(trees.trees()[1], 6) == NodeRange{4, 5});
    CHECK(BuddyTrees::nodes_of(trees.trees()[1], 0) == NodeRange{256, 320});
}

TEST_CASE("a power of two has one tree and no root") {
    const BuddyTrees trees(4);
    CHECK(trees.trees().size() == 1);
    CHECK(trees.classes() == 3);
    CHECK_FALSE(trees.is_root(2));
    CHECK(BuddyTrees(1).classes() == 1);
    CHECK(BuddyTrees(7).trees().size() == 3);
    CHECK(BuddyTrees(7).classes() == 4);
    CHECK_THROWS_AS(BuddyTrees(0), ContractViolation);
}

TEST_CASE("the class of a job is the logarithm of its size rounded up") {
    CHECK(BuddyTrees::class_of(1) == 0);
    CHECK(BuddyTrees::class_of(2) == 1);
    CHECK(BuddyTrees::class_of(3) == 2);
    CHECK(BuddyTrees::class_of(64) == 6);
    CHECK(BuddyTrees::class_of(65) == 7);
    CHECK(BuddyTrees::class_of(257) == 9);
}

// 6 processors: trees 0–3 and 4–5. Bound: class 0 on 0, class 1 on 1 (2–3), class 2 on 0 (0–3).
TEST_CASE("weights count the jobs bound in the subtree") {
    const BuddyTrees trees(6);
    BuddyNodes nodes(trees);
    nodes.bind(0, 0);
    nodes.bind(1, 1);
    nodes.bind(2, 0);
    nodes.bind(3, 0);  // the root: in no tree
    CHECK(nodes.weight(2, 0) == 3);
    CHECK(nodes.weight(1, 0) == 1);
    CHECK(nodes.weight(1, 1) == 1);
    CHECK(nodes.weight(1, 2) == 0);
    CHECK(nodes.weight(0, 2) == 0);
    const NodeRange all{0, 3};
    CHECK(nodes.first_fit(1, {&all, 1}) == 0U);  // node 1 of class 1 is bound, 0 is not
    CHECK(nodes.lightest(1, {&all, 1}) == 2U);
    const NodeRange left{0, 2};
    CHECK(nodes.lightest(1, {&left, 1}) == 0U);
    // Ranges are looked at in their order.
    const std::vector<NodeRange> parts = {{2, 3}, {0, 2}};
    CHECK(nodes.first_fit(1, parts) == 2U);
    nodes.occupy(1, 2);
    CHECK(nodes.first_fit(1, parts) == 0U);
    nodes.release(1, 2);
    nodes.unbind(0, 0);
    CHECK(nodes.weight(2, 0) == 2);
    CHECK_THROWS_AS(nodes.unbind(0, 0), ContractViolation);
    CHECK_THROWS_AS(nodes.bind(1, 1), ContractViolation);
}

TEST_CASE("busy processors keep a node from being found") {
    const BuddyTrees trees(6);
    BuddyNodes nodes(trees);
    nodes.occupy(0, 1);
    CHECK_FALSE(nodes.is_idle(1, 0));
    CHECK_FALSE(nodes.is_idle(3, 0));
    CHECK(nodes.is_idle(1, 1));
    const NodeRange all{0, 3};
    CHECK(nodes.first_fit(1, {&all, 1}) == 1U);
    CHECK_THROWS_AS(nodes.occupy(2, 0), ContractViolation);
    nodes.release(0, 1);
    CHECK(nodes.is_idle(3, 0));
    nodes.occupy(3, 0);
    CHECK_FALSE(nodes.is_idle(0, 5));
    CHECK(nodes.first_fit(1, {&all, 1}) == none);
}

// 6 processors. 1: out of the block 4–5. 2: 0–1 out of 0–3, for 5 is alone. 1: the 5 left over.
// 2: 2–3. 1: none left. Given back: 2–3 and 0–1 make the tree again.
TEST_CASE("best fit takes from the smallest block that holds the node") {
    BuddyBlocks blocks{BuddyTrees(6)};
    CHECK(blocks.allocate(0) == 4U);
    CHECK(blocks.allocate(1) == 0U);
    CHECK(blocks.allocate(0) == 5U);
    CHECK(blocks.allocate(1) == 1U);
    CHECK(blocks.allocate(0) == none);
    blocks.release(1, 1);
    CHECK(blocks.allocate(2) == none);
    blocks.release(1, 0);
    CHECK(blocks.allocate(2) == 0U);
}

TEST_CASE("searches agree with looking at every processor") {
    for (std::uint64_t seed = 0; seed < schedfarm::tests::short_or_long(100U, 300U); ++seed) {
        CAPTURE(seed);
        RandomUse use(seed);
        for (int step = 0; step < 60; ++step) {
            use.step();
            check_searches(use, use.numbers.below(use.trees.classes()));
        }
        for (std::uint32_t node_class = 0; node_class < use.trees.classes(); ++node_class) {
            check_bound(use, node_class);
        }
    }
}

TEST_CASE("best fit agrees with looking at every node and finds whatever fits by number") {
    for (std::uint64_t seed = 0; seed < schedfarm::tests::short_or_long(130U, 400U); ++seed) {
        CAPTURE(seed);
        check_best_fit(seed);
    }
}
