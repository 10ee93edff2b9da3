// Which nodes a job gets, and how many CPUs of each, by hand: as select/cons_tres of Slurm 22.05
// has it (_eval_nodes, choose_nodes, _cpus_to_use, dist_tasks_compute_c_b).
#include "policies/slurm/node_choice.hpp"

#include <map>
#include <string>
#include <vector>

#include <doctest/doctest.h>

namespace schedfarm::tests {

namespace {

using namespace policies::slurm;  // NOLINT(google-build-using-namespace)

using Shares = std::map<std::size_t, std::uint32_t>;  ///< CPUs by node

struct Machine {
    explicit Machine(const std::vector<std::uint32_t>& cpus, std::uint32_t threads = 1) {
        for (const std::uint32_t count : cpus) {
            nodes.push_back({.name = "n", .cpus = count, .threads = threads, .memory = 1000});
        }
    }
    /// Of all nodes but some. Empty: the job gets none.
    Shares choose(const Request& request, const std::vector<std::size_t>& without = {}) const {
        FreeNodes free(nodes);
        NodeSet candidates = NodeSet::all(nodes.size());
        for (const std::size_t node : without) {
            candidates.erase(node);
        }
        const auto holding = free.choose(request, candidates);
        Shares found;
        std::size_t k = 0;
        if (holding) {
            holding->nodes.for_each([&](std::size_t node) {
                found[node] = holding->shares.empty() ? 0 : holding->shares[k++].cpus;
            });
        }
        return found;
    }

