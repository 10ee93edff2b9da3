#include "bench/farm_bench.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace schedfarm::bench {

namespace {

constexpr double tiny_task_seconds = 1e-6;

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

/// The measurements, each a table of the page.
class FarmBench {
  public:
    FarmBench(const FarmBenchSettings& settings, const FarmPartRunner& run, const Note& note)
        : settings_(settings), run_(run), note_(note) {}

    FarmFigures measure();

  private:
    FarmPartResult run(const FarmPart& part) const { return run_({part}).front(); }
    FarmPartResult median_by_cpu(const FarmPart& part) const;
    app::TextTable dispatch();
    ParallelEfficiency parallel(std::string workers, FarmPart farm) const;
    double idle_cpu_share() const;

    const FarmBenchSettings& settings_;
    const FarmPartRunner& run_;
    const Note& note_;
    double grouped_cpu_ratio_ = 0;
};

FarmPartResult FarmBench::median_by_cpu(const FarmPart& part) const {
    std::vector<FarmPartResult> results;
    for (std::uint32_t i = 0; i < settings_.repeats; ++i) {
        results.push_back(run(part));
    }
    std::sort(results.begin(), results.end(), [](const auto& a, const auto& b) {
        return a.cpu_seconds_per_task < b.cpu_seconds_per_task;
    });
    return results[results.size() / 2];
}

app::TextTable FarmBench::dispatch() {
    app::TextTable table = app::text_table(
        "Dispatch on real workers",
        {">workers", "<of", ">alone", ">master CPU/task", ">bundled", ">master CPU/task"},
        2
    );
    table.source = "empty tasks, results of 1 KiB; alone: one task per bundle, bundled: 256";
    struct Kind {
        const char* name;
        FarmPart part;
    };
    for (const std::uint32_t workers : {1U, 2U, 4U, 8U, 16U}) {
        const FarmPart empty{.kind = FarmPartKind::dispatch, .seconds = settings_.seconds};
        std::vector<Kind> kinds{{"the master", empty}, {"their ranks", empty}};
        kinds[0].part.children = workers;
        kinds[1].part.ranks = workers + 1;
        if (workers > 1) {
            kinds.push_back({"one rank", empty});
            kinds[2].part.ranks = 2;
            kinds[2].part.children = workers;
        }
        std::vector<double> costs;
        for (auto& [name, part] : kinds) {
            note_(fmt::format("dispatch to {} workers of {}", workers, name));
            const FarmPartResult alone = median_by_cpu(part);
            part.predicted_seconds = tiny_task_seconds;
            const FarmPartResult bundled = median_by_cpu(part);
            costs.push_back(alone.cpu_seconds_per_task);
            table.rows.push_back(
                {std::to_string(workers),
                 name,
                 rate_text(alone.tasks_per_second),
                 microseconds_text(alone.cpu_seconds_per_task),
                 rate_text(bundled.tasks_per_second),
                 microseconds_text(bundled.cpu_seconds_per_task)}
            );
        }
        grouped_cpu_ratio_ = costs.back() / costs[1];
    }
    return table;
}

/// The farm between two measurements without it, so that a change of the machine's speed shows.
ParallelEfficiency FarmBench::parallel(std::string workers, FarmPart farm) const {
    const double task_seconds = farm.task_seconds;
    note_(fmt::format("parallel efficiency, {}, tasks of {} s", workers, task_seconds));
    farm.predicted_seconds = task_seconds;
    farm.seconds = std::max(settings_.seconds, 60 * task_seconds);
    farm.iterations = iterations_of(task_seconds);
    FarmPart process = farm;
    process.kind = FarmPartKind::alone;
    process.ranks = 1;
    process.children = 0;
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
        std::move(workers),
        task_seconds,
        efficiencies[efficiencies.size() / 2],
        efficiencies.front(),
        efficiencies.back()};
}

app::TextTable parallel_table(const std::vector<ParallelEfficiency>& parallel) {
    app::TextTable table = app::text_table(
        "Parallel efficiency of two workers",
        {"<workers", ">T", ">efficiency", ">lowest", ">highest"},
        2
    );
    table.source =
        "whole runs of computing tasks, against two processes that compute without a farm";
    for (const ParallelEfficiency& efficiency : parallel) {
        table.rows.push_back(
            {efficiency.workers,
             duration_text(efficiency.task_seconds),
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
    std::vector<app::TextTable> tables{dispatch()};
    std::vector<ParallelEfficiency> parallel;
    for (const double task_seconds : {0.001, 0.01, 0.05}) {
        const FarmPart busy{.kind = FarmPartKind::busy, .task_seconds = task_seconds};
        FarmPart here = busy;
        here.children = 2;
        parallel.push_back(this->parallel("2 children", here));
        FarmPart ranks = busy;
        ranks.ranks = 3;
        parallel.push_back(this->parallel("3 ranks", ranks));
    }
    const double idle = idle_cpu_share();
    tables.push_back(parallel_table(parallel));
    return {acceptances(parallel, grouped_cpu_ratio_, idle), std::move(tables)};
}

}  // namespace

std::vector<Acceptance> acceptances(
    const std::vector<ParallelEfficiency>& parallel, double grouped_cpu_ratio, double idle_cpu_share
) {
    std::vector<Acceptance> found;
    for (const ParallelEfficiency& efficiency : parallel) {
        const double wanted = efficiency.task_seconds < 0.05 ? 0.90 : 0.95;
        found.push_back(
            {fmt::format(
                 "efficiency of {} on 2 cores, tasks of {} >= {:.2f}",
                 efficiency.workers,
                 duration_text(efficiency.task_seconds),
                 wanted
             ),
             efficiency_text(efficiency.median),
             efficiency.median >= wanted}
        );
    }
    found.push_back(
        {"master's cost of a task, one rank of 16 to 16 ranks <= 0.25",
         efficiency_text(grouped_cpu_ratio),
         grouped_cpu_ratio <= 0.25}
    );
    found.push_back(
        {"a waiting master needs less than 0.05 of a core",
         fmt::format("{:.4f}", idle_cpu_share),
         idle_cpu_share < 0.05}
    );
    return found;
}

FarmFigures measure_farm(
    const FarmBenchSettings& settings, const FarmPartRunner& run, const Note& note
) {
    return FarmBench(settings, run, note).measure();
}

}  // namespace schedfarm::bench
