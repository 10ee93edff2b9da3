#include "app/run/rules/cell_stability.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "app/campaign/checks/fixed_jobs.hpp"
#include "app/campaign/plan/steady_state.hpp"
#include "app/run/cell_progress.hpp"

namespace schedfarm::app {

namespace {

constexpr const char* growth_column = "backlog_growth";
constexpr const char* warm_up_column = "wait.warm_up";
constexpr const char* first_half_column = "wait.first_half";
constexpr const char* second_half_column = "wait.second_half";

/// Fewer measured jobs say nothing about growth.
constexpr std::uint64_t fewest_jobs = 20;

double warm_up_fraction(const engine::Horizon& horizon) {
    return static_cast<double>(horizon.warm_up_jobs) / static_cast<double>(horizon.jobs);
}

std::vector<double> values_of(const CellProgress& cell, const char* column, std::uint64_t n) {
    return cell.column(*column_index(cell.cell(), column), n);
}

std::vector<double> values_of(
    const CellProgress& cell, const char* column, std::span<const std::uint64_t> replications
) {
    const std::size_t index = *column_index(cell.cell(), column);
    std::vector<double> values;
    for (const std::uint64_t replication : replications) {
        values.push_back(cell.observed(replication).values[index]);
    }
    return values;
}

/// By replication, over both halves of the measured jobs.
std::vector<double> measured_queueing(
    const CellProgress& cell, std::span<const std::uint64_t> replications
) {
    const engine::Horizon& horizon = cell.cell().experiment.horizon;
    const std::uint64_t measured = horizon.jobs - horizon.warm_up_jobs;
    const double first_share = static_cast<double>(measured / 2) / static_cast<double>(measured);
    std::vector<double> values = values_of(cell, first_half_column, replications);
    const std::vector<double> second = values_of(cell, second_half_column, replications);
    for (std::size_t i = 0; i < values.size(); ++i) {
        values[i] = first_share * values[i] + (1 - first_share) * second[i];
    }
    return values;
}

/// Then waits agree because the jobs are the same, and grow as the log's load does:
/// judge_stability() needs independent replications.
bool repeats_one_log(const Cell& cell) {
    return !cell.log_blocks && !facts_of(*cell.workload).logs.empty();
}

double sum_of(const std::vector<double>& values) {
    double sum = 0;
    for (const double value : values) {
        sum += value;
    }
    return sum;
}

/// Means whose start is judged: those with a target, and where none has one all that are printed.
std::vector<MetricTarget> judged_means(const Cell& cell) {
    std::vector<MetricTarget> means = cell.replications.targets;
    std::erase_if(means, [&](const auto& target) {
        return !depends_on_queue(cell, target.metric);
    });
    for (const engine::ObservationColumn& column : cell.measures->columns) {
        if (cell.replications.targets.empty() && column.name.ends_with(".mean")
            && depends_on_queue(cell, column.name)) {
            engine::PrecisionTarget printed;
            printed.confidence = cell.replications.confidence;
            printed.method = cell.replications.method;
            means.push_back({column.name, printed});
        }
    }
    return means;
}

}  // namespace

bool observes_stability(const CellProgress& cell) {
    const Cell& description = cell.cell();
    const engine::Horizon& horizon = description.experiment.horizon;
    return horizon.start_backlog == 0 && horizon.jobs >= horizon.warm_up_jobs + fewest_jobs
           && !description.load_search && column_index(description, growth_column)
           && column_index(description, second_half_column);
}

double StartOfMeans::factor_of(const std::string& metric, const MetricSample& sample) const {
    if (metric == "response_time.mean") {
        return waits / sum_of(sample.values);
    }
    const double upper = bias.interval.upper;
    if (sample.sketches.empty() || !(upper > 0 && upper < 1)) {
        return 1;
    }
    const double length = engine::relaxation_times_for(upper, warm_up_fraction);
    return engine::start_bias_of_quantile(length, warm_up_fraction, sample.probability) / upper;
}

std::optional<StartOfMeans> start_of_means(const CellProgress& cell, std::uint64_t n) {
    if (!observes_stability(cell)) {
        return std::nullopt;
    }
    std::vector<std::uint64_t> replications(n);
    std::iota(replications.begin(), replications.end(), 0);
    return start_of_means(cell, replications);
}

std::optional<StartOfMeans> start_of_means(
    const CellProgress& cell, std::span<const std::uint64_t> replications
) {
    const Cell& description = cell.cell();
    if (!asks_for_steady_state(description) || !column_index(description, warm_up_column)
        || !column_index(description, second_half_column)) {
        return std::nullopt;
    }
    const double warm_up = warm_up_fraction(description.experiment.horizon);
    const std::vector<double> queueing = measured_queueing(cell, replications);
    const auto bias = engine::estimate_start_bias(
        values_of(cell, warm_up_column, replications), queueing, warm_up, start_confidence
    );
    return bias ? std::optional(StartOfMeans{*bias, warm_up, sum_of(queueing)}) : std::nullopt;
}

std::optional<CellStart> start_of(
    const CellProgress& cell, std::uint64_t n, std::span<const MetricTarget> of_group
) {
    const auto found = start_of_means(cell, n);
    if (!found) {
        return std::nullopt;
    }
    constexpr double unlimited = std::numeric_limits<double>::infinity();
    CellStart start{found->bias, unlimited, unlimited};
    std::vector<MetricTarget> means = judged_means(cell.cell());
    means.insert(means.end(), of_group.begin(), of_group.end());
    for (const MetricTarget& target : means) {
        const MetricSample sample = cell.metric_sample(target.metric, n);
        const auto estimate = sample.estimate(target.target.confidence, target.target.method);
        if (!estimate || std::isnan(estimate->mean)) {
            continue;
        }
        const double per_side =
            start_share / std::fabs(estimate->mean) / found->factor_of(target.metric, sample);
        start.allowed = std::min(start.allowed, per_side * estimate->longer_side());
        if (target.target.relative || target.target.absolute) {
            start.allowed_at_target = std::min(
                start.allowed_at_target,
                per_side * engine::allowed_side(target.target, estimate->mean)
            );
        }
    }
    return start.allowed == unlimited ? std::nullopt : std::optional(start);
}

CellStability stability_of(const CellProgress& cell, std::uint64_t n) {
    CellStability stability;
    stability.overflow_replication = cell.overflow(n);
    if (stability.overflow_replication) {
        stability.overflow = cell.observed(*stability.overflow_replication).overflow;
        n = *stability.overflow_replication;
    }
    if (observes_stability(cell)) {
        const std::vector<double> first = values_of(cell, first_half_column, n);
        const std::vector<double> second = values_of(cell, second_half_column, n);
        const std::vector<double> growth = values_of(cell, growth_column, n);
        stability.growth = engine::judge_stability(
            {first, second, growth, warm_up_fraction(cell.cell().experiment.horizon)},
            stability_confidence
        );
        stability.verdict = stability.growth.verdict;
        if (is_overloaded(cell.cell())) {
            stability.verdict = engine::StabilityVerdict::unstable;
        } else if (stability.verdict == engine::StabilityVerdict::unstable && repeats_one_log(cell.cell())) {
            stability.verdict = engine::StabilityVerdict::not_stationary;
        }
        stability.start = start_of(cell, n);
        if (stability.verdict == engine::StabilityVerdict::stable && stability.is_biased()) {
            stability.verdict = engine::StabilityVerdict::not_stationary;
        }
    }
    if (stability.overflow) {
        stability.verdict = engine::StabilityVerdict::unstable;
    }
    return stability;
}

}  // namespace schedfarm::app
