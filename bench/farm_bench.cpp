#include "bench/farm_bench.hpp"

#include <algorithm>
#include <limits>

#include <fmt/format.h>
#include <malloc.h>

#include "tests/support/virtual_farm/virtual_time_transport.hpp"

#include "bench/steady_work.hpp"

namespace schedfarm::bench {

namespace {

constexpr std::uint32_t group_workers = 250;
constexpr std::uint32_t emulated_workers = 10000;
constexpr double virtual_latency_seconds = 2e-6;
constexpr double tiny_task_seconds = 1e-6;
constexpr std::uint32_t full_bundle = 256;

using Note = std::function<void(const std::string&)>;

std::string efficiency_text(double efficiency) {
    return fmt::format("{:.3f}", efficiency);
}

/// 0.001 → "1 ms"
std::string duration_text(double seconds) {
    return seconds < 1 ? fmt::format("{:.0f} ms", 1e3 * seconds) : fmt::format("{:.0f} s", seconds);
}

std::string rate_text(double per_second) {
    return fmt::format("{:.1f} k/s", 1e-3 * per_second);
}

std::string microseconds_text(double seconds) {
    return fmt::format("{:.2f} us", 1e6 * seconds);
}

app::TextTable farm_table(
    std::string title,
    std::string source,
    const std::vector<std::string>& headings,
    std::size_t labels
) {
    app::TextTable table = app::text_table(std::move(title), headings, labels);
    table.source = std::move(source);
    return table;
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

/// The measurements, each a table of the page.
class FarmBench {
  public:
    FarmBench(const FarmBenchSettings& settings, const FarmPartRunner& run, const Note& note)
        : settings_(settings), run_(run), note_(note) {}

    FarmFigures measure();

  private:
    FarmPartResult run(const FarmPart& part) const { return run_({part}).front(); }
    MasterCosts costs_with(std::uint32_t workers) const;
    app::TextTable dispatch() const;
    app::TextTable emulated() const;
    app::TextTable groups();
    app::TextTable sleeping() const;
    app::TextTable virtual_time() const;
    ParallelEfficiency parallel(double task_seconds) const;
    double idle_cpu_share() const;
    double two_levels(std::uint32_t workers, double task_seconds) const {
        return virtual_efficiency(
            {top_costs_, workers, task_seconds, task_seconds, group_workers, group_costs_}
        );
    }

    const FarmBenchSettings& settings_;
    const FarmPartRunner& run_;
    const Note& note_;
    MasterCosts costs_;        // with 10^4 workers
    MasterCosts group_costs_;  // a sub-master's, with 250
    MasterCosts top_costs_;    // with 40 sub-masters
};

/// From the processor time of a master that has no pause, per task: alone 2 (m + t), in bundles of
/// 256 2 (m / 256 + t).
MasterCosts FarmBench::costs_with(std::uint32_t workers) const {
    note_(fmt::format("a master's time per message, {} workers", workers));
    // The cheapest of several: other processes only ever add to it.
    const auto cheapest = [&](double predicted_seconds) {
        const FarmPart part{
            .kind = FarmPartKind::emulated,
            .ranks = 2,
            .per_rank = workers,
            .predicted_seconds = predicted_seconds,
            .seconds = settings_.seconds};
        double least = std::numeric_limits<double>::infinity();
        for (std::uint32_t i = 0; i < settings_.repeats; ++i) {
            least = std::min(least, run(part).cpu_seconds_per_task);
        }
        return least;
    };
    const double alone = cheapest(0);
    const double bundled = cheapest(tiny_task_seconds);
    const double message = std::max(0.0, (alone - bundled) / (2 - 2.0 / full_bundle));
    return {message, std::max(0.0, alone / 2 - message)};
}

app::TextTable FarmBench::dispatch() const {
    app::TextTable table = farm_table(
        "Dispatch on real ranks",
        "empty tasks, results of 1 KiB; alone: one task per message, bundled: 256",
        {">ranks", ">alone", ">master CPU/task", ">bundled", ">master CPU/task", ">master peak"},
        1
    );
    for (const std::uint32_t ranks : {2U, 3U, 4U, 8U, 16U}) {
        note_(fmt::format("dispatch on {} ranks", ranks));
        FarmPart part{.kind = FarmPartKind::dispatch, .ranks = ranks, .seconds = settings_.seconds};
        const FarmPartResult alone = run(part);
        part.predicted_seconds = tiny_task_seconds;
        const FarmPartResult bundled = run(part);
        table.rows.push_back(
            {std::to_string(ranks),
             rate_text(alone.tasks_per_second),
             microseconds_text(alone.cpu_seconds_per_task),
             rate_text(bundled.tasks_per_second),
             microseconds_text(bundled.cpu_seconds_per_task),
             fmt::format("{:.0f} MiB", alone.memory_mib)}
        );
    }
    const auto note = [&table](const char* workers, const MasterCosts& costs) {
        table.notes.push_back(fmt::format(
            "A master with {} virtual workers: {} per message and {} per task or result in it. A "
            "task alone costs s = {}.",
            workers,
            microseconds_text(costs.message_seconds),
            microseconds_text(costs.task_seconds),
            microseconds_text(costs.per_task_alone())
        ));
    };
    note("10,000", costs_);
    note("250", group_costs_);
    table.notes.push_back(
        fmt::format("An idle worker costs its master {:.0f} bytes.", heap_bytes_per_idle_worker())
    );
    return table;
}

/// Measured efficiency beside min(1, cT / (P s)), s being what a task costs the master just then.
app::TextTable FarmBench::emulated() const {
    app::TextTable table = farm_table(
        "Virtual workers over real MPI",
        "one rank impersonates P workers; formula: min(1, c T / (P s)) with s of the row",
        {">T", ">P", ">c", ">tasks", ">s", ">master busy", ">efficiency", ">formula"},
        2
    );
    for (const double task_seconds : {0.01, 0.1, 1.0}) {
        for (const std::uint32_t workers : {100U, 1000U, 10000U, 100000U}) {
            note_(fmt::format("{} virtual workers, tasks of {} s", workers, task_seconds));
            const FarmPartResult master = run(
                {.kind = FarmPartKind::emulated,
                 .ranks = 2,
                 .per_rank = workers,
                 .task_seconds = task_seconds,
                 .seconds = std::max(settings_.seconds, 3 * task_seconds)}
            );
            const std::uint32_t bundle = bundle_of(0);
            const double knee = bundle * task_seconds / master.cpu_seconds_per_task;
            table.rows.push_back(
                {duration_text(task_seconds),
                 std::to_string(workers),
                 std::to_string(bundle),
                 rate_text(master.tasks_per_second),
                 microseconds_text(master.cpu_seconds_per_task),
                 fmt::format("{:.2f}", master.cpu_share),
                 efficiency_text(master.busy_workers / workers),
                 efficiency_text(std::min(1.0, knee / workers))}
            );
        }
    }
    table.notes.emplace_back(
        "s is the master's processor time per task. Where it is not busy, most of that is looking "
        "for messages."
    );
    return table;
}

/// Sub-masters with virtual workers over real MPI, beside the same in virtual time, for which the
/// top master costs what it does in the dearest row with 40 sub-masters; a message's share counts
/// twice, as the task's and as a sub-master's message.
app::TextTable FarmBench::groups() {
    app::TextTable table = farm_table(
        "Two levels over real MPI",
        "one rank is all the sub-masters and their P workers, 250 each, tasks in bundles",
        {">T", ">P", ">tasks", ">s of the top", ">top busy", ">efficiency", ">virtual time"},
        2
    );
    struct Setting {
        std::uint32_t workers;
        double task_seconds;
    };
    std::vector<Setting> settings;
    for (const double task_seconds : {0.01, 0.02, 0.05, 0.1, 1.0}) {
        settings.push_back({emulated_workers, task_seconds});
    }
    settings.push_back({10 * emulated_workers, 1});
    top_costs_ = {group_costs_.message_seconds, 0};
    for (const auto& [workers, task_seconds] : settings) {
        note_(fmt::format("{} virtual workers, two levels, {} s", workers, task_seconds));
        const FarmPartResult top = run(
            {.kind = FarmPartKind::groups,
             .ranks = 2,
             .per_rank = workers / group_workers,
             .group_workers = group_workers,
             .task_seconds = task_seconds,
             .predicted_seconds = task_seconds,
             .seconds = std::max(settings_.seconds, 3 * task_seconds)}
        );
        const double served = top.served_seconds_per_task;
        if (workers == emulated_workers) {
            top_costs_.task_seconds = std::max(top_costs_.task_seconds, served / 2);
        }
        table.rows.push_back(
            {duration_text(task_seconds),
             std::to_string(workers),
             rate_text(top.tasks_per_second),
             microseconds_text(served),
             fmt::format("{:.2f}", served * top.tasks_per_second),
             efficiency_text(top.busy_workers / workers)}
        );
    }
    for (std::size_t i = 0; i < settings.size(); ++i) {
        table.rows[i].push_back(
            efficiency_text(two_levels(settings[i].workers, settings[i].task_seconds))
        );
    }
    table.notes.emplace_back(
        "s is the time in which the top master does not wait for messages, per task. Where tasks "
        "are short the rank that is all the sub-masters is the limit, not the master above it: on "
        "a real machine each sub-master has a core of its own, as it has in virtual time, where "
        "the top's costs are the dearest of this table."
    );
    return table;
}

/// Real ranks, more than there are cores, whose tasks sleep; beside the same in virtual time.
app::TextTable FarmBench::sleeping() const {
    app::TextTable table = farm_table(
        "Real ranks and virtual time",
        "tasks that sleep, one per message, on more ranks than cores",
        {">T", ">ranks", ">real", ">virtual time"},
        2
    );
    for (const double task_seconds : {0.001, 0.01}) {
        for (const std::uint32_t ranks : {2U, 4U, 8U, 16U, 32U, 64U}) {
            note_(fmt::format("{} real ranks, tasks that sleep {} s", ranks, task_seconds));
            const std::uint32_t workers = ranks - 1;
            const FarmPartResult real = run(
                {.kind = FarmPartKind::sleeping,
                 .ranks = ranks,
                 .task_seconds = task_seconds,
                 .seconds = settings_.seconds}
            );
            table.rows.push_back(
                {duration_text(task_seconds),
                 std::to_string(ranks),
                 efficiency_text(real.busy_workers / workers),
                 efficiency_text(virtual_efficiency({costs_, workers, task_seconds}))}
            );
        }
    }
    table.notes.emplace_back(
        "Real ranks share the cores: 63 of them wake up 63,000 times per second where T = 1 ms."
    );
    return table;
}

app::TextTable FarmBench::virtual_time() const {
    app::TextTable table = farm_table(
        "Efficiency in virtual time",
        "the master's state machine with 2 us of latency per message and the costs above",
        {">T", ">P", ">one level, c = 1", ">one level, bundles", ">two levels, bundles"},
        2
    );
    for (const double seconds : {0.001, 0.01, 0.1, 1.0}) {
        for (const std::uint32_t workers : {100U, 1000U, 10000U, 100000U}) {
            if (workers * 0.05 / seconds > 1e6) {
                continue;  // more tasks in the first bundles alone than memory likes
            }
            note_(fmt::format("{} ranks in virtual time, tasks of {} s", workers, seconds));
            table.rows.push_back(
                {duration_text(seconds),
                 std::to_string(workers),
                 efficiency_text(virtual_efficiency({costs_, workers, seconds})),
                 efficiency_text(virtual_efficiency({costs_, workers, seconds, seconds})),
                 efficiency_text(two_levels(workers, seconds))}
            );
        }
    }
    return table;
}

/// The farm between two measurements without it, so that a change of the machine's speed shows.
ParallelEfficiency FarmBench::parallel(double task_seconds) const {
    FarmPart farm{.kind = FarmPartKind::busy, .ranks = 3, .task_seconds = task_seconds};
    farm.predicted_seconds = task_seconds;
    farm.seconds = std::max(settings_.seconds, 60 * task_seconds);
    farm.iterations = iterations_of(task_seconds);
    FarmPart process = farm;
    process.kind = FarmPartKind::alone;
    process.ranks = 1;
    const auto rate_without = [&] {
        const auto results = run_({process, process});
        return results[0].tasks_per_second + results[1].tasks_per_second;
    };
    std::vector<double> efficiencies;
    double before = rate_without();
    for (std::uint32_t i = 0; i < settings_.repeats; ++i) {
        const double rate = run(farm).tasks_per_second;
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

app::TextTable parallel_table(const std::vector<ParallelEfficiency>& parallel) {
    app::TextTable table = farm_table(
        "Parallel efficiency of 3 ranks",
        "whole runs of computing tasks, against two processes that compute without a farm",
        {">T", ">efficiency", ">lowest", ">highest"},
        1
    );
    for (const ParallelEfficiency& efficiency : parallel) {
        table.rows.push_back(
            {duration_text(efficiency.task_seconds),
             efficiency_text(efficiency.median),
             efficiency_text(efficiency.lowest),
             efficiency_text(efficiency.highest)}
        );
    }
    return table;
}

double FarmBench::idle_cpu_share() const {
    note_("a waiting master");
    return run({.kind = FarmPartKind::idle, .ranks = 3, .seconds = std::max(3.0, settings_.seconds)}
    )
        .cpu_share;
}

FarmFigures FarmBench::measure() {
    costs_ = costs_with(emulated_workers);
    group_costs_ = costs_with(group_workers);
    std::vector<app::TextTable> tables{dispatch(), emulated(), groups(), sleeping()};
    std::vector<ParallelEfficiency> parallel;
    for (const double task_seconds : {0.01, 0.05}) {
        note_(fmt::format("parallel efficiency, tasks of {} s", task_seconds));
        parallel.push_back(this->parallel(task_seconds));
    }
    const double idle = idle_cpu_share();
    tables.push_back(virtual_time());
    tables.push_back(parallel_table(parallel));
    return {acceptances(parallel, two_levels(emulated_workers, 0.01), idle), std::move(tables)};
}

Acceptance at_least(std::string text, double wanted, double found) {
    return {
        fmt::format("{} >= {:.2f}", std::move(text), wanted),
        efficiency_text(found),
        found >= wanted};
}

}  // namespace

std::vector<Acceptance> acceptances(
    const std::vector<ParallelEfficiency>& parallel, double goal, double idle_cpu_share
) {
    std::vector<Acceptance> found;
    for (const ParallelEfficiency& efficiency : parallel) {
        const std::string duration = duration_text(efficiency.task_seconds);
        found.push_back(at_least(
            "efficiency of 3 ranks on 2 cores, tasks of " + duration,
            efficiency.task_seconds < 0.05 ? 0.90 : 0.95,
            efficiency.median
        ));
    }
    found.push_back(at_least("efficiency at P = 10^4, T = 10 ms, two levels", 0.95, goal));
    found.push_back(
        {"a waiting master needs less than 0.05 of a core",
         fmt::format("{:.4f}", idle_cpu_share),
         idle_cpu_share < 0.05}
    );
    return found;
}

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
    return FarmBench(settings, run, note).measure();
}

}  // namespace schedfarm::bench
