#include "app/bench/farm_bench.hpp"

#include <algorithm>
#include <limits>

#include <fmt/format.h>
#include <malloc.h>

#include "engine/farm/transport/virtual_time_transport.hpp"

#include "app/bench/steady_work.hpp"

namespace schedfarm::app {

namespace {

constexpr std::uint32_t group_workers = 250;
constexpr std::uint32_t emulated_workers = 10000;
constexpr double virtual_latency_seconds = 2e-6;
constexpr double tiny_task_seconds = 1e-6;
constexpr std::uint32_t full_bundle = 256;

using Note = std::function<void(const std::string&)>;

std::vector<DispatchRow> measure_dispatch(
    const FarmBenchSettings& settings, const FarmPartRunner& run, const Note& note
) {
    std::vector<DispatchRow> rows;
    for (const std::uint32_t ranks : {2U, 3U, 4U, 8U, 16U}) {
        note(fmt::format("dispatch on {} ranks", ranks));
        FarmPart part{.kind = FarmPartKind::dispatch, .ranks = ranks, .seconds = settings.seconds};
        DispatchRow row{ranks, run({part}).front(), {}};
        part.predicted_seconds = tiny_task_seconds;
        row.bundled = run({part}).front();
        rows.push_back(row);
    }
    return rows;
}

/// From the processor time of a master that has no pause, per task: alone 2 (m + t), in bundles of
/// 256 2 (m / 256 + t).
MasterCosts measure_costs(
    std::uint32_t workers,
    const FarmBenchSettings& settings,
    const FarmPartRunner& run,
    const Note& note
) {
    note(fmt::format("a master's time per message, {} workers", workers));
    // The cheapest of several: other processes only ever add to it.
    const auto cheapest = [&](double predicted_seconds) {
        const FarmPart part{
            .kind = FarmPartKind::emulated,
            .ranks = 2,
            .per_rank = workers,
            .predicted_seconds = predicted_seconds,
            .seconds = settings.seconds};
        double least = std::numeric_limits<double>::infinity();
        for (std::uint32_t i = 0; i < settings.repeats; ++i) {
            least = std::min(least, run({part}).front().cpu_seconds_per_task);
        }
        return least;
    };
    const double alone = cheapest(0);
    const double bundled = cheapest(tiny_task_seconds);
    const double message = std::max(0.0, (alone - bundled) / (2 - 2.0 / full_bundle));
    return {message, std::max(0.0, alone / 2 - message)};
}

EmulatedRow measure_emulated(
    std::uint32_t workers,
    double task_seconds,
    double predicted_seconds,
    const FarmBenchSettings& settings,
    const FarmPartRunner& run
) {
    FarmPart part;
    part.kind = FarmPartKind::emulated;
    part.ranks = 2;
    part.per_rank = workers;
    part.task_seconds = task_seconds;
    part.predicted_seconds = predicted_seconds;
    part.seconds = std::max(settings.seconds, 3 * task_seconds);
    EmulatedRow row{.workers = workers, .task_seconds = task_seconds};
    row.bundle_tasks = bundle_of(predicted_seconds);
    row.master = run({part}).front();
    row.efficiency = row.master.busy_workers / workers;
    const double knee = row.bundle_tasks * task_seconds / row.master.cpu_seconds_per_task;
    row.formula = std::min(1.0, knee / workers);
    return row;
}

std::vector<EmulatedRow> measure_emulated_all(
    const FarmBenchSettings& settings, const FarmPartRunner& run, const Note& note
) {
    std::vector<EmulatedRow> rows;
    for (const double task_seconds : {0.01, 0.1, 1.0}) {
        for (const std::uint32_t workers : {100U, 1000U, 10000U, 100000U}) {
            note(fmt::format("{} virtual workers, tasks of {} s", workers, task_seconds));
            rows.push_back(measure_emulated(workers, task_seconds, 0, settings, run));
        }
    }
    return rows;
}

GroupRow measure_group(
    std::uint32_t workers,
    double task_seconds,
    const FarmBenchSettings& settings,
    const FarmPartRunner& run
) {
    FarmPart part;
    part.kind = FarmPartKind::groups;
    part.ranks = 2;
    part.per_rank = workers / group_workers;
    part.group_workers = group_workers;
    part.task_seconds = part.predicted_seconds = task_seconds;
    part.seconds = std::max(settings.seconds, 3 * task_seconds);
    GroupRow row{.workers = workers, .task_seconds = task_seconds};
    row.master = run({part}).front();
    row.efficiency = row.master.busy_workers / workers;
    return row;
}

std::vector<GroupRow> measure_groups(
    const FarmBenchSettings& settings, const FarmPartRunner& run, const Note& note
) {
    std::vector<GroupRow> rows;
    for (const double task_seconds : {0.01, 0.02, 0.05, 0.1, 1.0}) {
        note(fmt::format("{} virtual workers, two levels, {} s", emulated_workers, task_seconds));
        rows.push_back(measure_group(emulated_workers, task_seconds, settings, run));
    }
    note("100000 virtual workers, two levels, 1 s");
    rows.push_back(measure_group(10 * emulated_workers, 1, settings, run));
    return rows;
}

/// The dearest of the rows with 40 sub-masters; a message's share counts twice, as the task's and
/// as a sub-master's message.
MasterCosts top_costs_of(const std::vector<GroupRow>& rows, const MasterCosts& group_costs) {
    MasterCosts costs = group_costs;
    costs.task_seconds = 0;
    for (const GroupRow& row : rows) {
        if (row.workers == emulated_workers) {
            costs.task_seconds =
                std::max(costs.task_seconds, row.master.served_seconds_per_task / 2);
        }
    }
    return costs;
}

std::vector<SleepingRow> measure_sleeping(
    const MasterCosts& costs,
    const FarmBenchSettings& settings,
    const FarmPartRunner& run,
    const Note& note
) {
    std::vector<SleepingRow> rows;
    for (const double task_seconds : {0.001, 0.01}) {
        for (const std::uint32_t ranks : {2U, 4U, 8U, 16U, 32U, 64U}) {
            note(fmt::format("{} real ranks, tasks that sleep {} s", ranks, task_seconds));
            const std::uint32_t workers = ranks - 1;
            const FarmPart part{
                .kind = FarmPartKind::sleeping,
                .ranks = ranks,
                .task_seconds = task_seconds,
                .seconds = settings.seconds};
            rows.push_back(
                {ranks,
                 task_seconds,
                 run({part}).front().busy_workers / workers,
                 virtual_efficiency({costs, workers, task_seconds})}
            );
        }
    }
    return rows;
}

SteadyStateFarm two_levels(const FarmFigures& figures, std::uint32_t workers, double task_seconds) {
    return {
        figures.top_costs, workers, task_seconds, task_seconds, group_workers, figures.group_costs};
}

std::vector<VirtualRow> measure_virtual_time(const FarmFigures& figures, const Note& note) {
    std::vector<VirtualRow> rows;
    for (const double seconds : {0.001, 0.01, 0.1, 1.0}) {
        for (const std::uint32_t workers : {100U, 1000U, 10000U, 100000U}) {
            if (workers * 0.05 / seconds > 1e6) {
                continue;  // more tasks in the first bundles alone than memory likes
            }
            note(fmt::format("{} ranks in virtual time, tasks of {} s", workers, seconds));
            rows.push_back(
                {workers,
                 seconds,
                 virtual_efficiency({figures.costs, workers, seconds}),
                 virtual_efficiency({figures.costs, workers, seconds, seconds}),
                 virtual_efficiency(two_levels(figures, workers, seconds))}
            );
        }
    }
    return rows;
}

/// The farm between two measurements without it, so that a change of the machine's speed shows.
ParallelRow measure_parallel(
    double task_seconds, const FarmBenchSettings& settings, const FarmPartRunner& run
) {
    FarmPart farm{.kind = FarmPartKind::busy, .ranks = 3, .task_seconds = task_seconds};
    farm.predicted_seconds = task_seconds;
    farm.seconds = std::max(settings.seconds, 60 * task_seconds);
    farm.iterations = iterations_of(task_seconds);
    FarmPart process = farm;
    process.kind = FarmPartKind::alone;
    process.ranks = 1;
    const auto rate_without = [&] {
        const auto results = run({process, process});
        return results[0].tasks_per_second + results[1].tasks_per_second;
    };
    std::vector<double> efficiencies;
    double before = rate_without();
    for (std::uint32_t i = 0; i < settings.repeats; ++i) {
        const double rate = run({farm}).front().tasks_per_second;
        const double after = rate_without();
        efficiencies.push_back(2 * rate / (before + after));
        before = after;
    }
    std::sort(efficiencies.begin(), efficiencies.end());
    return {
        task_seconds,
        efficiencies[efficiencies.size() / 2],
        efficiencies.front(),
        efficiencies.back()};
}

/// What the heap grows by when a master gets to know a worker that has nothing to do.
double heap_bytes_per_idle_worker() {
    class Silent final : public engine::WorkSource {
        std::optional<engine::Task> next_task() override { return std::nullopt; }
        void accept(const engine::TaskResult& /*result*/) override {}
        bool finished() const override { return false; }
        bool awaits_others() const override { return true; }
    };
    constexpr std::uint32_t workers = 100000;
    Silent source;
    const auto in_use = [] {
        const struct mallinfo2 heap = mallinfo2();
        return static_cast<double>(heap.uordblks + heap.hblkhd);
    };
    const double before = in_use();
    engine::Master master(source, workers, {});
    for (std::uint32_t worker = 0; worker < workers; ++worker) {
        master.take(worker, {engine::ReportKind::hello, "a-node-of-the-machine", {}, {}}, 0);
    }
    return (in_use() - before) / workers;
}

}  // namespace

double virtual_efficiency(const SteadyStateFarm& farm) {
    const auto message_costs = [](const MasterCosts& costs) {
        return engine::MessageCosts{
            costs.message_seconds, costs.task_seconds, virtual_latency_seconds};
    };
    engine::VirtualTimeTransport transport({
        .workers = farm.workers,
        .group_workers = farm.workers_per_group,
        .costs = message_costs(farm.costs),
        .group_costs = message_costs(farm.group_costs),
        .duration = [&](const engine::Task& /*task*/) { return farm.task_seconds; },
        .execute = {},
    });
    SteadySettings settings;
    // Every worker has been through its first bundle; at least 20 more fit into the window, and
    // half a million tasks, because bundles come in bursts.
    const std::uint32_t bundle = bundle_of(farm.predicted_seconds);
    settings.wave_results = std::uint64_t{farm.workers} * bundle;
    settings.warm_up_results = 2 * settings.wave_results;
    settings.seconds = std::max(20.0 * bundle, 5e5 / farm.workers) * farm.task_seconds;
    settings.task_seconds = farm.predicted_seconds;
    settings.busy_seconds = [&] {
        return transport.busy_seconds();
    };
    SteadyWork work(settings, [&] { return transport.now_s(); });
    engine::Master master(
        work,
        farm.workers_per_group == 0 ? std::vector<std::uint32_t>(farm.workers, 1)
                                    : transport.group_sizes(),
        {}
    );
    while (!work.is_closed()) {
        if (const auto received = transport.receive(1)) {
            for (const auto& [worker, order] :
                 master.take(received->worker, received->report, transport.now_s())) {
                transport.send(worker, order);
            }
        }
    }
    return work.window().busy_seconds / (farm.workers * work.window().seconds);
}

FarmFigures measure_farm(
    const FarmBenchSettings& settings, const FarmPartRunner& run, const Note& note
) {
    FarmFigures figures;
    figures.bytes_per_idle_worker = heap_bytes_per_idle_worker();
    figures.dispatch = measure_dispatch(settings, run, note);
    figures.costs = measure_costs(emulated_workers, settings, run, note);
    figures.group_costs = measure_costs(group_workers, settings, run, note);
    figures.emulated = measure_emulated_all(settings, run, note);
    figures.groups = measure_groups(settings, run, note);
    figures.top_costs = top_costs_of(figures.groups, figures.group_costs);
    for (GroupRow& row : figures.groups) {
        row.in_virtual_time =
            virtual_efficiency(two_levels(figures, row.workers, row.task_seconds));
    }
    figures.sleeping = measure_sleeping(figures.costs, settings, run, note);
    for (const double task_seconds : {0.01, 0.05}) {
        note(fmt::format("parallel efficiency, tasks of {} s", task_seconds));
        figures.parallel.push_back(measure_parallel(task_seconds, settings, run));
    }
    note("a waiting master");
    const FarmPart idle{
        .kind = FarmPartKind::idle, .ranks = 3, .seconds = std::max(3.0, settings.seconds)};
    figures.idle_cpu_share = run({idle}).front().cpu_share;
    figures.virtual_time = measure_virtual_time(figures, note);
    figures.goal_efficiency = virtual_efficiency(two_levels(figures, emulated_workers, 0.01));
    return figures;
}

}  // namespace schedfarm::app
