// Gang scheduling with tree packing, by hand and against a second-by-second reference; and the
// packing against all sets of jobs. T = 30 and c = 1 on 4 processors, so that classes 2, 1 and 0
// have slices of 10 s from 0, 10 and 20 on, where nothing else is said.
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

using PlainJobs = std::vector<PlainJob>;
using engine::TreeNode;
using policies::PackingTie;
using policies::TreePacking;

Times packed(
    const PlainJobs& jobs,
    const char* order = "leaves",
    std::uint32_t processors = 4,
    double cycle = 30
) {
    return gang_completions(
        gang_policy("tree_packing_gang", cycle, 1, "order", order), processors, jobs
    );
}

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

// Class 2 at 0: job 0 1–10 (9 of 12). Class 1 at 10: nobody of it; of jobs 0 and 1 (queued) the
// bound one, 11–14. Class 0 at 20: job 1 21–25.
TEST_CASE("bound jobs are parasites before queued ones are") {
    CHECK(packed({plain_job(0, 4, 12), plain_job(0, 1, 4)}) == Times{14, 25});
}

// Class 2 at 0: job 1 of class 1 is the larger and gets 0–1, jobs 0 and 2 get 2 and 3, all 1–10 (9
// of 20). Class 1 at 10: the same three, 18 of 20; class 0 at 20: 21–23.
TEST_CASE("queued jobs fill a slice from the largest class on") {
    CHECK(
        packed({plain_job(0, 1, 20), plain_job(0, 2, 20), plain_job(0, 1, 20)}) == Times{23, 23, 23}
    );
}

// Slice 0: jobs 0 and 1 on 0–1 and 2–3 (9 of 20). At 10 class 1: both again (18). At 20 class 0:
// job 2 came at 12, and parasites come first: 21–23 both. At 30 class 2: job 2 31–34.
TEST_CASE("queues come after the parasites") {
    CHECK(
        packed({plain_job(0, 2, 20), plain_job(0, 2, 20), plain_job(12, 4, 3)}) == Times{23, 23, 34}
    );
}

// Job 0 has 9 of 30 at 10. Class 1 at 10: jobs 1 and 2 on 0–1 and 2–3, 9 of 12. Class 0 at 20:
// nobody of it, and jobs 1 and 2 keep as many busy as job 0. Leaves: they end at 24; job 0 at 30,
// 40 and 50: 51–54. Root: job 0 18 at 30, 27 at 40; class 1 at 40: 41–44; job 0 51–54.
TEST_CASE("of parasites that keep as many busy the order decides") {
    const PlainJobs jobs = {plain_job(0, 4, 30), plain_job(5, 2, 12), plain_job(5, 2, 12)};
    CHECK(packed(jobs) == Times{54, 24, 24});
    CHECK(packed(jobs, "root") == Times{54, 44, 44});
}

// 8 processors, T = 40. Job 0 of class 2 is bound to 0–3 at 0 and a parasite of every slice: 9, 18,
// 27 of 30. Class 0 at 30: on 0–3 job 1 would stop it, on 4–7 both run: 31–34.
TEST_CASE("a job is bound where it leaves room for parasites") {
    CHECK(packed({plain_job(0, 4, 30), plain_job(25, 1, 3)}, "leaves", 8, 40) == Times{34, 34});
}

// 6 processors, T = 40. The root class at 0: job 0 alone, 1–4, and nothing follows in mid-slice.
// Row (2 | 0) at 10: job 1 11–15.
TEST_CASE("a job of the root class has the machine to itself") {
    CHECK(packed({plain_job(0, 5, 3), plain_job(0, 2, 4)}, "leaves", 6, 40) == Times{4, 15});
}

// Job 0 ends at 4 and leaves its processors to job 1: 4–8. Otherwise it waits until 10: 11–15.
TEST_CASE("processors that become free are packed again where that is asked for") {
    const PlainJobs jobs = {plain_job(0, 4, 3), plain_job(2, 1, 4)};
    CHECK(packed(jobs) == Times{4, 15});
    CHECK(
        gang_completions(gang_policy("tree_packing_gang", 30, 1, "mid_slice", "refill"), 4, jobs)
        == Times{4, 8}
    );
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
