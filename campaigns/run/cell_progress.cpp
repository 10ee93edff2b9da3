#include "campaigns/run/cell_progress.hpp"

#include <algorithm>

#include "engine/foundation/expect.hpp"

namespace schedfarm::campaigns {

std::optional<std::size_t> column_index(const Cell& cell, const std::string& name) {
    for (std::size_t i = 0; i < cell.columns.size(); ++i) {
        if (cell.columns[i].name == name) {
            return i;
        }
    }
    return std::nullopt;
}

CellProgress::CellProgress(const Cell& cell) : cell_(cell) {
    const engine::ReplicationLimits& limits = cell.replications.limits;
    checkpoint_ = cell.replications.targets.empty() ? limits.max : std::min(limits.min, limits.max);
    decision_.next_check = checkpoint_;
    decision_.predicted = checkpoint_;
}

std::uint64_t CellProgress::dispatch_limit() const {
    if (decision_.state != engine::StopState::go_on) {
        return decision_.n;
    }
    if (hole_) {
        return checkpoint_;  // the rule cannot decide past a hole: no speculation
    }
    // As far as the prediction reaches, in whole checkpoints, so that little is computed in vain.
    const engine::ReplicationLimits& limits = cell_.replications.limits;
    std::uint64_t limit = checkpoint_;
    for (std::uint64_t next = limit; next <= decision_.predicted && next < limits.max;) {
        limit = next;
        next = engine::next_checkpoint(next, limits);
    }
    return limit;
}

std::uint64_t CellProgress::ready() const {
    const std::uint64_t limit = dispatch_limit();
    return limit > next_dispatch_ ? limit - next_dispatch_ : 0;
}

std::optional<std::uint32_t> CellProgress::next_replication() {
    if (ready() == 0) {
        return std::nullopt;
    }
    dispatched_.resize(std::max<std::size_t>(dispatched_.size(), next_dispatch_ + 1), false);
    dispatched_[next_dispatch_] = true;
    ++dispatched_count_;
    const auto replication = static_cast<std::uint32_t>(next_dispatch_);
    skip_dispatched();
    return replication;
}

void CellProgress::skip_dispatched() {
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
    if (dispatched_.size() <= replication) {
        dispatched_.resize(replication + std::size_t{1}, false);
    }
    if (!dispatched_[replication]) {
        dispatched_[replication] = true;
        ++dispatched_count_;
        skip_dispatched();
    }
    if (!outcomes_[replication]) {
        ++computed_;
    }
    seconds_ += outcome.seconds;
    outcomes_[replication] = std::move(outcome);
    advance_prefix();
    take_decisions();
}

void CellProgress::advance_prefix() {
    while (prefix_ < outcomes_.size() && outcomes_[prefix_] && outcomes_[prefix_]->observations) {
        ++prefix_;
    }
    hole_.reset();
    if (prefix_ < outcomes_.size() && outcomes_[prefix_]) {
        hole_ = prefix_;
    }
}

void CellProgress::take_decisions() {
    while (decision_.state == engine::StopState::go_on && prefix_ >= checkpoint_) {
        std::vector<MetricSample> samples;
        for (const MetricTarget& target : cell_.replications.targets) {
            samples.push_back(metric_sample(target.metric, checkpoint_));
        }
        std::vector<engine::TargetObservations> observations;
        for (std::size_t i = 0; i < samples.size(); ++i) {
            observations.push_back(
                {cell_.replications.targets[i].target, samples[i].values, samples[i].denominators}
            );
        }
        decision_ = engine::decide(observations, checkpoint_, cell_.replications.limits);
        if (decision_.state == engine::StopState::go_on && grows_without_bound(checkpoint_)) {
            decision_.state = engine::StopState::cap_reached;
            decision_.n = checkpoint_;
        }
        if (decision_.state == engine::StopState::go_on) {
            checkpoint_ = decision_.next_check;
        }
    }
}

bool CellProgress::finished() const {
    const bool nothing_more = ready() == 0 && in_flight() == 0;
    return decision_.state != engine::StopState::go_on || (hole_ && nothing_more);
}

std::uint64_t CellProgress::used() const {
    return decision_.state == engine::StopState::go_on ? std::min(prefix_, checkpoint_)
                                                       : decision_.n;
}

std::uint64_t CellProgress::predicted() const {
    return decision_.state == engine::StopState::go_on
               ? std::clamp(decision_.predicted, checkpoint_, cell_.replications.limits.max)
               : decision_.n;
}

std::vector<double> CellProgress::column(std::size_t index, std::uint64_t n) const {
    std::vector<double> values;
    values.reserve(n);
    for (std::uint64_t i = 0; i < n; ++i) {
        values.push_back(outcomes_[i]->observations->values[index]);
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
    return {column(*index, n), {}};
}

bool CellProgress::grows_without_bound(std::uint64_t n) const {
    const auto index = column_index(cell_, "backlog_growth");
    if (!index || n < 2) {
        return false;
    }
    const auto growth =
        engine::estimate_mean(column(*index, n), 0.999, engine::IntervalMethod::student_t);
    return growth && growth->interval.lower > unstable_growth;
}

double CellProgress::mean_seconds() const {
    return computed_ == 0 ? 0 : seconds_ / static_cast<double>(computed_);
}

}  // namespace schedfarm::campaigns
