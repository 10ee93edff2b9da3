// What holds of every schedule of Slurm's scheduler, over random workloads: counted here again from
// what it starts, by a ledger of each node's CPUs, memory and GPUs.
#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "policies/slurm/scheduler.hpp"

#include "tests/support/dice.hpp"
#include "tests/support/long_form.hpp"

namespace schedfarm::tests {

namespace {

using namespace policies::slurm;  // NOLINT(google-build-using-namespace)

/// Jobs have whole nodes, all of one kind.
void make_alike(Settings& site) {
    for (Node& node : site.nodes) {
        node.cpus = site.nodes.front().cpus;
        node.gpus = site.nodes.front().gpus;
        node.weight = site.nodes.front().weight;
    }
    for (Partition& partition : site.partitions) {
        partition.whole_nodes = true;
    }
}

Settings random_site(Dice& dice) {
    Settings site;
    const std::size_t nodes = 1 + dice.below(12);
    for (std::size_t k = 0; k < nodes; ++k) {
        Node node{.name = "n" + std::to_string(k), .cpus = 1U << dice.below(4), .memory = 4000};
        node.weight = 1 + dice.below(2);
        if (dice.below(3) == 0) {
            node.gpus = {{0, dice.below(3)}, {1, dice.below(3)}};
        }
        site.nodes.push_back(node);
    }
    for (std::uint32_t k = 0, count = 1 + dice.below(3); k < count; ++k) {
        Partition partition{.name = "p" + std::to_string(k), .nodes = NodeSet(nodes)};
        for (std::size_t node = 0; node < nodes; ++node) {
            if (node == 0 || dice.below(3) > 0) {
                partition.nodes.insert(node);
            }
        }
        partition.tier = 1 + dice.below(3);
        partition.whole_nodes = dice.below(2) == 0;
        partition.preempted = dice.below(3) == 0;
        site.partitions.push_back(partition);
    }
    site.qos.push_back({.name = "normal"});
    site.qos.push_back({.name = "bound", .limits = {.group_jobs = 3, .user_jobs = 1}});
    site.qos.back().limits.group[static_cast<std::size_t>(Tres::node)] = 4;
    site.enforce_limits = true;
    site.memory_is_shared = true;
    site.preempts = dice.below(2) == 0 ? Preempts::lower_tiers : Preempts::nothing;
    if (dice.below(2) == 0) {
        Reservation reservation{.name = "maint", .begin = 200, .end = 400, .nodes = NodeSet(nodes)};
        reservation.nodes.insert(dice.below(static_cast<std::uint32_t>(nodes)));
        site.reservations.push_back(reservation);
    }
    site.backfill.resolution = 1 + dice.below(60);
    site.backfill.max_job_test = 1 + dice.below(20);
    site.main.default_queue_depth = dice.below(5);
    if (dice.below(3) == 0) {
        make_alike(site);
    }
    return site;
}

WaitingJob random_job(Dice& dice, const Settings& site, std::uint64_t id, std::int64_t now) {
    WaitingJob job{.id = id};
    job.partition = dice.below(static_cast<std::uint32_t>(site.partitions.size()));
    const Partition& partition = site.partitions[job.partition];
    job.qos = dice.below(4) == 0 ? 1 : 0;
    job.user = dice.below(3);
    job.submit = job.eligible = job.accrue = now;
    job.limit = 60 * (1 + dice.below(5));
    job.priority = dice.below(5);
    const auto most = static_cast<std::uint32_t>(partition.nodes.count());
    job.request.nodes = 1 + dice.below(most);
    job.request.cpus = job.request.nodes;
    job.request.whole_nodes = partition.whole_nodes;
    if (partition.whole_nodes || dice.below(2) == 0) {
        job.request.max_nodes = job.request.nodes;
    }
    if (!partition.whole_nodes) {
        job.request.cpus += dice.below(6);
        (dice.below(2) == 0 ? job.request.memory_per_cpu : job.request.memory_per_node) =
            100 * dice.below(20);
        if (dice.below(4) == 0) {
            job.request.gres = {{{0}, 1}};
            if (dice.below(2) == 0) {
                job.request.gres.front().types.push_back(1);
            }
        }
    }
    if (dice.below(8) == 0) {
        job.array = id;
        job.array_limit = 1 + dice.below(2);
    }
    return job;
}

struct HeldRow {
    WaitingJob job;
    Holding holding;
    std::int64_t end = 0;
};

/// What all that runs together holds of each node, against what the node has.
void check_machine(const Settings& site, const std::map<std::uint64_t, HeldRow>& running) {
    for (std::size_t node = 0; node < site.nodes.size(); ++node) {
        std::uint64_t cpus = 0;
        std::uint64_t memory = 0;
        std::uint64_t gpus = 0;
        std::size_t jobs = 0;
        bool is_whole = false;
        for (const auto& [id, held] : running) {
            if (!held.holding.nodes.contains(node)) {
                continue;
            }
            ++jobs;
            if (held.holding.shares.empty()) {
                is_whole = true;
                continue;
            }
            std::size_t k = 0;
            held.holding.nodes.for_each([&](std::size_t other) {
                if (other == node) {
                    cpus += held.holding.shares[k].cpus;
                    memory += held.holding.shares[k].memory;
                    for (const Gpus& some : held.holding.shares[k].gpus) {
                        gpus += some.count;
                    }
                }
                ++k;
            });
        }
        std::uint64_t all_gpus = 0;
        for (const Gpus& some : site.nodes[node].gpus) {
            all_gpus += some.count;
        }
        CHECK(cpus <= site.nodes[node].cpus);
        CHECK(memory <= site.nodes[node].memory);
        CHECK(gpus <= all_gpus);
        CHECK((!is_whole || jobs == 1));
    }
}

/// What a job that starts now gets, against what it asked for and where it may run.
void check_start(const Settings& site, const HeldRow& held, std::int64_t now) {
    const Request& asked = held.job.request;
    const Partition& partition = site.partitions[held.job.partition];
    CHECK(held.holding.nodes.within(partition.nodes));
    CHECK(held.holding.nodes.count() >= asked.nodes);
    CHECK(held.holding.nodes.count() <= asked.max_nodes);
    std::uint64_t cpus = 0;
    for (const Share& share : held.holding.shares) {
        CHECK(share.cpus > 0);
        cpus += share.cpus;
    }
    CHECK((asked.whole_nodes || cpus >= asked.cpus));
    for (const Reservation& other : site.reservations) {
        const bool overlaps = other.begin < now + held.job.limit && other.end > now;
        CHECK(!(overlaps && held.holding.nodes.meets(other.nodes)));
    }
}

void check_limits(const std::map<std::uint64_t, HeldRow>& running) {
    std::uint64_t jobs = 0;
    std::set<std::size_t> nodes;  // of several jobs a node counts once
    std::map<std::uint32_t, int> of_user;
    std::map<std::uint64_t, std::pair<std::uint32_t, std::uint32_t>> of_array;
    for (const auto& [id, held] : running) {
        if (held.job.qos == 1) {
            ++jobs;
            held.holding.nodes.for_each([&](std::size_t node) { nodes.insert(node); });
            CHECK(++of_user[held.job.user] <= 1);
        }
        if (held.job.array != 0) {
            auto& [count, limit] = of_array[held.job.array];
            limit = held.job.array_limit;
            CHECK(++count <= limit);
        }
    }
    CHECK(jobs <= 3);
    CHECK(nodes.size() <= 4);
}

void run(std::uint32_t seed) {
    Dice dice(seed);
    const Settings site = random_site(dice);
    Scheduler scheduler(site);
    std::map<std::uint64_t, WaitingJob> waiting;
    std::map<std::uint64_t, HeldRow> running;
    std::uint64_t next = 1;
    for (std::int64_t now = 0; now < 600; now += 1 + dice.below(30)) {
        for (auto at = running.begin(); at != running.end();) {
            if (at->second.end <= now) {
                scheduler.end(at->first);
                at = running.erase(at);
            } else {
                ++at;
            }
        }
        for (std::uint32_t k = dice.below(4); k > 0; --k) {
            const WaitingJob job = random_job(dice, site, next, now);
            for (std::uint64_t task = 0, tasks = job.array != 0 ? 3 : 1; task < tasks; ++task) {
                WaitingJob one = job;
                one.id = next++;
                waiting[one.id] = one;
                scheduler.submit(one);
            }
        }
        const bool is_main = dice.below(2) == 0;
        const Decisions decisions =
            is_main ? scheduler.main_pass(now, dice.below(2) == 0) : scheduler.backfill_pass(now);
        for (const Start& start : decisions.starts) {
            REQUIRE(waiting.count(start.id) == 1);
            const WaitingJob job = waiting[start.id];
            waiting.erase(start.id);
            const HeldRow held{
                job, start.holding, now + 1 + dice.below(static_cast<std::uint32_t>(job.limit))};
            check_start(site, held, now);
            running[start.id] = held;
        }
        check_machine(site, running);
        check_limits(running);
        for (const std::uint64_t victim : decisions.victims) {
            REQUIRE(running.count(victim) == 1);
            CHECK(site.partitions[running[victim].job.partition].preempted);
            running[victim].end = now + 1;
        }
        CHECK(scheduler.waiting().size() == waiting.size());
        CHECK(scheduler.running().size() == running.size());
    }
}

TEST_CASE("nobody holds what is another's, or runs where or when it may not") {
    const std::uint32_t workloads = is_long_form() ? 20000 : 2000;
    for (std::uint32_t seed = 1; seed <= workloads; ++seed) {
        CAPTURE(seed);
        run(seed);
    }
}

/// A job or the tasks of an array. Some ask for all CPUs of the nodes that they get, some for more
/// nodes by their features than by their number.
std::vector<WaitingJob> random_tasks(
    Dice& dice, const Settings& site, std::uint64_t& next, std::int64_t now
) {
    WaitingJob job = random_job(dice, site, next, now);
    job.limit *= 1 + dice.below(4);
    if (dice.below(2) == 0) {
        job.request.cpus = job.request.nodes * site.nodes.front().cpus;
    }
    if (dice.below(6) == 0) {  // more nodes than it says
        job.request.cpus += job.request.nodes * site.nodes.front().cpus;
        job.request.max_nodes = no_limit;
    }
    if (dice.below(6) == 0) {
        const NodeSet& nodes = site.partitions[job.partition].nodes;
        const auto count = static_cast<std::uint32_t>(nodes.count());
        job.request.features = std::make_shared<const Features>(Features{
            .nodes = nodes, .counted = {{nodes, 1 + dice.below(count)}}});
        job.request.max_nodes = no_limit;
    }
    std::vector<WaitingJob> tasks(job.array != 0 ? 1 + dice.below(3) : 1, job);
    for (WaitingJob& task : tasks) {
        task.id = next++;
    }
    return tasks;
}

// Where jobs may be sent away, backfill makes every try and ends no pass early; here nobody is.
TEST_CASE("what backfill leaves out, because it shows in nothing, shows in nothing") {
    const std::uint32_t workloads = is_long_form() ? 20000 : 2000;
    for (std::uint32_t seed = 1; seed <= workloads; ++seed) {
        CAPTURE(seed);
        Dice dice(seed);
        Settings quick_site = random_site(dice);
        for (Partition& partition : quick_site.partitions) {
            partition.preempted = false;
        }
        quick_site.preempts = Preempts::nothing;
        quick_site.backfill.max_job_test = 1 + dice.below(40);
        // The CPUs that are planned for a job show in its priority, what a pass tested in its time.
        const bool cpus_show = dice.below(2) == 0;
        quick_site.priorities.multifactor = cpus_show;
        quick_site.priorities.weights.job_size = 1;
        quick_site.backfill.seconds_per_test = dice.below(4) == 0 ? 1 : 0;
        Settings whole_site = quick_site;
        whole_site.preempts = Preempts::lower_tiers;
        Scheduler quick(quick_site);
        Scheduler whole(whole_site);
        std::map<std::uint64_t, std::int64_t> ends;
        std::uint64_t next = 1;
        for (std::int64_t now = 1000; now < 1600; now += 1 + dice.below(60)) {
            for (std::uint32_t k = dice.below(now == 1000 ? 20 : 5); k > 0; --k) {
                for (const WaitingJob& job : random_tasks(dice, quick_site, next, now)) {
                    quick.submit(job);
                    whole.submit(job);
                }
            }
            for (const auto& [id, end] : std::exchange(ends, {})) {
                if (end <= now) {
                    quick.end(id);
                    whole.end(id);
                } else {
                    ends[id] = end;
                }
            }
            const bool is_main = dice.below(3) == 0;
            const auto pass = [&](Scheduler& scheduler) {
                return is_main ? scheduler.main_pass(now, true) : scheduler.backfill_pass(now);
            };
            const Decisions found = pass(quick);
            const Decisions expected = pass(whole);
            REQUIRE(found.starts.size() == expected.starts.size());
            for (std::size_t k = 0; k < found.starts.size(); ++k) {
                REQUIRE(found.starts[k].id == expected.starts[k].id);
                REQUIRE(found.starts[k].holding.nodes == expected.starts[k].holding.nodes);
                ends[found.starts[k].id] = now + 1 + dice.below(600);
            }
            if (quick_site.backfill.seconds_per_test > 0) {
                REQUIRE(found.tested == expected.tested);
            }
            for (std::size_t k = 0; cpus_show && k < quick.waiting().size(); ++k) {
                REQUIRE(quick.waiting()[k].id == whole.waiting()[k].id);
                REQUIRE(quick.waiting()[k].counted_cpus() == whole.waiting()[k].counted_cpus());
            }
        }
    }
}

TEST_CASE("in a main pass nobody overtakes within a partition, but who a limit holds back") {
    for (std::uint32_t seed = 1; seed <= 2000; ++seed) {
        CAPTURE(seed);
        Dice dice(seed);
        Settings site = random_site(dice);
        site.enforce_limits = false;
        site.reservations.clear();
        // Nodes that one partition has closed count as not available to jobs of another.
        site.partitions.resize(1);
        site.preempts = Preempts::nothing;
        Scheduler scheduler(site);
        std::vector<WaitingJob> jobs;
        for (std::uint64_t id = 1; id <= 12; ++id) {
            WaitingJob job = random_job(dice, site, id, 0);
            job.array = 0;
            // Every job fits on the empty machine: else it blocks nobody.
            if (FreeNodes(site.nodes).choose(job.request, site.partitions[job.partition].nodes)) {
                jobs.push_back(job);
                scheduler.submit(job);
            }
        }
        const Decisions decisions = scheduler.main_pass(0, true);
        const auto started = [&](const WaitingJob& job) {
            return std::any_of(
                decisions.starts.begin(),
                decisions.starts.end(),
                [&](const Start& one) { return one.id == job.id; }
            );
        };
        for (const WaitingJob& ahead : jobs) {
            for (const WaitingJob& behind : jobs) {
                const bool is_ahead =
                    ahead.partition == behind.partition
                    && (ahead.priority > behind.priority
                        || (ahead.priority == behind.priority && ahead.id < behind.id));
                CHECK(!(is_ahead && !started(ahead) && started(behind)));
            }
        }
    }
}

}  // namespace

}  // namespace schedfarm::tests
