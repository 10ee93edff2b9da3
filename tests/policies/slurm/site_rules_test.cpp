// What of slurm.conf and of jobs' requests decides where jobs may go, one case for each rule by
// hand. In brackets the functions of Slurm 22.05 that have it.
#include <algorithm>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "engine/simulation/kernel/unserved_job.hpp"
#include "engine/simulation/submitted_request.hpp"

#include "policies/slurm/priorities.hpp"
#include "policies/slurm/requests.hpp"
#include "policies/slurm/scheduler.hpp"
#include "policies/slurm/site/constraint.hpp"
#include "policies/slurm/site/site.hpp"
#include "policies/slurm/will_run.hpp"

namespace schedfarm::tests {

namespace {

using namespace policies::slurm;  // NOLINT(google-build-using-namespace)

using Started = std::vector<std::uint64_t>;
using Nodes = std::vector<std::size_t>;

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
    /// The jobs that a pass starts, and where.
    std::map<std::uint64_t, std::vector<std::size_t>> places(bool by_backfill) const {
        Scheduler made = scheduler();
        const Decisions decisions = by_backfill ? made.backfill_pass(0) : made.main_pass(0, true);
        std::map<std::uint64_t, std::vector<std::size_t>> found;
        for (const Start& start : decisions.starts) {
            start.holding.nodes.for_each([&](std::size_t node) { found[start.id].push_back(node); }
            );
        }
        return found;
    }
    Started started(bool by_backfill) const {
        Started ids;
        for (const auto& [id, nodes] : places(by_backfill)) {
            ids.push_back(id);
        }
        return ids;
    }
    FreeNodes free() const {
        FreeNodes nodes(settings.nodes);
        for (const RunningJob& job : running) {
            nodes.take(job.holding);
        }
        return nodes;
    }
    std::optional<PlannedStart> will_run_at(const Request& request, std::int64_t now = 0) const {
        const NodeSet all = NodeSet::all(settings.nodes.size());
        return will_run(request, all, {free(), running, settings, now});
    }

