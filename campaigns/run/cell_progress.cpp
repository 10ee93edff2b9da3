#include "campaigns/run/cell_progress.hpp"

#include <algorithm>

#include "engine/foundation/expect.hpp"

#include "campaigns/run/precision_rule.hpp"

namespace schedfarm::campaigns {

std::optional<std::size_t> column_index(const Cell& cell, const std::string& name) {
    for (std::size_t i = 0; i < cell.columns.size(); ++i) {
        if (cell.columns[i].name == name) {
            return i;
        }
    }
    return std::nullopt;
}

std::optional<QuantileSource> quantile_source(const Cell& cell, const std::string& column) {
    for (std::size_t i = 0; i < cell.sketches.size(); ++i) {
        for (const engine::SketchedQuantile& quantile : cell.sketches[i].quantiles) {
            if (quantile.column == column) {
                return QuantileSource{i, quantile.probability};
            }
        }
    }
    return std::nullopt;
}

CellProgress::CellProgress(const Cell& cell, Governance governance)
    : cell_(cell)
    , governance_(governance)
    , utilization_(cell.utilization)
    , decision_(first_decision(cell)) {}

std::uint64_t CellProgress::dispatch_limit() const {
    if (!decision_.is_open()) {
        return decision_.n;
    }
    if (waits_for_load()) {
        return 0;
    }
    // A rule cannot decide past a hole: no speculation then.
    return hole_ ? decision_.next_check : decision_.dispatch_limit;
}

std::uint64_t CellProgress::ready() const {
    const std::uint64_t limit = dispatch_limit();
    if (limit <= next_dispatch_) {
        return 0;
    }
    if (limit >= dispatched_.size()) {
        return limit - dispatched_count_;
    }
    // Suspects and outcomes of a journal may lie beyond what is wanted now.
    const auto at = [this](std::uint64_t index) {
        return dispatched_.begin() + static_cast<std::ptrdiff_t>(index);
    };
    return static_cast<std::uint64_t>(std::count(at(next_dispatch_), at(limit), false));
}

std::optional<std::uint32_t> CellProgress::next_replication() {
    if (ready() == 0) {
        return std::nullopt;
    }
    const auto replication = static_cast<std::uint32_t>(next_dispatch_);
    mark_dispatched(replication);
    return replication;
}

bool CellProgress::dispatch(std::uint32_t replication) {
    const bool is_dispatched = replication < dispatched_.size() && dispatched_[replication];
    if (is_dispatched || replication >= dispatch_limit()) {
        return false;
    }
    mark_dispatched(replication);
    return true;
}

void CellProgress::mark_dispatched(std::uint64_t replication) {
    dispatched_.resize(std::max<std::size_t>(dispatched_.size(), replication + 1), false);
    if (dispatched_[replication]) {
        return;
    }
    dispatched_[replication] = true;
    ++dispatched_count_;
    while (next_dispatch_ < dispatched_.size() && dispatched_[next_dispatch_]) {
        ++next_dispatch_;
    }
}

void CellProgress::accept(std::uint32_t replication, ReplicationOutcome outcome) {
    if (outcomes_.size() <= replication) {
        outcomes_.resize(replication + std::size_t{1});
    }
    SCHEDFARM_EXPECT(
        !outcome.observations || outcome.observations->values.size() == cell_.columns.size(),
        "observations do not match the cell's columns"
    );
    mark_dispatched(replication);
    const auto& former = outcomes_[replication];
    computed_ += former ? 0U : 1U;
    failed_ -= former && !former->observations ? 1U : 0U;
    failed_ += outcome.observations ? 0U : 1U;
    seconds_ += outcome.seconds;
    outcomes_[replication] = std::move(outcome);
    advance_prefix();
    take_decisions();
}

void CellProgress::advance_prefix() {
    while (prefix_ < outcomes_.size() && outcomes_[prefix_] && outcomes_[prefix_]->observations) {
        if (!overflow_ && observed(prefix_).overflow) {
            overflow_ = prefix_;
        }
        ++prefix_;
    }
    hole_.reset();
    if (prefix_ < outcomes_.size() && outcomes_[prefix_]) {
        hole_ = prefix_;
    }
}

void CellProgress::take_decisions() {
    if (governance_ != Governance::own) {
        return;
    }
    while (decision_.is_open()) {
        if (overflow_ && *overflow_ < decision_.next_check) {
            decision_.end = CellEnd::unstable;
            decision_.n = *overflow_ + 1;
        } else if (prefix_ >= decision_.next_check) {
            decision_ = decide_at(*this, decision_.next_check);
        } else {
            return;
        }
    }
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
    return !decision_.is_open() || (hole_ && nothing_more);
}

std::uint64_t CellProgress::used() const {
    return decision_.is_open() ? std::min(prefix_, decision_.next_check) : decision_.n;
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

MetricSample CellProgress::metric_sample(const std::string& metric, std::uint64_t n) const {
    const bool is_loss = metric == "capacity_loss";
    if (cell_.experiment.kind == engine::ExperimentKind::saturated
        && (is_loss || metric == "gross_utilization")) {
        MetricSample sample{
            column(*column_index(cell_, "busy_area"), n),
            column(*column_index(cell_, "capacity_area"), n)};
        for (std::size_t i = 0; is_loss && i < sample.values.size(); ++i) {
            sample.values[i] = sample.denominators[i] - sample.values[i];
        }
        return sample;
    }
    const auto index = column_index(cell_, metric);
    SCHEDFARM_EXPECT(index.has_value(), "metric '" + metric + "' is not observed");
    MetricSample sample{column(*index, n), {}};
    const auto source = quantile_source(cell_, metric);
    if (source && !overflow(n)) {
        sample.probability = source->probability;
        for (std::uint64_t i = 0; i < n; ++i) {
            sample.sketches.push_back(&observed(i).sketches.at(source->sketch));
        }
    }
    return sample;
}

std::optional<std::uint64_t> CellProgress::overflow(std::uint64_t n) const {
    return overflow_ && *overflow_ < n ? overflow_ : std::nullopt;
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
        sum += outcomes_[i]->seconds;
    }
    return sum;
}

double CellProgress::mean_seconds() const {
    return computed_ == 0 ? 0 : seconds_ / static_cast<double>(computed_);
}

}  // namespace schedfarm::campaigns
