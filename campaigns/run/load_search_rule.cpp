#include "campaigns/run/load_search_rule.hpp"

#include <algorithm>
#include <cmath>

#include "engine/foundation/expect.hpp"
#include "engine/statistics/estimate.hpp"
#include "engine/statistics/student_t.hpp"

namespace schedfarm::campaigns {

namespace {

constexpr double weakest_answer = 0.55;

/// Probability that the mean has the sign that it seems to have, under a flat prior.
double sign_probability(double mean, double standard_error, std::uint64_t n) {
    if (standard_error <= 0) {
        return 1;
    }
    const double t = std::fabs(mean) / standard_error;
    return 1 - engine::student_t_two_sided_tail(t, n - 1) / 2;
}

}  // namespace

LoadSearchRule::LoadSearchRule(CellProgress& cell)
    : GroupRule({&cell})
    , cell_(cell)
    , search_(*cell.cell().load_search)
    , bisection_(search_.low, search_.high) {
    begin_round();
}

void LoadSearchRule::begin_round() {
    load_of_round_.push_back(bisection_.query());
    CellDecision decision;
    decision.n = cell_.prefix();
    decision.next_check = search_.round * load_of_round_.size();
    decision.dispatch_limit = decision.predicted = decision.next_check;
    cell_.want(decision);
}

double LoadSearchRule::utilization(std::uint32_t replication) const {
    const std::size_t round = replication / search_.round;
    SCHEDFARM_EXPECT(round < load_of_round_.size(), "a replication of a round that has no load");
    return load_of_round_[round];
}

double LoadSearchRule::criterion(std::uint64_t replication) const {
    const engine::Observations& observed = cell_.observed(replication);
    const bool is_drift = search_.criterion == SearchCriterion::drift;
    if (observed.overflow) {  // the queue has grown beyond its limit: far above the point
        return is_drift ? 1 : search_.threshold;
    }
    const char* column = is_drift ? "backlog_growth" : "response_time.mean";
    const double value = observed.values[*column_index(cell_.cell(), column)];
    return is_drift ? value : value - search_.threshold;
}

std::vector<double> LoadSearchRule::values_at_load() const {
    std::vector<double> values;
    const std::uint64_t end = search_.round * load_of_round_.size();
    for (std::uint64_t i = first_at_load_; i < end; ++i) {
        values.push_back(criterion(i));
    }
    return values;
}

void LoadSearchRule::advance() {
    while (cell_.decision().is_open() && cell_.prefix() >= search_.round * load_of_round_.size()) {
        finish_round();
    }
}

void LoadSearchRule::finish_round() {
    const std::vector<double> values = values_at_load();
    const engine::SignVerdict verdict = engine::sign_test(values, search_.reliability);
    const bool out_of_patience = values.size() >= std::size_t{patience_rounds} * search_.round;
    const bool is_last = load_of_round_.size() >= search_.most_rounds;
    if (verdict != engine::SignVerdict::undecided || out_of_patience || is_last) {
        answer(values, verdict);
        first_at_load_ = search_.round * load_of_round_.size();
        const engine::Interval interval = bisection_.interval(search_.confidence);
        if (interval.upper - interval.lower <= search_.width) {
            conclude(CellEnd::met);
            return;
        }
    }
    if (is_last) {
        conclude(CellEnd::cap);
        return;
    }
    if (first_at_load_ == search_.round * load_of_round_.size()) {
        begin_round();
        return;
    }
    load_of_round_.push_back(load_of_round_.back());  // the same load again
    CellDecision decision = cell_.decision();
    decision.next_check = decision.dispatch_limit = decision.predicted =
        search_.round * load_of_round_.size();
    cell_.want(decision);
}

void LoadSearchRule::answer(const std::vector<double>& values, engine::SignVerdict verdict) {
    const auto estimate =
        engine::estimate_mean(values, search_.confidence, engine::IntervalMethod::student_t);
    SCHEDFARM_EXPECT(estimate.has_value(), "a round of a search has fewer than two replications");
    SearchStep step;
    step.first_replication = first_at_load_;
    step.replications = values.size();
    step.utilization = load_of_round_.back();
    step.observed = estimate->mean;
    step.standard_error = estimate->standard_error;
    // What grows with the load is positive above the point.
    step.side = estimate->mean > 0 ? engine::RootSide::below : engine::RootSide::above;
    const double seen = sign_probability(step.observed, step.standard_error, estimate->n);
    step.reliability = verdict != engine::SignVerdict::undecided
                           ? search_.reliability
                           : std::clamp(seen, weakest_answer, search_.reliability);
    bisection_.update(step.utilization, step.side, step.reliability);
    step.median = bisection_.query();
    step.interval = bisection_.interval(search_.confidence);
    steps_.push_back(step);
}

void LoadSearchRule::conclude(CellEnd end) {
    CellDecision decision = cell_.decision();
    decision.end = end;
    decision.n = search_.round * load_of_round_.size();
    decision.most_demanding =
        search_.criterion == SearchCriterion::drift ? "backlog_growth" : "response_time.mean";
    cell_.conclude(decision);
}

}  // namespace schedfarm::campaigns