    Settings settings = {};
    std::vector<RunningJob> running = {};
    std::vector<WaitingJob> waiting = {};
};

TEST_CASE("under select/linear jobs end one by one [select_linear.c, _will_run_test]") {
    // Two of four nodes until 600, two until 610: cons_tres tests after both have ended.
    Scene scene({2, 2, 2, 2});
    scene.run(0, 1, 600);
    scene.run(2, 3, 610);
    const WaitingJob job = scene.wait(2, 7);
    const auto time = [&](std::int64_t now) {
        return scene.will_run_at(job.request, now)->time;
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

/// Of "a b" in the first node, and so on.
void give_features(Settings& settings, const std::vector<std::vector<std::string>>& features) {
    for (std::size_t node = 0; node < features.size(); ++node) {
        settings.nodes[node].features = features[node];
    }
}

Scene featured() {
    Scene scene({2, 2, 2, 2, 2, 2});
    give_features(scene.settings, {{"a"}, {"a", "b"}, {"b"}, {"b", "c"}, {"c"}, {}});
    return scene;
}

std::optional<Features> features_in(const Settings& settings, const std::string& constraint) {
    const NodeSet all = NodeSet::all(settings.nodes.size());
    return features_of(constraint, feature_nodes(settings.nodes), all);
}

Nodes numbers(const NodeSet& nodes) {
    Nodes found;
    nodes.for_each([&](std::size_t node) { found.push_back(node); });
    return found;
}

TEST_CASE("a constraint is read from left to right [build_feature_list, valid_feature_counts]") {
    const Settings settings = featured().settings;
    const auto nodes = [&](const std::string& constraint) {
        const auto found = features_in(settings, constraint);
        REQUIRE(found.has_value());
        return numbers(found->nodes);
    };
    CHECK(nodes("a") == Nodes{0, 1});
    CHECK(nodes("a&b") == Nodes{1});
    CHECK(nodes("a,b") == Nodes{1});
    CHECK(nodes("a|b") == Nodes{0, 1, 2, 3});
    CHECK(nodes("a|b&c") == Nodes{3});
    CHECK(nodes("b&(a|c)") == Nodes{1, 3});
    CHECK(nodes("(a&b)|c") == Nodes{1, 3, 4});
    CHECK(nodes("c|(a&b)") == Nodes{1, 3, 4});
    CHECK(nodes("c&[a|b]") == Nodes{3, 4});
    CHECK(numbers(features_in(settings, "c&[a|b]")->one_of.at(1)) == Nodes{1, 2, 3});
    CHECK(nodes("a*2") == Nodes{0, 1, 2, 3, 4, 5});
    CHECK(features_in(settings, "[(a|c)*3&b*2]")->apart);
    CHECK(features_in(settings, "[(a|c)*3&b*2]")->counted.at(0).count == 3);
    for (const char* wrong :
         {"d",
          "!a",

          "&a",
          "(a",
          "a)",
          "[a|b",
          "a*0",
          "a*",
          "[a*2&b]",
          "[a|b*2]",
          "[a]&[b]",
          "(a*2)",
          "((a))",
          "a(b)"}) {
        CAPTURE(wrong);
        CHECK_FALSE(features_in(settings, wrong).has_value());
    }
}

TEST_CASE("jobs are only on nodes of their constraint [_pick_best_nodes, _get_req_features]") {
    Scene scene = featured();
    scene.run(0, 0, 600);
    const auto places = [&](const char* constraint, std::uint32_t nodes, bool by_backfill) {
        Scene one = scene;
        WaitingJob& job = one.wait(nodes, 5);
        job.request.features =
            std::make_shared<const Features>(*features_in(one.settings, constraint));
        job.request.max_nodes = 4;
        return one.places(by_backfill)[1];
    };
    for (const bool by_backfill : {false, true}) {
        CAPTURE(by_backfill);
        CHECK(places("b", 2, by_backfill) == Nodes{1, 2});
        CHECK(places("c", 2, by_backfill) == Nodes{3, 4});
        CHECK(places("a", 2, by_backfill).empty());
        CHECK(places("[a|c]", 2, by_backfill) == Nodes{3, 4});  // of one feature
        CHECK(places("[a*1&b*2]", 1, by_backfill) == Nodes{1, 2, 3});
        CHECK(places("[a*1&b*3]", 1, by_backfill).empty());  // node 1 counts for one alone
        CHECK(places("c*1", 2, by_backfill) == Nodes{1, 3});
        CHECK(places("[c*2&b*2]", 4, by_backfill) == Nodes{1, 2, 3, 4});
        CHECK(places("[c*2&b*3]", 4, by_backfill).empty());
    }
    CHECK(places("a*1&c*1", 1, false).empty());  // without brackets one node for both
    CHECK(places("c*2&b*1", 1, false).empty());
    CHECK(places("b*2&b*1", 1, false) == Nodes{1, 2});
}

TEST_CASE("backfill takes the first of alternatives, and waits for all counts [_try_sched]") {
    Scene scene = featured();
    scene.run(0, 0, 600);
    scene.run(2, 3, 300);
    scene.run(4, 4, 900);
    const auto time = [&](const char* constraint) {
        Request request{.nodes = 2, .max_nodes = 4, .cpus = 2, .whole_nodes = true};
        request.features =
            std::make_shared<const Features>(*features_in(scene.settings, constraint));
        return scene.will_run_at(request)->time;
    };
    CHECK(time("a") == 600);
    CHECK(time("[a|b]") == 300);
    CHECK(time("[c|a]") == 600);
    CHECK(time("[a*2&b*1]") == 600);
    CHECK(time("[b*3&c*1]") == 900);
    CHECK(time("b*1&c") == 300);  // a feature without a count: one node
}

/// What a site makes of a job of one processor and two minutes.
WaitingJob job_of(const Settings& settings, const engine::SubmittedRequest& said) {
    engine::Job job;
    job.size = 1;
    job.estimate = 120;
    job.request = &said;
    return Requests(settings).of(job, 0);
}

std::string refusal_of(const Settings& settings, const engine::SubmittedRequest& said) {
    try {
        job_of(settings, said);
    } catch (const engine::UnservedJobError& error) {
        return error.what();
    }
    return "";
}

Settings site_of_conf(const std::string& conf) {
    const Site site = read_site({.conf = conf});
    for (const SiteProblem& one : site.problems) {
        MESSAGE(one.message);
    }
    REQUIRE(site.problems.empty());
    return site.settings;
}

TEST_CASE("a job that no node of the site suits is named, with what it asks for") {
    const Settings settings = site_of_conf(
        "SelectType=select/cons_tres SelectTypeParameters=CR_Core\nLicenses=mat:4,sim\n"
        "NodeName=n[1-3] CPUs=5 Feature=fast,big Gres=gpu:a:2,fpga:x:1,fpga:y:3,mps:200,nic\n"
        "NodeName=n4 CPUs=7 Feature=slow\n"
        "PartitionName=p Nodes=ALL\nPartitionName=q Nodes=ALL OverSubscribe=YES:3\n"
    );
    const auto refusal = [&](auto member, auto value) {
        engine::SubmittedRequest said;
        said.nodes = 1;
        said.cpus = 1;
        said.*member = value;
        return refusal_of(settings, said);
    };
    using Said = engine::SubmittedRequest;
    CHECK(refusal(&Said::constraint, "fast&big").empty());
    CHECK(refusal(&Said::constraint, "[slow|fast]").empty());
    CHECK(refusal(&Said::constraint, "quick").find("'quick'") != std::string::npos);
    CHECK(refusal(&Said::constraint, "fast&slow").find("with 'fast&slow'") != std::string::npos);
    CHECK(refusal(&Said::constraint, "fast*4").find("'fast*4'") != std::string::npos);
    CHECK(refusal(&Said::licences, "mat:4,sim:1").empty());
    CHECK(refusal(&Said::licences, "mat:5").find("'mat:5'") != std::string::npos);
    CHECK(refusal(&Said::licences, "cad").find("'cad'") != std::string::npos);
    CHECK(refusal(&Said::gres, "fpga:4").empty());  // of both types
    CHECK(refusal(&Said::gres, "fpga:y:3,nic").empty());
    CHECK(refusal(&Said::gres, "fpga:5").find("1 processors") != std::string::npos);
    CHECK(refusal(&Said::gres, "fpga:x:2").find("1 processors") != std::string::npos);
    CHECK(refusal(&Said::gres, "tpu:1").find("'tpu:1'") != std::string::npos);
    CHECK(refusal(&Said::gres, "mps:50").find("mps and shard") != std::string::npos);
    CHECK(refusal(&Said::is_oversubscribed, true).empty());
    Said shared;
    shared.nodes = 1;
    shared.cpus = 1;
    shared.is_oversubscribed = true;
    shared.partition = "q";
    CHECK(refusal_of(settings, shared).find("time-sharing") != std::string::npos);
}

TEST_CASE("a job whose licences are in use waits, blocks nobody and is not planned") {
    Scene scene({2, 2, 2, 2});
    scene.settings.licences = {5};
    scene.run(3, 3, 600);
    scene.running.back().licences = {{0, 3}};
    scene.wait(1, 1).request.licences = {{0, 3}};
    scene.wait(1, 90).request.licences = {{0, 2}};
    scene.wait(2, 90);
    CHECK(scene.started(false) == Started{2, 3});
    CHECK(scene.started(true) == Started{2, 3});
    Scheduler later = scene.scheduler();
    later.end(90);
    CHECK(later.main_pass(0, true).starts.size() == 3);
}

/// CPUs by node that a job of shared nodes gets, and how many further ones are idle.
std::map<std::size_t, std::pair<std::uint32_t, std::uint32_t>> shares_of(
    const std::vector<Node>& nodes, const Request& request
) {
    std::map<std::size_t, std::pair<std::uint32_t, std::uint32_t>> found;
    const auto holding = FreeNodes(nodes).choose(request, NodeSet::all(nodes.size()));
    std::size_t k = 0;
    if (holding) {
        holding->nodes.for_each([&](std::size_t node) {
            found[node] = {holding->shares[k].cpus, holding->shares[k].idle_cpus};
            ++k;
        });
    }
    return found;
}

TEST_CASE("one task a core: CPUs of other threads are nobody's [CR_ONE_TASK_PER_CORE]") {
    // Two cores of two threads each, then three.
    const std::vector<Node> nodes{
        {.name = "n0", .cpus = 4, .threads = 2, .memory = 900},
        {.name = "n1", .cpus = 6, .threads = 2, .memory = 900}};
    Request asked{.cpus = 4, .tasks = 4};
    using Shares = std::map<std::size_t, std::pair<std::uint32_t, std::uint32_t>>;
    CHECK(shares_of(nodes, asked) == Shares{{0, {4, 0}}});
    asked.tasks_per_core = 1;
    CHECK(shares_of(nodes, asked) == Shares{{0, {4, 0}}, {1, {4, 0}}});
    asked = {.cpus = 4, .tasks = 4, .threads_per_core = 1};
    CHECK(shares_of(nodes, asked) == Shares{{0, {4, 0}}, {1, {4, 0}}});
    asked.threads_per_core = 3;  // more than a core has
    CHECK(shares_of(nodes, asked).empty());
    // Tasks of three CPUs have two cores each.
    asked = {.cpus = 6, .tasks = 2, .cpus_per_task = 3};
    CHECK(shares_of(nodes, asked) == Shares{{1, {6, 0}}});
    asked.tasks_per_core = 1;
    CHECK(shares_of(nodes, asked) == Shares{{0, {4, 0}}, {1, {4, 0}}});
    asked = {.cpus = 2, .cpus_per_node = 5};  // a node has five at least
    CHECK(shares_of(nodes, asked) == Shares{{1, {6, 0}}});
    // The memory of a core is that of all its threads: 900 MB are those of 2 cores of 400.
    asked = {.cpus = 3, .tasks = 3, .tasks_per_core = 1, .memory_per_cpu = 200};
    CHECK(shares_of({nodes[1]}, asked).empty());
    asked.cpus = asked.tasks = 2;
    CHECK(shares_of({nodes[1]}, asked) == Shares{{0, {4, 0}}});
}

TEST_CASE("of CR_CPU a job has the CPUs that it asks for, and its cores alone") {
    Node node{.name = "n", .cpus = 4, .threads = 2, .memory = 1000};
    node.counts_cpus = true;
    const std::vector<Node> nodes{node};
    FreeNodes free(nodes);
    const NodeSet all = NodeSet::all(1);
    const auto first = free.choose({.cpus = 3, .memory_per_cpu = 110}, all);
    REQUIRE(first.has_value());
    CHECK(first->shares.front().cpus == 3);
    CHECK(first->shares.front().idle_cpus == 1);
    CHECK(first->shares.front().memory == 330);
    free.take(*first);
    CHECK_FALSE(free.choose({.cpus = 1}, all).has_value());
    free.give(*first);
    CHECK(free.choose({.cpus = 4}, all).has_value());
}

TEST_CASE("SelectTypeParameters say how a node's threads are given") {
    const auto site = [](const std::string& words) {
        return site_of_conf(
            "SelectType=select/cons_tres SelectTypeParameters=" + words
            + "\nNodeName=n CPUs=8 CoresPerSocket=4 ThreadsPerCore=2\nPartitionName=p Nodes=n\n"
        );
    };
    engine::SubmittedRequest said;
    CHECK(site("CR_CPU").nodes.front().counts_cpus);
    CHECK_FALSE(site("CR_Core").nodes.front().counts_cpus);
    CHECK(job_of(site("CR_Core"), said).request.tasks_per_core == 0);
    CHECK(job_of(site("CR_Core,CR_ONE_TASK_PER_CORE"), said).request.tasks_per_core == 1);
    said.tasks_per_core = 2;
    CHECK(job_of(site("CR_Core,CR_ONE_TASK_PER_CORE"), said).request.tasks_per_core == 2);
}

TEST_CASE("MaxCPUsPerNode bounds what jobs of one partition have of a node [_allocate_sc]") {
    const Settings settings = site_of_conf(
        "SelectType=select/cons_tres SelectTypeParameters=CR_Core\nNodeName=n[1-2] CPUs=8\n"
        "PartitionName=few Nodes=ALL MaxCPUsPerNode=5\nPartitionName=all Nodes=ALL\n"
    );
    const auto request = [&](const char* partition, std::uint32_t cpus, bool is_exclusive) {
        engine::SubmittedRequest said;
        said.nodes = 1;
        said.max_nodes = 1;
        said.cpus = cpus;
        said.tasks = cpus;
        said.is_exclusive = is_exclusive;
        said.partition = partition;
        return job_of(settings, said).request;
    };
    FreeNodes free(settings.nodes);
    const NodeSet all = NodeSet::all(2);
    const auto node_for = [&](const Request& asked) {
        const auto holding = free.choose(asked, all);
        return holding ? numbers(holding->nodes) : Nodes{};
    };
    free.take(*free.choose(request("few", 3, false), all));
    CHECK(node_for(request("few", 2, false)) == Nodes{0});
    CHECK(node_for(request("few", 3, false)) == Nodes{1});
    CHECK(node_for(request("all", 3, false)) == Nodes{0});
    CHECK_THROWS_AS(request("few", 6, false), engine::UnservedJobError);
    CHECK_THROWS_AS(request("few", 1, true), engine::UnservedJobError);
}

TEST_CASE("who asks for more memory than a CPU may have gets more CPUs [_valid_pn_min_mem]") {
    const std::string conf =
        "SelectType=select/cons_tres SelectTypeParameters=CR_Core_Memory\nMaxMemPerCPU=300\n"
        "NodeName=n[1-2] CPUs=20 RealMemory=9000\nPartitionName=p Nodes=ALL\n"
        "PartitionName=q Nodes=ALL MaxMemPerNode=2000\n";
    const Settings settings = site_of_conf(conf);
    engine::SubmittedRequest said;
    said.memory_per_cpu = 700;
    said.nodes = 1;
    said.cpus = 4;
    said.tasks = 4;
    const Request more = job_of(settings, said).request;
    CHECK(more.cpus == 12);
    CHECK(more.cpus_per_task == 3);
    CHECK(more.memory_per_cpu == 234);
    said.memory_per_cpu = 300;
    CHECK(job_of(settings, said).request.cpus == 4);
    said = engine::SubmittedRequest();
    said.memory_per_node = 1600;
    said.nodes = 2;
    said.cpus = 2;
    said.tasks = 2;
    said.tasks_per_node = 1;
    const Request of_nodes = job_of(settings, said).request;
    CHECK(of_nodes.cpus_per_node == 6);
    CHECK(of_nodes.cpus_per_task == 6);
    CHECK(of_nodes.cpus == 12);
    said = engine::SubmittedRequest();
    said.memory_per_node = 2100;
    said.nodes = 1;
    said.cpus = 1;
    said.partition = "q";
    CHECK(refusal_of(settings, said).find("MaxMemPerNode") != std::string::npos);
    said.memory_per_node = 2000;
    CHECK(refusal_of(settings, said).empty());
    said = engine::SubmittedRequest();
    said.memory_per_cpu = 700;
    said.nodes = 1;
    said.cpus = 3;
    said.tasks = 3;
    said.cpus_per_task = 3;
    said.partition = "q";
    CHECK(refusal_of(settings, said).find("MaxMemPerNode") != std::string::npos);
}

TEST_CASE("a job that says nothing of memory has the defaults, or all of its nodes") {
    const auto memory = [](const std::string& words, const engine::SubmittedRequest& said) {
        const Settings settings = site_of_conf(
            "SelectType=select/cons_tres\n" + words
            + "\nNodeName=n1 CPUs=12 RealMemory=9000 Gres=gpu:3\nPartitionName=p Nodes=ALL\n"
        );
        return job_of(settings, said).request.memory_per_node;
    };
    engine::SubmittedRequest said;
    said.nodes = 1;
    said.cpus = 2;
    CHECK(memory("", said) == all_memory);  // CR_Core_Memory
    CHECK(memory("SelectTypeParameters=CR_Core", said) == 0);
    CHECK(memory("DefMemPerNode=70", said) == 70);
    CHECK(memory("DefMemPerCPU=70", said) == 0);
    CHECK(memory("DefMemPerGPU=500", said) == all_memory);
    said.gpus = 2;
    CHECK(memory("DefMemPerGPU=500", said) == 1000);
    CHECK(memory("JobDefaults=DefCpuPerGPU=3,DefMemPerGPU=600", said) == 1200);
    said.memory_per_gpu = 700;
    CHECK(memory("DefMemPerGPU=500", said) == 1400);
    said.memory_per_node = 800;
    CHECK(memory("DefMemPerGPU=500", said) == 800);
}

TEST_CASE("GPUs bring CPUs where a task's are not said [_set_gpu_defaults]") {
    const Settings settings = site_of_conf(
        "SelectType=select/cons_tres SelectTypeParameters=CR_Core\nDefCpuPerGPU=2\n"
        "NodeName=n[1-2] CPUs=12 Gres=gpu:a:3\nPartitionName=p Nodes=ALL DefCpuPerGPU=4\n"
        "PartitionName=q Nodes=ALL\n"
    );
    engine::SubmittedRequest said;
    said.nodes = 2;
    said.max_nodes = 2;
    said.cpus = 2;
    said.gpus = 3;
    CHECK(job_of(settings, said).request.cpus == 24);
    CHECK(job_of(settings, said).request.cpus_per_node == 12);
    said.partition = "q";
    CHECK(job_of(settings, said).request.cpus == 12);
    said.cpus_per_gpu = 1;
    CHECK(job_of(settings, said).request.cpus == 6);
    said.cpus_per_gpu = 0;
    said.cpus_per_task = 1;
    CHECK(job_of(settings, said).request.cpus == 2);
}

TEST_CASE("a job past its limit ends after the OverTimeLimit of its partition, else the site's") {
    Scene scene({2});
    scene.run(0, 0, 500);
    const WaitingJob job = scene.wait(1, 3);
    scene.settings.kill_wait = 20;
    scene.settings.over_time_limit = 240;
    CHECK(scene.will_run_at(job.request, 600)->time == 760);
    scene.settings.partitions.front().over_time_limit = 300;
    CHECK(scene.will_run_at(job.request, 600)->time == 820);
    const Settings read = site_of_conf(
        "NodeName=n CPUs=1\nPartitionName=p Nodes=n OverTimeLimit=5\nPartitionName=q Nodes=n\n"
    );
    CHECK(read.partitions[0].over_time_limit == 300);
    CHECK_FALSE(read.partitions[1].over_time_limit.has_value());
}

TEST_CASE("PriorityMaxAge=0 gives every job the full age, MaxTime=0 no job any time") {
    Settings settings = site_of_conf(
        "PriorityType=priority/multifactor\nPriorityWeightAge=1000\nPriorityMaxAge=0\n"
        "NodeName=n CPUs=010\nPartitionName=p Nodes=n\nPartitionName=q Nodes=n MaxTime=0\n"
    );
    CHECK(settings.nodes.front().cpus == 8);  // as C reads it
    CHECK(Priorities(settings).of({.id = 1}, 50) == 1000);
    CHECK(Priorities(settings).of({.id = 1}, 0) == 1000);
    settings.priorities.max_age = 200;
    CHECK(Priorities(settings).of({.id = 1}, 50) == 250);
    engine::SubmittedRequest said;
    said.nodes = 1;
    said.cpus = 1;
    said.partition = "q";
    CHECK(refusal_of(settings, said).find("at most 0") != std::string::npos);
}

TEST_CASE("values that are refused can be accepted by the word that their message names") {
    const std::string nodes = "NodeName=n[1-2] CPUs=2\n";
    for (const std::string& conf :
         {nodes + "PartitionName=p Nodes=ALL OverSubscribe=FORCE:4\n",
          nodes + "PartitionName=p Nodes=ALL OverSubscribe=FORCE\n",
          nodes + "PartitionName=p Nodes=ALL MaxCPUsPerSocket=3\n",
          nodes + "PartitionName=p Nodes=ALL State=DRAIN\n",
          nodes + "PartitionName=p Nodes=ALL JobDefaults=DefNodes=3\n",
          nodes + "PartitionName=p Nodes=ALL\nSelectTypeParameters=CR_Socket\n",
          nodes + "PartitionName=p Nodes=ALL\nDownNodes=n1 State=DOWN\n",
          nodes + "PartitionName=p Nodes=ALL\nSchedulerParameters=reduce_completing_frag\n",
          nodes + "PartitionName=p Nodes=ALL\nPreemptMode=REQUEUE PreemptType=preempt/qos\n",
          nodes + "PartitionName=p Nodes=ALL\nPreemptMode=CANCEL PreemptType=preempt/qos\n",
          std::string("NodeName=n1 CPUs=2 Gres=fpga:no_consume\nPartitionName=p Nodes=ALL\n")}) {
        CAPTURE(conf);
        const Site refused = read_site({.conf = conf});
        REQUIRE(refused.problems.size() == 1);
        const std::string& message = refused.problems.front().message;
        const std::size_t begin = message.find("accept: [") + 9;
        REQUIRE(begin > 9);
        const std::string word = message.substr(begin, message.find(']', begin) - begin);
        CHECK(read_site({.conf = conf, .accept = {word}}).problems.empty());
    }
}

TEST_CASE("of ten public configurations nine are taken as they stand") {
    for (const int site : {1, 2, 4, 5, 6, 7, 8, 9, 10, 11}) {
        CAPTURE(site);
        std::ifstream in(SCHEDFARM_RECORDINGS "/../confs/site" + std::to_string(site) + ".conf");
        std::ostringstream text;
        text << in.rdbuf();
        REQUIRE_FALSE(text.str().empty());
        SiteFiles files{.conf = text.str()};
        if (site == 1) {  // preempt/qos
            CHECK(read_site(files).problems.size() == 1);
            files.qos = "Name|Preempt|PreemptMode\nlow||cluster\nhigh|low|cluster\n";
        }
        CHECK(read_site(files).problems.empty() == (site != 7));
    }
}

}  // namespace

}  // namespace schedfarm::tests
