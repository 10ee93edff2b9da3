#include <array>
#include <limits>
#include <string>
#include <vector>

#include "engine/statistics/estimate.hpp"
#include "engine/statistics/log_sketch.hpp"
#include "engine/statistics/mser.hpp"

#include "results_schema/schema.hpp"
#include "results_schema/table_filling.hpp"

#include "campaigns/run/analysis_tables.hpp"
#include "campaigns/run/replication.hpp"

namespace schedfarm::campaigns {

namespace {

using results_schema::add_row;
using results_schema::Table;

constexpr double absent = std::numeric_limits<double>::quiet_NaN();
constexpr std::array<double, 4> reported_quantiles = {0.5, 0.9, 0.95, 0.99};
constexpr std::size_t welch_half_window = 5;

/// Replications among the used ones that have not ended early.
std::vector<const engine::Observations*> complete_replications(const CellProgress& cell) {
    std::vector<const engine::Observations*> complete;
    for (std::uint64_t i = 0; i < cell.used(); ++i) {
        if (!cell.observed(i).overflow) {
            complete.push_back(&cell.observed(i));
        }
    }
    return complete;
}

engine::SketchBuckets pooled_sketch(
    const std::vector<const engine::Observations*>& replications, std::size_t position
) {
    engine::LogSketch pooled;
    for (const engine::Observations* replication : replications) {
        pooled.merge(replication->sketches.at(position));
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

/// Calls work(cell, metric, position of its sketch, replications).
template <typename Work>
void for_each_sketch(const CampaignProgress& progress, Work&& work) {
    for (const auto& cell : progress.cells()) {
        const std::vector<std::string> metrics = sketched_metrics(cell->cell());
        const auto replications = complete_replications(*cell);
        for (std::size_t i = 0; i < metrics.size() && !cell->cell().load_search; ++i) {
            work(*cell, metrics[i], i, replications);
        }
    }
}

/// The sectioning interval: the pooled quantile with the spread of the replications' own.
void add_quantile(
    Table& table,
    const CellProgress& cell,
    const std::string& metric,
    const engine::SketchBuckets& pooled,
    const std::vector<double>& own,
    double p
) {
    const double confidence = cell.cell().replications.confidence;
    const auto value = engine::sketch_quantile(pooled, p);
    const auto spread = engine::estimate_mean(own, confidence, engine::IntervalMethod::student_t);
    if (!value || !spread) {
        return;
    }
    const double half = spread->interval.half_width();
    add_row(
        table,
        {{"cell", cell.cell().index},
         {"metric", metric},
         {"probability", p},
         {"value", *value},
         {"lower", *value - half},
         {"upper", *value + half},
         {"confidence", confidence},
         {"jobs", jobs_in(pooled)}}
    );
}

/// The parts of the jobs over the replications that carry a series: columns of equal part.
std::vector<std::vector<double>> ensemble(const CellProgress& cell) {
    std::vector<std::vector<double>> parts;
    const std::uint64_t n = std::min<std::uint64_t>(cell.used(), ensemble_replications);
    for (std::uint64_t i = 0; i < n && !cell.cell().load_search; ++i) {
        const std::vector<double>& series = cell.observed(i).series;
        if (cell.observed(i).overflow || series.empty()) {
            continue;
        }
        parts.resize(series.size());
        for (std::size_t b = 0; b < series.size(); ++b) {
            parts[b].push_back(series[b]);
        }
    }
    return parts;
}

std::vector<double> ensemble_means(const std::vector<std::vector<double>>& parts) {
    std::vector<double> means;
    for (const std::vector<double>& part : parts) {
        double sum = 0;
        for (const double value : part) {
            sum += value;
        }
        means.push_back(sum / static_cast<double>(part.size()));
    }
    return means;
}

std::uint64_t first_job(const Cell& cell, std::size_t part, std::size_t parts) {
    return part * cell.experiment.horizon.jobs / parts;
}

const char* warm_up_verdict(const engine::MserCut& cut, std::uint64_t jobs_cut, const Cell& cell) {
    if (cut.is_at_limit) {
        return "not settled";
    }
    return jobs_cut > cell.experiment.horizon.warm_up_jobs ? "short" : "long enough";
}

}  // namespace

std::vector<std::string> sketched_metrics(const Cell& cell) {
    std::vector<std::string> metrics;
    for (const engine::ProbeRequest& request : cell.probes.requests) {
        if (request.sketch && engine::is_observed(request.metric, cell.experiment.kind)) {
            metrics.emplace_back(engine::metric_name(request.metric));
        }
    }
    return metrics;
}

Table quantiles_table(const CampaignProgress& progress) {
    Table table = results_schema::make_table("quantiles");
    for_each_sketch(
        progress,
        [&](const auto& cell, const auto& metric, std::size_t position, const auto& replications) {
            const engine::SketchBuckets pooled = pooled_sketch(replications, position);
            for (const double p : reported_quantiles) {
                std::vector<double> own;
                for (const engine::Observations* replication : replications) {
                    own.push_back(
                        engine::sketch_quantile(replication->sketches[position], p).value_or(absent)
                    );
                }
                add_quantile(table, cell, metric, pooled, own, p);
            }
        }
    );
    return table;
}

Table sketches_table(const CampaignProgress& progress) {
    Table table = results_schema::make_table("sketches");
    for_each_sketch(
        progress,
        [&](const auto& cell, const auto& metric, std::size_t position, const auto& replications) {
            for (const engine::SketchBucket& bucket : pooled_sketch(replications, position)) {
                const engine::SketchRange range = engine::sketch_range(bucket.index);
                add_row(
                    table,
                    {{"cell", cell.cell().index},
                     {"metric", metric},
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

Table warm_up_table(const CampaignProgress& progress) {
    Table table = results_schema::make_table("warm_up");
    for (const auto& cell : progress.cells()) {
        const auto parts = ensemble(*cell);
        const std::vector<double> average =
            engine::welch_average(ensemble_means(parts), welch_half_window);
        for (std::size_t b = 0; b < parts.size(); ++b) {
            const auto estimate = engine::estimate_mean(
                parts[b], cell->cell().replications.confidence, engine::IntervalMethod::student_t
            );
            const std::uint64_t first = first_job(cell->cell(), b, parts.size());
            add_row(
                table,
                {{"cell", cell->cell().index},
                 {"first_job", first},
                 {"jobs", first_job(cell->cell(), b + 1, parts.size()) - first},
                 {"mean", estimate ? estimate->mean : parts[b].front()},
                 {"standard_error", estimate ? estimate->standard_error : absent},
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
        if (parts.empty()) {
            continue;
        }
        const engine::MserCut cut = engine::mser5(ensemble_means(parts));
        const std::uint64_t jobs_cut = first_job(cell->cell(), cut.cut, parts.size());
        add_row(
            table,
            {{"cell", cell->cell().index},
             {"replications", parts.front().size()},
             {"warm_up_jobs", cell->cell().experiment.horizon.warm_up_jobs},
             {"mser_cut", jobs_cut},
             {"verdict", warm_up_verdict(cut, jobs_cut, cell->cell())}}
        );
    }
    return table;
}

}  // namespace schedfarm::campaigns
