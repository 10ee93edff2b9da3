#include "app/run/cell_progress.hpp"

#include <algorithm>
#include <utility>

#include "engine/foundation/expect.hpp"
#include "engine/statistics/pooled_quantile.hpp"

#include "app/campaign/keys/metric_suggestion.hpp"
#include "app/campaign/plan/lengthening.hpp"
#include "app/run/rules/lengthening_rule.hpp"
#include "app/run/rules/precision_rule.hpp"
#include "app/run/twin.hpp"

namespace schedfarm::app {

namespace {

std::uint64_t sum_over(
    const std::map<std::uint32_t, OutcomePrefix>& levels,
    std::uint64_t (OutcomePrefix::*count)() const
) {
    std::uint64_t sum = 0;
    for (const auto& [level, prefix] : levels) {
        sum += (prefix.*count)();
    }
    return sum;
}

}  // namespace

std::optional<std::size_t> column_index(const Cell& cell, const std::string& name) {
    for (std::size_t i = 0; i < cell.measures->columns.size(); ++i) {
        if (cell.measures->columns[i].name == name) {
            return i;
        }
    }
    return std::nullopt;
}

std::optional<QuantileSource> quantile_source(const Cell& cell, const std::string& column) {
    for (std::size_t i = 0; i < cell.measures->sketches.size(); ++i) {
        for (const engine::SketchedQuantile& quantile : cell.measures->sketches[i].quantiles) {
            if (quantile.column == column) {
                return QuantileSource{i, quantile.probability};
            }
        }
    }
    return std::nullopt;
}

std::uint64_t MetricSample::carriers() const {
    return values.size() - static_cast<std::uint64_t>(std::ranges::count(denominators, 0.0));
}

std::optional<engine::Estimate> MetricSample::estimate(
    double confidence, engine::IntervalMethod asked
) const {
    if (!sketches.empty()) {
        return engine::estimate_quantile(sketches, probability, confidence, asked);
    }
    return denominators.empty()
               ? engine::estimate_mean(values, confidence, asked)
               : engine::estimate_sparse_ratio(values, denominators, confidence, method(asked));
}

CellProgress::CellProgress(const Cell& cell, Governance governance)
    : cell_(cell)
    , governance_(governance)
    , utilization_(cell.utilization)
    , now_(&levels_[0])
    , decision_(first_decision(cell)) {}

std::uint64_t CellProgress::dispatch_limit() const {
    if (!decision_.is_open()) {
        return decision_.n;
    }
    if (waits_for_load()) {
        return 0;
    }
    // A rule cannot decide past a hole: no speculation then.
    return hole() ? decision_.next_check : decision_.dispatch_limit;
}

std::uint64_t CellProgress::ready() const {
    return now_->not_dispatched(dispatch_limit());
}

std::uint32_t CellProgress::index_of(std::uint64_t number) const {
    return static_cast<std::uint32_t>(level_ * replications_per_level + number);
}

std::optional<std::uint64_t> CellProgress::fingerprint(std::uint32_t replication) const {
    const auto level = levels_.find(level_of(cell_, replication));
    const std::uint64_t number = position_in_level(cell_, replication);
    const bool is_observed = level != levels_.end() && level->second.has_outcome(number)
                             && level->second.failure(number) == nullptr;
    return is_observed ? std::optional(level->second.observed(number).fingerprint) : std::nullopt;
}

std::optional<std::uint32_t> CellProgress::next_replication() {
    if (ready() == 0) {
        return std::nullopt;
    }
    const std::uint64_t number = now_->next_dispatch();
    now_->mark_dispatched(number);
    return index_of(number);
}

bool CellProgress::dispatch(std::uint32_t replication) {
    const std::uint64_t number = position_in_level(cell_, replication);
    if (level_of(cell_, replication) != level_ || now_->is_dispatched(number)
        || number >= dispatch_limit()) {
        return false;
    }
    now_->mark_dispatched(number);
    return true;
}

void CellProgress::accept(std::uint32_t replication, ReplicationOutcome outcome) {
    SCHEDFARM_EXPECT(
        !outcome.observations
            || outcome.observations->values.size() == cell_.measures->columns.size(),
        "observations do not match the cell's columns"
    );
    levels_[level_of(cell_, replication)].accept(
        position_in_level(cell_, replication), std::move(outcome)
    );
    take_decisions();
}

void CellProgress::take_decisions() {
    if (governance_ == Governance::group) {
        return;
    }
    while (decision_.is_open() && !wanted_level_) {
        const auto overflow = now_->overflow();
        if (overflow && *overflow < decision_.next_check) {
            decision_.end = CellEnd::unstable;
            decision_.n = *overflow + 1;
        } else if (prefix() >= decision_.next_check) {
            decision_ = decide_at(*this, decision_.next_check);
            const auto level = longer_level(*this, decision_);
            if (level && governance_ == Governance::own_but_horizon) {
                wanted_level_ = level;
                decision_.end = CellEnd::undecided;
                decision_.next_check = decision_.dispatch_limit = decision_.n;
            } else if (level) {
                lengthen(*level);
            }
        } else {
            return;
        }
    }
}

void CellProgress::lengthen(std::uint32_t level) {
    SCHEDFARM_EXPECT(level > level_, "a horizon does not become longer");
    const Budget rest = rest_of_budget(*this, decision_.n);
    lengthened_ = std::make_unique<Cell>(cell_);
    lengthened_->experiment.horizon = horizon_at(cell_, level);
    lengthened_->replications.budget = rest;
    level_ = level;
    now_ = &levels_[level];
    decision_ = first_decision(*lengthened_);
    wanted_level_.reset();
    take_decisions();
}

void CellProgress::want(const CellDecision& decision) {
    SCHEDFARM_EXPECT(governance_ == Governance::group, "a cell that decides itself is governed");
    SCHEDFARM_EXPECT(decision.is_open(), "a decision is taken for a wish");
    decision_ = decision;
}

void CellProgress::conclude(const CellDecision& decision) {
    SCHEDFARM_EXPECT(governance_ == Governance::group, "a cell that decides itself is governed");
    SCHEDFARM_EXPECT(!decision.is_open(), "a wish is taken for a decision");
    decision_ = decision;
}

void CellProgress::place_load(double utilization) {
    SCHEDFARM_EXPECT(waits_for_load(), "a load is placed where none is awaited");
    utilization_ = utilization;
    take_decisions();
}

bool CellProgress::finished() const {
    const bool nothing_more = ready() == 0 && in_flight() == 0;
    return !decision_.is_open() || (has_hole() && nothing_more);
}

std::uint64_t CellProgress::used() const {
    return decision_.is_open() ? std::min(prefix(), decision_.next_check) : decision_.n;
}

std::uint64_t CellProgress::predicted() const {
    return decision_.is_open() ? decision_.predicted : decision_.n;
}

std::vector<double> CellProgress::column(std::size_t index, std::uint64_t n) const {
    std::vector<double> values;
    values.reserve(n);
    for (std::uint64_t i = 0; i < n; ++i) {
        values.push_back(observed(i).values[index]);
    }
    return values;
}

MetricSample CellProgress::column_sample(std::size_t index, std::uint64_t n) const {
    MetricSample sample{column(index, n), {}};
    if (const std::string& count = cell_.measures->columns[index].counted_by; !count.empty()) {
        sample.denominators = column(*column_index(cell_, count), n);
        for (std::size_t i = 0; i < sample.values.size(); ++i) {
            const double jobs = sample.denominators[i];
            sample.values[i] = jobs == 0 ? 0 : sample.values[i] * jobs;
        }
    }
    return sample;
}

MetricSample CellProgress::metric_sample(const std::string& metric, std::uint64_t n) const {
    if (is_ratio_of_sums(cell().experiment.kind, metric)) {
        const bool is_loss = metric == "capacity_loss";
        MetricSample sample{
            column(*column_index(cell_, "busy_area"), n),
            column(*column_index(cell_, "capacity_area"), n)};
        sample.is_saturated = true;
        for (std::size_t i = 0; is_loss && i < sample.values.size(); ++i) {
            sample.values[i] = sample.denominators[i] - sample.values[i];
        }
        return sample;
    }
    const auto index = column_index(cell_, metric);
    SCHEDFARM_EXPECT(index.has_value(), "metric '" + metric + "' is not observed");
    MetricSample sample = column_sample(*index, n);
    const auto source = quantile_source(cell_, metric);
    if (source && !overflow(n)) {
        sample.probability = source->probability;
        for (std::uint64_t i = 0; i < n; ++i) {
            sample.sketches.push_back(&observed(i).sketches[source->sketch]);
        }
    }
    if (auto found = estimate_by_twin(*this, metric, n)) {
        sample.values = std::move(found->pseudo_values);
    }
    return sample;
}

std::optional<std::uint64_t> CellProgress::overflow(std::uint64_t n) const {
    const auto overflow = now_->overflow();
    return overflow && *overflow < n ? overflow : std::nullopt;
}

std::uint64_t CellProgress::jobs(std::uint64_t n) const {
    std::uint64_t sum = 0;
    for (std::uint64_t i = 0; i < n; ++i) {
        sum += observed(i).jobs;
    }
    return sum;
}

std::uint64_t CellProgress::events(std::uint64_t n) const {
    std::uint64_t sum = 0;
    for (std::uint64_t i = 0; i < n; ++i) {
        sum += observed(i).events;
    }
    return sum;
}

double CellProgress::seconds(std::uint64_t n) const {
    double sum = 0;
    for (std::uint64_t i = 0; i < n; ++i) {
        sum += now_->timing(i).seconds;
    }
    return sum;
}

double CellProgress::mean_seconds() const {
    const std::uint64_t known = now_->computed();
    return known == 0 ? 0 : now_->seconds() / static_cast<double>(known);
}

std::uint64_t CellProgress::computed() const {
    return sum_over(levels_, &OutcomePrefix::computed);
}

std::uint64_t CellProgress::failed() const {
    return sum_over(levels_, &OutcomePrefix::failed);
}

std::uint64_t CellProgress::in_flight() const {
    return sum_over(levels_, &OutcomePrefix::in_flight);
}

std::vector<IndexedOutcome> CellProgress::all_outcomes() const {
    std::vector<IndexedOutcome> all;
    all.reserve(computed());
    for (const auto& [level, prefix] : levels_) {
        for (std::uint64_t i = 0; i < prefix.size(); ++i) {
            if (prefix.has_outcome(i)) {
                const std::uint64_t index = level * replications_per_level + i;
                all.push_back(
                    {static_cast<std::uint32_t>(index), prefix.timing(i), prefix.failure(i)}
                );
            }
        }
    }
    return all;
}

}  // namespace schedfarm::app
