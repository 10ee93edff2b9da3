#include "app/run/rules/load_search_rule.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/foundation/expect.hpp"
#include "engine/statistics/estimate.hpp"

namespace schedfarm::app {

namespace {

using engine::LinePoint;
using engine::RootSide;
using engine::SignVerdict;

// In widths. Two loads 0.9 apart: when both are known to lie on their side, the density between
// them is as narrow as asked for. The line is fitted to what lies within five widths.
constexpr double side_distance = 0.45;
constexpr double line_reach = 5;

engine::Interval sought_by(const LoadSearch& search) {
    return {std::max(search.low - search.width, search.low / 2), search.high + search.width};
}

const char* column_of(const LoadSearch& search) {
    return search.criterion == SearchCriterion::drift ? "backlog_change" : "response_time.mean";
}

}  // namespace

LoadSearchRule::LoadSearchRule(CellProgress& cell)
    : GroupRule({&cell})
    , cell_(cell)
    , search_(*cell.cell().load_search)
    , sought_(sought_by(search_))
    , bisection_(sought_.lower, sought_.upper) {
    go_on_at(next_load());
}

void LoadSearchRule::go_on_at(double load) {
    load_of_round_.push_back(load);
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

LoadSearchRule::Found LoadSearchRule::found() const {
    if (beyond_) {
        const double infinity = std::numeric_limits<double>::infinity();
        const bool is_below = *beyond_ == RootSide::below;
        return {{}, {is_below ? 0 : search_.high, is_below ? search_.low : infinity}, {}};
    }
    const engine::Interval density = bisection_.interval(search_.confidence);
    if (line_ && (has_found() || line_->interval.half_width() >= density.half_width())) {
        return {line_->root, line_->interval, line_->standard_error};
    }
    return {bisection_.query(), density, {}};
}

/// What grows with the load is above 0 above the root.
LinePoint LoadSearchRule::point(std::uint64_t replication) const {
    const ObservedReplication observed = cell_.observed(replication);
    const auto value = [&](const char* column) {
        return observed.values[*column_index(cell_.cell(), column)];
    };
    const double load = utilization(static_cast<std::uint32_t>(replication));
    if (search_.criterion == SearchCriterion::response_time) {
        // A queue beyond its limit counts as a response time of twice the threshold.
        const double response =
            observed.overflow ? 2 * search_.threshold : value("response_time.mean");
        return {load, response - search_.threshold, response};
    }
    if (observed.overflow) {  // the backlog has grown to the limit; a job brings load × its share
        const auto& horizon = cell_.cell().experiment.horizon;
        const auto start = static_cast<double>(horizon.start_backlog);
        const double come = static_cast<double>(observed.overflow->jobs_submitted) - start;
        const double grown = static_cast<double>(horizon.queue_limit) - start;
        return {load, load * observed.overflow->time * grown / come, observed.overflow->time};
    }
    return {load, value("backlog_change"), value("backlog_time")};
}

std::vector<LinePoint> LoadSearchRule::visit() const {
    std::vector<LinePoint> points;
    const std::uint64_t end = search_.round * load_of_round_.size();
    for (std::uint64_t i = first_at_load_; i < end; ++i) {
        points.push_back(point(i));
    }
    return points;
}

void LoadSearchRule::advance() {
    while (cell_.decision().is_open() && cell_.prefix() >= search_.round * load_of_round_.size()) {
        finish_round();
    }
}

void LoadSearchRule::finish_round() {
    const std::vector<LinePoint> points = visit();
    std::vector<double> changes;
    for (const LinePoint& point : points) {
        changes.push_back(point.change);
    }
    const SignVerdict verdict = engine::sign_test(changes, search_.reliability);
    const bool is_last = load_of_round_.size() >= search_.most_rounds;
    const bool is_patient = points.size() < patience_ * search_.round;
    if (verdict == SignVerdict::undecided && is_patient && !is_last) {
        go_on_at(load_of_round_.back());
        return;
    }
    end_visit(points, verdict);
    if (beyond_) {
        conclude(CellEnd::not_bracketed);
    } else if (has_found()) {
        conclude(CellEnd::met);
    } else if (is_last) {
        conclude(CellEnd::cap);
    } else {
        first_at_load_ = search_.round * load_of_round_.size();
        go_on_at(next_load());
    }
}

void LoadSearchRule::end_visit(const std::vector<LinePoint>& points, SignVerdict verdict) {
    SearchStep step;
    step.first_replication = first_at_load_;
    step.replications = points.size();
    step.utilization = load_of_round_.back();
    std::vector<double> changes;
    std::vector<double> scales;
    for (const LinePoint& point : points) {
        changes.push_back(point.change);
        scales.push_back(point.scale);
    }
    const auto ratio = engine::estimate_ratio(changes, scales, search_.confidence);
    step.observed = ratio ? ratio->mean : std::nan("");
    step.standard_error = ratio ? ratio->standard_error : std::nan("");
    if (verdict != SignVerdict::undecided) {
        take_answer(step, verdict == SignVerdict::positive ? RootSide::below : RootSide::above);
    }
    if (centre_) {
        note_verification(step);
    } else if (!step.side) {
        centre_ = step.utilization;
    } else if (is_short(bisection_.interval(search_.confidence))) {
        centre_ = bisection_.query();
    }
    step.median = bisection_.query();
    step.interval = bisection_.interval(search_.confidence);
    steps_.push_back(step);
    locate();
}

void LoadSearchRule::take_answer(SearchStep& step, RootSide side) {
    step.side = side;
    step.reliability = search_.reliability;
    if (step.utilization > sought_.lower && step.utilization < sought_.upper) {
        bisection_.update(step.utilization, side, search_.reliability);
    } else if ((side == RootSide::below) == (step.utilization <= sought_.lower)) {
        beyond_ = side;
    }
}

void LoadSearchRule::note_verification(const SearchStep& step) {
    if (!step.side) {
        patience_ *= 2;
        return;
    }
    const bool is_lower = step.utilization < *centre_ || step.utilization <= sought_.lower;
    const bool is_as_expected = (*step.side == RootSide::above) == is_lower;
    if (is_as_expected) {
        (is_lower ? lower_is_verified_ : upper_is_verified_) = true;
    } else {
        lower_is_verified_ = upper_is_verified_ = false;
    }
}

void LoadSearchRule::locate() {
    if (!centre_) {
        return;
    }
    line_ = line_around(*centre_);
    if (line_) {
        const double root = std::clamp(line_->root, sought_.lower, sought_.upper);
        if (auto again = line_around(root)) {
            line_ = std::move(again);
        }
    }
    centre_ = line_ ? std::clamp(line_->root, sought_.lower, sought_.upper) : bisection_.query();
    if (has_found()) {
        const engine::Interval& interval = line_->interval;
        if (interval.upper < search_.low || interval.lower > search_.high) {
            beyond_ = interval.upper < search_.low ? RootSide::below : RootSide::above;
        }
    }
}

std::optional<engine::LineRoot> LoadSearchRule::line_around(double centre) const {
    std::vector<LinePoint> points;
    for (const SearchStep& step : steps_) {
        if (std::fabs(step.utilization - centre) <= line_reach * search_.width) {
            for (std::uint64_t i = 0; i < step.replications; ++i) {
                points.push_back(point(step.first_replication + i));
            }
        }
    }
    return engine::line_root(points, search_.confidence);
}

LoadSearchRule::Sides LoadSearchRule::sides() const {
    const double distance = side_distance * search_.width;
    return {
        std::max(sought_.lower, *centre_ - distance), std::min(sought_.upper, *centre_ + distance)};
}

double LoadSearchRule::next_load() const {
    if (!centre_) {
        return bisection_.query();
    }
    const Sides at = sides();
    if (is_short(bisection_.interval(search_.confidence))
        && lower_is_verified_ != upper_is_verified_) {
        return lower_is_verified_ ? at.upper : at.lower;
    }
    const bool more_below = bisection_.mass_below(at.lower) >= 1 - bisection_.mass_below(at.upper);
    return more_below ? at.lower : at.upper;
}

bool LoadSearchRule::is_short(const engine::Interval& interval) const {
    return interval.upper - interval.lower <= search_.width;
}

bool LoadSearchRule::has_found() const {
    const engine::Interval density = bisection_.interval(search_.confidence);
    return line_ && is_short(line_->interval) && is_short(density) && density.contains(line_->root)
           && lower_is_verified_ && upper_is_verified_;
}

void LoadSearchRule::conclude(CellEnd end) {
    CellDecision decision = cell_.decision();
    decision.end = end;
    decision.n = search_.round * load_of_round_.size();
    decision.most_demanding = column_of(search_);
    cell_.conclude(decision);
}

}  // namespace schedfarm::app
