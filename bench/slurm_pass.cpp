// How long one backfill pass of the policy `slurm` takes: 2,000 nodes, of which 95 % are in use,
// and so many jobs that wait, with the sizes and limits of slurm_workload.py. Once with priorities
// that go by job size, for which every job is planned, and once by Slurm's defaults, where a pass
// ends behind the last job that could start. Prints the median and the extremes of CPU time.
//
// usage: schedfarm-slurm-pass [WAITING]     (default 500)
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <vector>

#include "policies/slurm/scheduler.hpp"

namespace {

using namespace schedfarm::policies::slurm;  // NOLINT(google-build-using-namespace)

constexpr std::uint32_t nodes = 2000;
constexpr std::uint32_t used = 1900;
constexpr std::array<std::int64_t, 8> limits{600, 1800, 3600, 7200, 14400, 28800, 43200, 86400};

class Draws {
  public:
    std::uint32_t below(std::uint32_t bound) {
        state_ = state_ * 6364136223846793005U + 1442695040888963407U;
        return static_cast<std::uint32_t>((state_ >> 33U) % bound);
    }
    std::uint32_t size() { return below(4) < 3 ? 1U << below(8) : 1 + below(64); }
    std::int64_t limit() { return limits.at(below(limits.size())); }

  private:
    std::uint64_t state_ = 2026;
};

Settings machine() {
    Settings settings;
    settings.nodes.resize(nodes);
    settings.partitions.push_back({.nodes = NodeSet::all(nodes), .whole_nodes = true});
    return settings;
}

/// Each running job is somewhere in its time.
Scheduler used_machine(const Settings& settings, std::uint32_t waiting) {
    Draws draws;
    Scheduler scheduler(settings);
    std::uint64_t id = 1;
    for (std::uint32_t first = 0; first < used; ++id) {
        const std::uint32_t end = std::min(first + draws.size(), used);
        RunningJob job{
            .id = id,
            .limit_end = 1 + draws.below(static_cast<std::uint32_t>(draws.limit())),
            .holding = {NodeSet(nodes)}};
        for (; first < end; ++first) {
            job.holding.nodes.insert(first);
        }
        scheduler.begin(std::move(job));
    }
    for (const std::uint64_t last = id + waiting; id < last; ++id) {
        const std::uint32_t size = draws.size();
        scheduler.submit(
            {.id = id,
             .limit = draws.limit(),
             .priority = 1e9 - static_cast<double>(id),
             .request = {.nodes = size, .max_nodes = size, .cpus = size, .whole_nodes = true}}
        );
    }
    return scheduler;
}

double cpu_ms() {
    timespec time{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return 1e3 * static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_nsec);
}

}  // namespace

int main(int count, char** words) {
    const auto waiting = static_cast<std::uint32_t>(count > 1 ? std::atoi(words[1]) : 500);
    for (const bool by_size : {true, false}) {
        Settings settings = machine();
        settings.priorities.multifactor = by_size;
        settings.priorities.weights.job_size = by_size ? 1 : 0;
        const Scheduler before = used_machine(settings, waiting);
        std::vector<double> times;
        Decisions decisions;
        for (int pass = 0; pass < 101; ++pass) {
            Scheduler scheduler = before;
            const double begin = cpu_ms();
            decisions = scheduler.backfill_pass(0);
            times.push_back(cpu_ms() - begin);
        }
        std::sort(times.begin(), times.end());
        std::printf(
            "%s: %u waiting, %u tested, %zu started: %.2f ms (%.2f to %.2f)\n",
            by_size ? "all planned" : "defaults",
            waiting,
            decisions.tested,
            decisions.starts.size(),
            times[times.size() / 2],
            times.front(),
            times.back()
        );
    }
}