    std::vector<Node> nodes = {};
};

TEST_CASE("a node is taken for the CPUs that it has, also where they are no whole tasks") {
    // Three tasks of 3 CPUs: 5 and 4 of the 9 are taken. A task on each, and the third has the two
    // that are left of the first: 8 in all.
    CHECK(
        Machine({5, 7}).choose({.cpus = 9, .tasks = 3, .cpus_per_task = 3})
        == Shares{{0, 5}, {1, 3}}
    );
    // 2 CPUs are none for a task of 3.
    CHECK(Machine({2, 7}).choose({.cpus = 6, .tasks = 2, .cpus_per_task = 3}) == Shares{{1, 6}});
}

TEST_CASE("of runs of neighbours the smallest that suffices, else the largest") {
    // 3 | 2 2 | 9
    const Machine machine({3, 7, 2, 2, 7, 9});
    const std::vector<std::size_t> gaps{1, 4};
    CHECK(machine.choose({.cpus = 3, .tasks = 3}, gaps) == Shares{{0, 3}});
    CHECK(machine.choose({.cpus = 4, .tasks = 4}, gaps) == Shares{{2, 2}, {3, 2}});
    CHECK(machine.choose({.cpus = 8, .tasks = 8}, gaps) == Shares{{5, 8}});
    CHECK(machine.choose({.cpus = 12, .tasks = 12}, gaps) == Shares{{0, 3}, {5, 9}});
}

TEST_CASE("memory for each CPU leaves whole tasks and cores") {
    // 1000 MB are 3 CPUs of 300 MB, of which tasks of two take 2.
    const Request asked{.cpus = 6, .tasks = 3, .cpus_per_task = 2, .memory_per_cpu = 300};
    CHECK(Machine({5, 6, 7}).choose(asked) == Shares{{0, 2}, {1, 2}, {2, 2}});
    const Request plain{.cpus = 5, .tasks = 5, .memory_per_cpu = 300};
    CHECK(Machine({4, 6, 8}, 2).choose(plain) == Shares{{0, 2}, {1, 2}, {2, 2}});
    CHECK(Machine({4, 6, 8}).choose(plain) == Shares{{0, 3}, {1, 2}});
    CHECK(Machine({5, 6}).choose({.cpus = 2, .memory_per_node = all_memory}) == Shares{{0, 2}});
}

TEST_CASE("nodes with few CPUs are left out where those that may be taken do not suffice") {
    // Two nodes with 7 CPUs: the first has 2, and no other one 5.
    Request asked{.nodes = 2, .wanted_nodes = 2, .max_nodes = 2, .cpus = 7, .tasks = 7};
    CHECK(Machine({2, 3, 4}).choose(asked) == Shares{{1, 3}, {2, 4}});
    CHECK(Machine({2, 3, 5}).choose(asked) == Shares{{0, 2}, {2, 5}});
    CHECK(Machine({2, 3, 3}).choose(asked).empty());
    asked.cpus = asked.tasks = 8;
    CHECK(Machine({3, 4, 4}).choose(asked) == Shares{{1, 4}, {2, 4}});
}

TEST_CASE("a job has no more nodes than tasks") {
    CHECK(Machine({3, 2, 6}).choose({.cpus = 5, .tasks = 2}) == Shares{{2, 5}});
    const Request asked{.cpus = 7, .tasks = 2, .memory_per_node = 9};
    CHECK(Machine({3, 1, 4}).choose(asked) == Shares{{0, 3}, {2, 4}});
    CHECK(Machine({3, 2, 3}).choose({.cpus = 7, .tasks = 2}).empty());
}

TEST_CASE("one node: that with the fewest CPUs that suffice") {
    const Request asked{.wanted_nodes = 1, .max_nodes = 1, .cpus = 3, .tasks = 3};
    CHECK(Machine({7, 4, 5, 2}).choose(asked) == Shares{{1, 3}});
    // 2 is too few to be in a run: 4 is the smallest, and not 5.
    CHECK(Machine({2, 4, 8, 5}).choose(asked, {2}) == Shares{{1, 3}});
}

TEST_CASE("as many nodes as are wanted, else as are there") {
    const Request asked{
        .nodes = 2, .wanted_nodes = 4, .max_nodes = 4, .cpus = 2, .whole_nodes = true};
    CHECK(Machine({8, 8, 8, 8, 8}).choose(asked).size() == 4);
    CHECK(Machine({8, 8, 8}).choose(asked).size() == 3);
    CHECK(Machine({8}).choose(asked).empty());
}

TEST_CASE("so many tasks are on each node, and a core is left for each that is still needed") {
    // Of 4 CPUs 3 may be taken of the first, for the second must have one.
    Request asked{
        .nodes = 2, .wanted_nodes = 2, .max_nodes = 2, .cpus = 4, .tasks = 4, .tasks_per_node = 2};
    CHECK(Machine({7, 3}).choose(asked) == Shares{{0, 2}, {1, 2}});
    CHECK(Machine({7, 1}).choose(asked).empty());
    const Request plain{.nodes = 2, .wanted_nodes = 2, .max_nodes = 2, .cpus = 6, .tasks = 6};
    CHECK(Machine({7, 3}).choose(plain) == Shares{{0, 5}, {1, 1}});
    CHECK(Machine({8, 4}, 2).choose(plain) == Shares{{0, 4}, {1, 2}});
    // By tasks alone: of five two nodes have three each, in whole cores.
    asked = {.cpus = 5, .tasks = 5, .tasks_per_node = 3};
    CHECK(Machine({9, 9}).choose(asked) == Shares{{0, 3}, {1, 3}});
    CHECK(Machine({8, 6}, 2).choose(asked) == Shares{{0, 4}, {1, 4}});
}

TEST_CASE("a core has one job: tasks fill it before they take another") {
    CHECK(Machine({4, 6}, 2).choose({.cpus = 5, .tasks = 5}) == Shares{{1, 6}});
    // Five tasks of 2 and 4 CPUs: 2 and 3 of them, and the second node's other core is whole.
    CHECK(Machine({2, 4}, 2).choose({.cpus = 5, .tasks = 5}) == Shares{{0, 2}, {1, 4}});
    CHECK(Machine({8}, 2).choose({.cpus = 1, .tasks = 1}) == Shares{{0, 2}});
}

TEST_CASE("a run of light nodes is taken first, and then heavier ones") {
    Machine machine({2, 2, 5, 4});
    machine.nodes[2].weight = 9;
    machine.nodes[3].weight = 3;
    Request asked{.cpus = 7, .tasks = 7, .whole_nodes = true};
    CHECK(machine.choose(asked) == Shares{{0, 0}, {1, 0}, {3, 0}});
    asked.cpus = asked.tasks = 9;
    CHECK(machine.choose(asked).size() == 4);
}

}  // namespace

}  // namespace schedfarm::tests
