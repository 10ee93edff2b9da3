// What of slurm.conf and of jobs' requests decides where jobs may go, one case for each rule by
// hand. In brackets the functions of Slurm 22.05 that have it.
#include <algorithm>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "policies/slurm/scheduler.hpp"
#include "policies/slurm/will_run.hpp"

namespace schedfarm::tests {

namespace {

using namespace policies::slurm;  // NOLINT(google-build-using-namespace)

/// A scheduler's settings, with jobs that run and wait.
struct Scene {
    /// Nodes of these CPUs and 1000 MB, in one partition that shares them.
    explicit Scene(const std::vector<std::uint32_t>& cpus) {
        for (const std::uint32_t count : cpus) {
            const std::string name = "n" + std::to_string(settings.nodes.size());
            settings.nodes.push_back({.name = name, .cpus = count, .memory = 1000});
        }
        settings.partitions.push_back({.name = "all", .nodes = NodeSet::all(cpus.size())});
        settings.backfill.resolution = 1;
    }

    /// Whole nodes, from the first to the last.
    void run(std::size_t first, std::size_t last, std::int64_t limit_end) {
        RunningJob job{.id = 90 + running.size(), .limit_end = limit_end};
        job.holding.nodes = NodeSet(settings.nodes.size());
        job.holding.nodes.insert(first, last - first + 1);
        job.parts = job.holding.nodes.parts();
        running.push_back(job);
    }
    /// Whole nodes.
    WaitingJob& wait(std::uint32_t nodes, std::int64_t limit_min) {
        WaitingJob job{.id = waiting.size() + 1};
        job.limit = 60 * limit_min;
        job.priority = 1000 - static_cast<double>(job.id);
        job.request = {.nodes = nodes, .max_nodes = nodes, .cpus = nodes, .whole_nodes = true};
        return waiting.emplace_back(job);
    }
    Scheduler scheduler() const {
        Scheduler made(settings);
        for (const RunningJob& job : running) {
            made.begin(job);
        }
        for (const WaitingJob& job : waiting) {
            made.submit(job);
        }
        return made;
    }
    /// The jobs that a pass starts.
    std::vector<std::uint64_t> started(bool by_backfill) const {
        Scheduler made = scheduler();
        std::vector<std::uint64_t> ids;
        for (const Start& start :
             (by_backfill ? made.backfill_pass(0) : made.main_pass(0, true)).starts) {
            ids.push_back(start.id);
        }
        return ids;
    }

    Settings settings = {};
    std::vector<RunningJob> running = {};
    std::vector<WaitingJob> waiting = {};
};

using Started = std::vector<std::uint64_t>;

TEST_CASE("under select/linear jobs end one by one [select_linear.c, _will_run_test]") {
    // Two of four nodes until 600, two until 610: cons_tres tests after both have ended.
    Scene scene({2, 2, 2, 2});
    scene.run(0, 1, 600);
    scene.run(2, 3, 610);
    const WaitingJob job = scene.wait(2, 7);
    const auto time = [&](std::int64_t now) {
        FreeNodes free(scene.settings.nodes);
        for (const RunningJob& one : scene.running) {
            free.take(one.holding);
        }
        const NodeSet all = NodeSet::all(4);
        return will_run(job.request, all, free, scene.running, scene.settings, now, false)->time;
    };
    CHECK(time(0) == 610);
    CHECK(time(605) == 610);
    scene.settings.linear = true;
    CHECK(time(0) == 600);
    CHECK(time(605) == 606);  // past its limit: in a second
}

TEST_CASE("under select/linear what backfill starts takes no entry of the table of plans") {
    // Job 1 starts, job 2 is planned for 600 s; three entries are enough for one of the two alone.
    Scene scene({2, 2, 2, 2});
    scene.settings.backfill.node_space_size = 3;
    scene.run(3, 3, 600);
    scene.wait(1, 1);
    scene.wait(4, 1);
    scene.wait(1, 5);
    CHECK(scene.started(true) == Started{1});
    scene.settings.linear = true;
    CHECK(scene.started(true) == Started{1, 3});
}

}  // namespace

}  // namespace schedfarm::tests
