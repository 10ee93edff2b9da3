#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "engine/simulation/measurement/measurement_window.hpp"
#include "engine/statistics/accumulator.hpp"
#include "engine/statistics/bounded_interval.hpp"
#include "engine/statistics/estimate.hpp"
#include "engine/statistics/log_sketch.hpp"
#include "engine/statistics/pooled_quantile.hpp"
#include "engine/statistics/steady_state/mser.hpp"

#include "results_schema/absent.hpp"
#include "results_schema/schema.hpp"
#include "results_schema/tables/table_filling.hpp"

#include "app/campaign/checks/fixed_jobs.hpp"
#include "app/run/replication.hpp"
#include "app/run/tables/analysis_tables.hpp"

namespace schedfarm::app {

namespace {

using results_schema::add_row;
using results_schema::Table;

using results_schema::absent;
constexpr std::array<double, 4> reported_quantiles = {0.5, 0.9, 0.95, 0.99};
constexpr std::size_t welch_half_window = 5;

using Sketches = std::vector<const engine::SketchBuckets*>;

/// Of the used replications that have not ended early.
Sketches complete_sketches(const CellProgress& cell, std::size_t position) {
    Sketches sketches;
    for (std::uint64_t i = 0; i < cell.used(); ++i) {
        const ObservedReplication observed = cell.observed(i);
        if (!observed.overflow) {
            sketches.push_back(&observed.sketches[position]);
        }
    }
    return sketches;
}

engine::SketchBuckets pooled_sketch(const Sketches& sketches) {
    engine::LogSketch pooled;
    for (const engine::SketchBuckets* sketch : sketches) {
        pooled.merge(*sketch);
    }
    return pooled.buckets();
}

std::uint64_t jobs_in(const engine::SketchBuckets& sketch) {
    std::uint64_t jobs = 0;
    for (const engine::SketchBucket& bucket : sketch) {
        jobs += bucket.count;
    }
    return jobs;
}

/// Calls work(cell, position of the sketch, sketches).
template <typename Work>
void for_each_sketch(const CampaignProgress& progress, Work&& work) {
    for (const auto& cell : progress.cells()) {
        for (std::size_t i = 0;
             i < cell->cell().measures->sketches.size() && !cell->cell().load_search;
             ++i) {
            work(*cell, i, complete_sketches(*cell, i));
        }
    }
}

/// Those reported of every sketch and those asked for.
std::set<double> probabilities_of(const engine::SketchDescription& sketch) {
    std::set<double> probabilities(reported_quantiles.begin(), reported_quantiles.end());
    for (const engine::SketchedQuantile& quantile : sketch.quantiles) {
        probabilities.insert(quantile.probability);
    }
    return probabilities;
}

/// Of the column of `/replications`, by which comparisons go; absent where there is none.
double mean_of_own(const CellProgress& cell, const engine::SketchDescription& sketch, double p) {
    const auto asked = std::find_if(
        sketch.quantiles.begin(),
        sketch.quantiles.end(),
        [&](const engine::SketchedQuantile& quantile) { return quantile.probability == p; }
    );
    if (asked == sketch.quantiles.end()) {
        return absent;
    }
    const std::size_t column = column_index(cell.cell(), asked->column).value();
    engine::Accumulator own;
    for (std::uint64_t i = 0; i < cell.used(); ++i) {
        const ObservedReplication observed = cell.observed(i);
        if (!observed.overflow) {
            own.add(observed.values[column]);
        }
    }
    return own.mean().value_or(absent);
}

/// For logs like it where replications resample a log; no quantile of jobs is negative.
engine::Interval interval_shown(const Cell& cell, const engine::Estimate& estimate) {
    return engine::interval_within(
        cell.log_blocks && std::isfinite(estimate.standard_error)
            ? engine::of_logs_like_it(estimate, *cell.log_blocks)
            : estimate,
        engine::not_negative
    );
}

void add_quantiles(
    Table& table, const CellProgress& cell, std::size_t position, const Sketches& sketches
) {
    const double confidence = cell.cell().replications.confidence;
    const std::uint64_t jobs = jobs_in(pooled_sketch(sketches));
    const std::string& metric = cell.cell().measures->sketches[position].metric;
    const Gate gate(cell, cell.used());
    for (const double p : probabilities_of(cell.cell().measures->sketches[position])) {
        const auto estimate =
            engine::estimate_quantile(sketches, p, confidence, cell.cell().replications.method);
        if (estimate) {
            const engine::Interval interval = interval_shown(cell.cell(), *estimate);
            add_row(
                table,
                {{"cell", cell.cell().index},
                 {"metric", metric},
                 {"probability", p},
                 {"value", estimate->mean},
                 {"lower", interval.lower},
                 {"upper", interval.upper},
                 {"confidence", confidence},
                 {"own_mean", mean_of_own(cell, cell.cell().measures->sketches[position], p)},
                 {"jobs", jobs},
                 {"gate",
                  word_of(gate.ask(
                      metric, MetricSample{{}, {}, {sketches.begin(), sketches.end()}, p}, estimate
                  ))}}
            );
        }
    }
}

/// One part of the jobs over the replications that carry a series.
struct EnsemblePart {
    engine::Accumulator values;
    double sum = 0;
};

std::vector<EnsemblePart> ensemble(const CellProgress& cell) {
    std::vector<EnsemblePart> parts;
    const std::uint64_t n = std::min<std::uint64_t>(cell.used(), ensemble_replications);
    for (std::uint64_t i = 0; i < n && !cell.cell().load_search; ++i) {
        const ObservedReplication observed = cell.observed(i);
        const std::span<const double> series = observed.series;
        if (observed.overflow || series.empty()) {
            continue;
        }
        parts.resize(series.size());
        for (std::size_t b = 0; b < series.size(); ++b) {
            parts[b].values.add(series[b]);
            parts[b].sum += series[b];
        }
    }
    return parts;
}

std::vector<double> ensemble_means(const std::vector<EnsemblePart>& parts) {
    std::vector<double> means;
    for (const EnsemblePart& part : parts) {
        means.push_back(part.sum / static_cast<double>(part.values.n()));
    }
    return means;
}

std::uint64_t first_job(const Cell& cell, std::size_t part, std::size_t parts) {
    return part * cell.experiment.horizon.jobs / parts;
}

/// Its beginning is no transient of a process that goes on, but a part of what the log is.
bool is_one_log(const CellProgress& cell) {
    const engine::WorkloadFacts facts = facts_of(*cell.cell().workload);
    return facts.end == engine::JobsEnd::given || (cell.used() == 1 && facts.has_own_arrivals);
}

/// The window of the time averages where it is that of every replication; else NaN.
engine::MeasurementWindow common_window(const CellProgress& progress) {
    const Cell& cell = progress.cell();
    const bool is_common = progress.used() == 1
                           || (progress.used() > 1 && repeats_jobs(*cell.workload)
                               && !cell.experiment.kind.starts_with_all());
    if (!is_common || cell.experiment.kind.keeps_backlog() || cell.load_search
        || progress.overflow(progress.used())) {
        return {absent, absent};
    }
    if (cell.experiment.kind.starts_with_all()) {
        return {0, progress.observed(0).values[*column_index(cell, "makespan")]};
    }
    const auto workload =
        make_workload(cell, {.index = progress.index_of(0), .utilization = progress.utilization()});
    return engine::measurement_window(*workload, cell.experiment.horizon);
}

const char* warm_up_verdict(const engine::MserCut& cut, std::uint64_t jobs_cut, const Cell& cell) {
    if (cut.is_at_limit) {
        return "not settled";
    }
    return jobs_cut > cell.experiment.horizon.warm_up_jobs ? "short" : "long enough";
}

}  // namespace

Table quantiles_table(const CampaignProgress& progress) {
    Table table = results_schema::make_table("quantiles");
    for_each_sketch(
        progress,
        [&](const auto& cell, std::size_t position, const Sketches& sketches) {
            add_quantiles(table, cell, position, sketches);
        }
    );
    return table;
}

Table sketches_table(const CampaignProgress& progress) {
    Table table = results_schema::make_table("sketches");
    for_each_sketch(
        progress,
        [&](const auto& cell, std::size_t position, const Sketches& sketches) {
            for (const engine::SketchBucket& bucket : pooled_sketch(sketches)) {
                const engine::SketchRange range = engine::sketch_range(bucket.index);
                add_row(
                    table,
                    {{"cell", cell.cell().index},
                     {"metric", cell.cell().measures->sketches[position].metric},
                     {"bucket", bucket.index},
                     {"lower", range.lower},
                     {"upper", range.upper},
                     {"count", bucket.count}}
                );
            }
        }
    );
    return table;
}

Table measured_table(const CampaignProgress& progress) {
    Table table = results_schema::make_table("measured");
    for (const auto& cell : progress.cells()) {
        const engine::Horizon& horizon = cell->cell().experiment.horizon;
        if (!cell->cell().experiment.kind.has_time()) {
            continue;
        }
        const engine::MeasurementWindow window = common_window(*cell);
        add_row(
            table,
            {{"cell", cell->cell().index},
             {"first_job", horizon.warm_up_jobs + 1},
             {"last_job", horizon.jobs},
             {"window_begin", window.begin},
             {"window_end", window.end}}
        );
    }
    return table;
}

Table warm_up_table(const CampaignProgress& progress) {
    Table table = results_schema::make_table("warm_up");
    std::size_t most_rows = 0;
    for (const auto& cell : progress.cells()) {
        most_rows += cell->cell().experiment.series_bins;
    }
    results_schema::reserve_rows(table, most_rows);
    for (const auto& cell : progress.cells()) {
        const auto parts = ensemble(*cell);
        const std::vector<double> average =
            engine::welch_average(ensemble_means(parts), welch_half_window);
        for (std::size_t b = 0; b < parts.size(); ++b) {
            const engine::Accumulator& values = parts[b].values;
            const std::uint64_t first = first_job(cell->cell(), b, parts.size());
            add_row(
                table,
                {{"cell", cell->cell().index},
                 {"first_job", first},
                 {"jobs", first_job(cell->cell(), b + 1, parts.size()) - first},
                 {"mean", *values.mean()},
                 {"standard_error", values.standard_error().value_or(absent)},
                 {"moving_average", b < average.size() ? average[b] : absent}}
            );
        }
    }
    return table;
}

Table warm_up_checks_table(const CampaignProgress& progress) {
    Table table = results_schema::make_table("warm_up_checks");
    for (const auto& cell : progress.cells()) {
        const auto parts = ensemble(*cell);
        if (parts.empty() || is_one_log(*cell)) {
            continue;
        }
        const engine::MserCut cut = engine::mser5(ensemble_means(parts));
        const std::uint64_t jobs_cut = first_job(cell->cell(), cut.cut, parts.size());
        add_row(
            table,
            {{"cell", cell->cell().index},
             {"replications", parts.front().values.n()},
             {"warm_up_jobs", cell->cell().experiment.horizon.warm_up_jobs},
             {"mser_cut", jobs_cut},
             {"verdict", warm_up_verdict(cut, jobs_cut, cell->cell())}}
        );
    }
    return table;
}

Table logged_waits_table(const CampaignProgress& progress) {
    Table table = results_schema::make_table("logged_waits");
    for (const auto& cell : progress.cells()) {
        if (cell->used() == 0) {
            continue;
        }
        for (const engine::GroupAgreement& group : cell->observed(0).logged_waits) {
            add_row(
                table,
                {{"cell", cell->cell().index},
                 {"by", group.kind},
                 {"group", group.name},
                 {"jobs", group.values.n},
                 {"logged", group.values.recorded_mean},
                 {"simulated", group.values.modelled_mean},
                 {"within", group.values.share_within},
                 {"rank_agreement", group.values.rank_agreement}}
            );
        }
    }
    return table;
}

}  // namespace schedfarm::app
