// What jobs of a log ask Slurm for, by hand: what their submission asked for counts, and what they
// had only where nothing is known of that.
#include "policies/slurm/requests.hpp"

#include <limits>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "engine/simulation/kernel/unserved_job.hpp"
#include "engine/simulation/submitted_request.hpp"

#include "policies/slurm/limits.hpp"

namespace schedfarm::tests {

namespace {

using namespace policies::slurm;  // NOLINT(google-build-using-namespace)
using engine::Job;
using engine::SubmittedRequest;

/// Nodes of these CPUs and 9000 MB; one partition, shared: "short" of 7 minutes at most, "long" of
/// 11.
Settings site(const std::vector<std::uint32_t>& cpus) {
    Settings settings;
    for (const std::uint32_t count : cpus) {
        settings.nodes.push_back({.name = "n", .cpus = count, .memory = 9000});
    }
    const NodeSet all = NodeSet::all(cpus.size());
    settings.partitions.push_back({.name = "short", .nodes = all, .max_time = 420});
    settings.partitions.push_back({.name = "long", .nodes = all, .max_time = 660});
    settings.memory_is_shared = true;
    for (Partition& partition : settings.partitions) {
        partition.memory_per_cpu = 130;
    }
    return settings;
}

WaitingJob asked(
    const Settings& settings, SubmittedRequest said, std::uint32_t held, double limit
) {
    said.partition = said.partition.empty() ? "long" : said.partition;
    Job job;
    job.size = held;
    job.estimate = limit;
    job.request = &said;
    return Requests(settings).of(job, 1000);
}

Request request(const Settings& settings, const SubmittedRequest& said, std::uint32_t held) {
    return asked(settings, said, held, 60).request;
}

TEST_CASE("a job's limit is bounded by that of its own partition") {
    const Settings settings = site({8});
    const double unlimited = std::numeric_limits<double>::infinity();
    const auto limit = [&](const char* partition, double of) {
        SubmittedRequest said;
        said.partition = partition;
        return asked(settings, said, 1, of).limit;
    };
    CHECK(limit("short", unlimited) == 420);
    CHECK(limit("long", unlimited) == 660);
    CHECK(limit("long", 500) == 540);  // whole minutes
    CHECK_THROWS_AS(limit("short", 500), engine::UnservedJobError);
}

TEST_CASE("CPUs and nodes are those asked for, and not those had") {
    // Two nodes, of which the job had 8 and 4 CPUs whole.
    Settings settings = site({8, 4, 2});
    settings.partitions.back().whole_nodes = true;
    SubmittedRequest said;
    said.nodes = said.max_nodes = 2;
    said.cpus = 3;
    said.held_nodes = 2;
    Request got = request(settings, said, 12);
    CHECK(got.whole_nodes);
    CHECK(got.nodes == 2);
    CHECK(got.max_nodes == 2);
    CHECK(got.cpus == 3);
    said.max_nodes = 5;  // -N 2-5
    got = request(settings, said, 12);
    CHECK(got.wanted_nodes == 5);
    CHECK(got.max_nodes == 5);
    said.nodes = 1;  // by -n alone
    said.max_nodes = 0;
    said.tasks = 3;
    got = request(settings, said, 12);
    CHECK(got.nodes == 1);
    CHECK(got.max_nodes == no_limit);
    CHECK(got.tasks == 3);
    // Of a log that says nothing: as many nodes as hold what it had.
    got = request(settings, {}, 12);
    CHECK(got.nodes == 2);
    CHECK(got.cpus == 12);
}

TEST_CASE("a job on shared nodes that had them whole asked for that") {
    Settings settings = site({4, 4, 4, 4});
    SubmittedRequest said;
    said.nodes = 1;
    said.cpus = 9;
    said.held_nodes = 3;
    CHECK(request(settings, said, 12).whole_nodes);
    CHECK_FALSE(request(settings, said, 11).whole_nodes);
    for (Node& node : settings.nodes) {
        node.threads = 2;  // whole cores for nine tasks on three nodes may be all twelve CPUs
    }
    CHECK_FALSE(request(settings, said, 12).whole_nodes);
    said.cpus = 8;
    CHECK(request(settings, said, 12).whole_nodes);
    settings.one_task_per_core = true;  // eight tasks have sixteen CPUs, if there are so many
    CHECK_FALSE(request(settings, said, 12).whole_nodes);
    said.is_exclusive = true;
    CHECK(request(settings, said, 11).whole_nodes);
}

TEST_CASE("memory is that asked for, else the partition's") {
    const Settings settings = site({8, 8});
    SubmittedRequest said;
    said.nodes = 1;
    said.cpus = 5;
    CHECK(request(settings, said, 5).memory_per_cpu == 130);
    said.memory_per_node = 700;
    CHECK(request(settings, said, 5).memory_per_node == 700);
    CHECK(request(settings, said, 5).memory_per_cpu == 0);
    said.memory_per_node = std::numeric_limits<double>::infinity();
    CHECK(request(settings, said, 5).memory_per_node == all_memory);
    said.is_exclusive = true;  // of a whole node it is no more than the node's
    said.memory_per_node = 9500;
    CHECK(request(settings, said, 8).memory_per_node == 9000);
}

TEST_CASE("GPUs are of the type asked for") {
    Settings settings = site({8});
    settings.gres_types = {"gpu:a100", "gpu:h100"};
    settings.nodes.front().gpus = {{0, 3}, {1, 2}};
    SubmittedRequest said;
    said.nodes = said.max_nodes = 1;
    said.cpus = 1;
    said.gpus = 2;
    CHECK(request(settings, said, 1).gres.front().types.size() == 2);
    said.gpu_type = "h100";
    const Request got = request(settings, said, 1);
    REQUIRE(got.gres.size() == 1);
    CHECK(got.gres.front().types == std::vector<std::uint32_t>{1});
    CHECK(got.gres.front().count == 2);
    said.gpus = 3;
    CHECK_THROWS_AS(request(settings, said, 1), engine::UnservedJobError);
}

TEST_CASE("a user is the same in all accounts, and a QOS may pass a partition's longest limit") {
    Settings settings = site({8});
    settings.qos = {{.name = "normal"}, {.name = "long", .passes_max_time = true}};
    settings.associations = {
        {.account = "sci"},
        {.account = "phys", .user = "bob", .parent = 0},
        {.account = "chem", .user = "ann", .parent = 0},
        {.account = "phys", .user = "ann", .parent = 0}};
    SubmittedRequest said;
    said.user = "ann";
    said.account = "phys";
    said.quality = "long";
    const WaitingJob job = asked(settings, said, 2, 900);  // the partition gives 660 s
    CHECK(job.association == 3);
    CHECK(job.user == 2);
    CHECK(job.limit == 900);
    said.quality = "normal";
    CHECK_THROWS_AS(asked(settings, said, 2, 900), engine::UnservedJobError);
}

TEST_CASE("an account's limit counts each job of its users once [acct_policy.c]") {
    // The account above both has 10 CPUs: beside 4 of one user 6 of the other fit, and not 7.
    Settings settings = site({8});
    settings.enforce_limits = true;
    settings.associations = {
        {.account = "sci"},
        {.account = "phys", .parent = 0},
        {.account = "phys", .user = "ann", .parent = 1},
        {.account = "phys", .user = "bob", .parent = 1}};
    settings.associations[0].limits.group[0] = 10;
    LimitLedger ledger(settings);
    const RunningJob first{.id = 1, .association = 2, .held = {.tres = {4}}};
    ledger.start(first);
    const WaitingJob second{.id = 2, .association = 3};
    CHECK(ledger.admits(second, {.tres = {6}}));
    CHECK_FALSE(ledger.admits(second, {.tres = {7}}));
    ledger.end(first);
    CHECK(ledger.admits(second, {.tres = {10}}));
}

}  // namespace

}  // namespace schedfarm::tests
