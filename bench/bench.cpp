#include "bench/bench.hpp"

#include <algorithm>
#include <memory>
#include <tuple>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/resource.h>

#include "engine/farm/task_executor.hpp"
#include "engine/foundation/cpu_dispatch.hpp"

#include "app/campaign/plan/plan.hpp"
#include "app/run/replication.hpp"

#include "bench/minimal_loops.hpp"
#include "bench/steady_work.hpp"

namespace schedfarm::bench {

namespace {

constexpr std::uint64_t fills = 10000;

double cpu_seconds() {
    return process_cpu_seconds() + children_cpu_seconds();
}

/// Items per CPU second over at least `seconds`.
double rate(const std::function<std::uint64_t(std::uint32_t)>& run, double seconds) {
    std::uint64_t items = 0;
    std::uint32_t index = 0;
    const double start = cpu_seconds();
    double used = 0;
    while (used < seconds) {
        items += run(index++);
        used = cpu_seconds() - start;
    }
    return static_cast<double>(items) / used;
}

double median(std::vector<double> values) {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

#if SCHEDFARM_CPU_DISPATCH
SCHEDFARM_AVX512 const char* set_chosen() {
    return "AVX-512";
}
SCHEDFARM_AVX2 const char* set_chosen() {
    return "AVX2";
}
#endif
SCHEDFARM_ANY_PROCESSOR const char* set_chosen() {
    return "any processor";
}

std::shared_ptr<const app::Plan> filling_plan() {
    return bench_plan(
        "experiment: bin_filling\n"
        "system: {clusters: [32]}\n"
        "workload: {model: coallocation, components: 1, component_size: {uniform: [1, 16]}}\n"
        "policy: fcfs\n"
        "horizon: {fills: "
        + std::to_string(fills) + "}\n"
    );
}

std::shared_ptr<const app::Plan> queueing_plan(const std::string& policy) {
    return bench_plan(
        "experiment: open\n"
        "system: {clusters: [32]}\n"
        "workload: {model: coallocation, components: 4, component_size: {uniform: [1, 4]}}\n"
        "horizon: {jobs: 20000, warm_up: {fraction: 0.2}}\n"
        "load: {utilization: 0.7}\n"
        "probes: [response_time]\n"
        "policy: "
        + policy + "\n"
    );
}

/// Workloads as the thesis has them, 10,000 jobs; `memory` of a node, 0: not modelled.
std::shared_ptr<const app::Plan> slicing_plan(const std::string& policy, int memory) {
    return bench_plan(
        "experiment: open\n"
        "system: {clusters: [128], memory_per_processor: "
        + std::to_string(memory) + "}\nworkload: "
        + (memory == 0 ? "{model: lublin_feitelson, jobs: typeless}"
                       : "{model: memory_version, jobs: {lublin_feitelson: {jobs: typeless}}}")
        + "\nhorizon: {jobs: 10000, warm_up: none}\n"
          "load: {utilization: 0.82}\n"
          "probes: [response_time]\n"
          "policy: "
        + policy + "\n"
    );
}

/// So many clusters of 128 with jobs of their own.
std::shared_ptr<const app::Plan> federation_plan(const std::string& policy, std::size_t clusters) {
    return bench_plan(fmt::format(
        "experiment: open\n"
        "system: {{clusters: [{}]}}\n"
        "workload: {{model: federation, homes: lublin_feitelson}}\n"
        "horizon: {{jobs: {}, warm_up: none}}\n"
        "load: {{utilization: 0.7}}\n"
        "probes: [response_time]\n"
        "policy: {}\n",
        fmt::join(std::vector<int>(clusters, 128), ", "),
        1000 * clusters,
        policy
    ));
}

/// Jobs of one replication of the plan's only cell. Bin filling offers one job more per fill than
/// it places: the one that does not fit.
std::function<std::uint64_t(std::uint32_t)> replications_of(
    std::shared_ptr<const app::Plan> plan, app::SimulatorChoice kernel
) {
    return [plan = std::move(plan), kernel](std::uint32_t index) {
        const app::Cell& cell = plan->cells.front();
        const std::uint64_t jobs = app::run_replication(cell, {index}, kernel).jobs;
        return jobs + (!cell.experiment.kind.has_time() ? fills : 0);
    };
}

/// Likewise, as many replications at once as the farm executes together.
std::function<std::uint64_t(std::uint32_t)> replications_together(
    std::shared_ptr<const app::Plan> plan
) {
    return [plan = std::move(plan)](std::uint32_t index) {
        std::vector<app::ReplicationRequest> requests;
        for (std::uint32_t i = 0; i < engine::most_together; ++i) {
            requests.push_back({index * std::uint32_t{engine::most_together} + i});
        }
        std::uint64_t jobs = 0;
        for (const auto& observed : app::run_side_by_side(plan->cells.front(), requests)) {
            jobs += observed.jobs;
        }
        return jobs;
    };
}

std::function<std::uint64_t(std::uint32_t)> minimal_queueing(
    const std::function<double(const QueueingCase&)>& loop
) {
    return [loop](std::uint32_t index) {
        QueueingCase setting;
        setting.replication = index;
        return loop(setting) > 0 ? setting.jobs : 0;
    };
}

}  // namespace

std::shared_ptr<const app::Plan> bench_plan(const std::string& lines) {
    app::CampaignSource source;
    source.main_file = "bench";
    source.files["bench"] = "campaign_format: 1\nname: bench\nseed: 1\nreplications: 1\n" + lines;
    return std::make_shared<const app::Plan>(app::make_plan(source));
}

std::string instruction_set() {
    return set_chosen();
}

std::vector<BenchCase> bench_cases() {
    const auto fcfs = minimal_queueing(minimal_fcfs);
    const auto fpfs =
        minimal_queueing([](const QueueingCase& setting) { return minimal_fpfs(setting, 7); });
    const auto fpfs_in_columns = minimal_queueing([](const QueueingCase& setting) {
        return minimal_fpfs_in_columns(setting, 7);
    });
    std::vector<BenchCase> cases{
        {"bin filling, sizes [1, 16] on 32",
         "items",
         "minimal loop",
         replications_of(filling_plan(), app::SimulatorChoice::automatic),
         [](std::uint32_t index) {
             return minimal_bin_filling(1, index, fills, 1, 16).items;
         }}};
    const auto add = [&cases](const char* name, const char* policy, auto kernel, const auto& loop) {
        cases.push_back(
            {name, "jobs", "minimal loop", replications_of(queueing_plan(policy), kernel), loop}
        );
    };
    constexpr const char* fpfs_7 = "{fpfs: {max_jumps: 7}}";
    add("FCFS, total [1, 4] on 32 at 0.7", "fcfs", app::SimulatorChoice::automatic, fcfs);
    cases.push_back(
        {"FCFS, total, side by side",
         "jobs",
         "minimal loop",
         replications_together(queueing_plan("fcfs")),
         fcfs}
    );
    add("FPFS(7), total [1, 4] on 32 at 0.7", fpfs_7, app::SimulatorChoice::automatic, fpfs);
    add("FPFS(7), the same", fpfs_7, app::SimulatorChoice::automatic, fpfs_in_columns);
    cases.back().reference_name = "sizes in a vector";
    add("general kernel, FCFS", "fcfs", app::SimulatorChoice::general, fcfs);
    add("general kernel, FPFS(7)", fpfs_7, app::SimulatorChoice::general, fpfs);
    for (const auto& [name, policy, memory] :
         {std::tuple{"Scojo-PECT, 128 nodes", "scojo_pect", 0},
          std::tuple{"Scojo-PECT, 128 nodes with memory", "scojo_pect", 400},
          std::tuple{
              "Scojo-PECT, memory-aware nodes", "{scojo_pect: {allocator: memory_aware}}", 400}}) {
        cases.push_back(
            {name,
             "jobs",
             "FCFS",
             replications_of(slicing_plan(policy, memory), app::SimulatorChoice::general),
             replications_of(slicing_plan("fcfs", memory), app::SimulatorChoice::general)}
        );
    }
    const std::string forwarding = "{managers: {tie: least_loaded, bump_s: 600}}";
    for (const auto& [name, policy, clusters] :
         {std::tuple{
              "two levels of managers, 10 clusters", std::string("managers"), std::size_t{10}},
          std::tuple{"forwarding by wait, 10 clusters", forwarding, std::size_t{10}},
          std::tuple{"forwarding by wait, 100 clusters", forwarding, std::size_t{100}}}) {
        cases.push_back(
            {name,
             "jobs",
             "isolated",
             replications_of(federation_plan(policy, clusters), app::SimulatorChoice::general),
             replications_of(
                 federation_plan("{managers: {managers: []}}", clusters),
                 app::SimulatorChoice::general
             )}
        );
    }
    for (const auto& more : {trace_bench_cases(), process_bench_cases(), moldable_bench_cases()}) {
        cases.insert(cases.end(), more.begin(), more.end());
    }
    return cases;
}

std::vector<BenchResult> measure(
    const std::vector<BenchCase>& benches,
    const BenchSettings& settings,
    const std::function<void(const std::string&)>& tell
) {
    for (const BenchCase& bench : benches) {
        tell(bench.name);
        bench.product(0);  // what they need is made by the first call, which is not measured
        bench.reference(0);
    }
    std::vector<std::vector<double>> product(benches.size());
    std::vector<std::vector<double>> reference(benches.size());
    std::vector<BenchResult> results(benches.size());
    for (std::uint32_t round = 0; round < settings.repeats; ++round) {
        for (std::size_t i = 0; i < benches.size(); ++i) {
            product[i].push_back(rate(benches[i].product, settings.seconds));
            reference[i].push_back(rate(benches[i].reference, settings.seconds));
            results[i].ratios.push_back(product[i].back() / reference[i].back());
        }
    }
    for (std::size_t i = 0; i < benches.size(); ++i) {
        std::sort(results[i].ratios.begin(), results[i].ratios.end());
        results[i].product_rate = median(product[i]);
        results[i].reference_rate = median(reference[i]);
    }
    return results;
}

double peak_memory_mib() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<double>(usage.ru_maxrss) / 1024;
}

}  // namespace schedfarm::bench
