#include <algorithm>
#include <cmath>

#include "engine/statistics/selection/comparison.hpp"
#include "engine/statistics/selection/multiple_comparison.hpp"

#include "app/report/diff/cell_matching.hpp"
#include "app/report/diff/diff.hpp"
#include "app/report/number_text.hpp"
#include "app/report/result_view.hpp"
#include "app/report/schedule/named_logs.hpp"

namespace schedfarm::app {

namespace {

using results_schema::ResultError;
using results_schema::ResultFile;
using results_schema::Table;

/// Replications of equal index of one cell and metric.
struct PairedSample {
    std::uint64_t cell = 0;  ///< of A
    std::string metric;
    std::vector<double> a;
    std::vector<double> b;

    bool is_identical() const { return a == b; }
};

/// Indices where both files have a finite number.
PairedSample paired_sample(
    const DiffSide& a, const DiffSide& b, const CellPair& pair, const std::string& metric
) {
    PairedSample sample{pair.a, metric, {}, {}};
    const auto values = [&metric](const DiffSide& side, std::uint64_t cell) {
        return table_of(*side.results, "replications").find(metric) == nullptr
                   ? std::vector<double>()
                   : replication_values(*side.results, cell, metric);
    };
    const std::vector<double> of_a = values(a, pair.a);
    const std::vector<double> of_b = values(b, pair.b);
    for (std::size_t i = 0; i < std::min(of_a.size(), of_b.size()); ++i) {
        if (std::isfinite(of_a[i]) && std::isfinite(of_b[i])) {
            sample.a.push_back(of_a[i]);
            sample.b.push_back(of_b[i]);
        }
    }
    return sample;
}

void expect_common_random_numbers(const DiffSide& a, const DiffSide& b) {
    const std::string seed_a = text_attribute(*a.results, "seed");
    const std::string seed_b = text_attribute(*b.results, "seed");
    if (seed_a != seed_b) {
        throw ResultError(fmt::format(
            "{} and {}: different seeds ({} and {}), so that their replications are no pairs. Use "
            "--mode overlap",
            a.name,
            b.name,
            seed_a,
            seed_b
        ));
    }
}

std::vector<PairedSample> paired_samples(
    const DiffSide& a, const DiffSide& b, const CellMatching& matching, const std::string& wanted
) {
    std::vector<PairedSample> samples;
    const std::vector<std::string> metrics = common_metrics(a, b, wanted);
    for (const CellPair& pair : matching.pairs) {
        for (const std::string& metric : metrics) {
            PairedSample sample = paired_sample(a, b, pair, metric);
            if (sample.a.size() >= 2) {
                samples.push_back(std::move(sample));
            }
        }
    }
    if (samples.empty()) {
        throw ResultError(fmt::format(
            "{} and {}: no cell has two replications of a metric in both (a paired difference "
            "needs two). Use --mode overlap",
            a.name,
            b.name
        ));
    }
    return samples;
}

/// The rows that Holm rejects, each with the interval of its own level.
TextTable differing_table(
    const std::vector<PairedSample>& samples,
    const std::vector<engine::HolmResult>& adjusted,
    double confidence,
    const CellLabels& labels
) {
    TextTable table =
        text_table("Means that differ", {"<cell", "<metric", ">pairs", "<A - B", ">adj. p"}, 2);
    for (std::size_t i = 0; i < samples.size(); ++i) {
        if (adjusted[i].adjusted_p > 1 - confidence) {
            continue;
        }
        const PairedSample& sample = samples[i];
        const auto difference =
            engine::paired_difference(sample.a, sample.b, adjusted[i].confidence);
        table.rows.push_back(
            {labels.label(sample.cell),
             metric_text(sample.metric),
             std::to_string(sample.a.size()),
             interval_text(
                 difference->mean, difference->interval.lower, difference->interval.upper
             ),
             p_text(adjusted[i].adjusted_p)}
        );
    }
    table.notes = {fmt::format(
        "Paired by replication under common random numbers; {}.",
        holm_text(samples.size(), percent_text(confidence))
    )};
    return table;
}

}  // namespace

DiffReport diff_paired(const DiffSide& a, const DiffSide& b, const DiffSettings& settings) {
    expect_common_random_numbers(a, b);
    const CellMatching matching = match_cells(a, b);
    const auto samples = paired_samples(a, b, matching, settings.metric);
    std::vector<double> p_values;
    std::size_t identical = 0;
    for (const PairedSample& sample : samples) {
        p_values.push_back(
            engine::p_value(*engine::paired_difference(sample.a, sample.b, settings.confidence))
        );
        identical += sample.is_identical() ? 1U : 0U;
    }
    TextTable table = differing_table(
        samples,
        engine::holm(p_values, settings.confidence),
        settings.confidence,
        CellLabels(*a.results)
    );
    if (!of_logs_like_it(*a.results).empty()) {
        table.notes.emplace_back(
            "Of a resampled log, these are differences of means over its draws: whether the two "
            "files differ on this log, not on others like it."
        );
    }
    const std::string found = fmt::format(
        "{} of {} means differ at {}; {} are equal replication by replication.",
        table.rows.size(),
        samples.size(),
        percent_text(settings.confidence),
        identical
    );
    return report_of(a, b, matching, found, std::move(table));
}

}  // namespace schedfarm::app
