#include "app/run/rules/load_search_rule.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "engine/foundation/expect.hpp"
#include "engine/statistics/estimate.hpp"

#include "app/campaign/plan/lengthening.hpp"
#include "app/campaign/plan/steady_state.hpp"
#include "app/run/rules/lengthening_rule.hpp"

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

constexpr const char* response_column = "response_time.mean";

const char* column_of(const LoadSearch& search) {
    return search.criterion == SearchCriterion::drift ? "backlog_change" : response_column;
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
    const auto earlier = earlier_loads_.find(level_of(cell_.cell(), replication));
    const std::vector<double>& loads =
        earlier == earlier_loads_.end() ? load_of_round_ : earlier->second;
    const std::size_t round = position_in_level(cell_.cell(), replication) / search_.round;
    SCHEDFARM_EXPECT(round < loads.size(), "a replication of a round that has no load");
    return loads[round];
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
    const double load = load_of_round_[replication / search_.round];
    if (search_.criterion == SearchCriterion::response_time) {
        // A queue beyond its limit counts as a response time of twice the threshold.
        const double response = observed.overflow ? 2 * search_.threshold : value(response_column);
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
    if (is_ended_by_start()) {
        return;
    }
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

/// What the start leaves in the waits of some replications, with what it may take from the response
/// time, as a share: now, and at the width asked for.
std::optional<CellStart> LoadSearchRule::start_of(
    std::span<const std::uint64_t> replications, double allowed, double allowed_at_target
) const {
    const auto found = start_of_means(cell_, replications);
    if (!found) {
        return std::nullopt;
    }
    MetricSample response;
    for (const std::uint64_t replication : replications) {
        response.values.push_back(
            cell_.observed(replication).values[*column_index(cell_.cell(), response_column)]
        );
    }
    const double factor = found->factor_of(response_column, response);
    return CellStart{found->bias, allowed / factor, allowed_at_target / factor};
}

/// By which the root moves a part of the interval: on the scale of the line, 1 − threshold /
/// response time, a bias is that share.
std::optional<CellStart> LoadSearchRule::start_near_root() const {
    if (search_.criterion != SearchCriterion::response_time || !line_) {
        return std::nullopt;
    }
    std::vector<std::uint64_t> near;
    for (const SearchStep& step : steps_) {
        for (std::uint64_t i = 0; i < step.replications; ++i) {
            const std::uint64_t replication = step.first_replication + i;
            if (std::fabs(step.utilization - line_->root) <= search_.width
                && !cell_.observed(replication).overflow) {
                near.push_back(replication);
            }
        }
    }
    const double per_length = start_share * line_->slope;
    return start_of(
        near, per_length * found().interval.half_width(), per_length * search_.width / 2
    );
}

/// Of the last visit, at the upper end of the bounds, whose response time is below the threshold:
/// the bias with which it would not be.
std::optional<CellStart> LoadSearchRule::start_beyond() const {
    if (search_.criterion != SearchCriterion::response_time || beyond_ != RootSide::above) {
        return std::nullopt;
    }
    std::vector<std::uint64_t> last(steps_.back().replications);
    std::iota(last.begin(), last.end(), steps_.back().first_replication);
    const double missing = steps_.back().observed / (steps_.back().observed - 1);
    return start_of(last, missing, missing);
}

bool LoadSearchRule::is_ended_by_start() {
    const bool is_at_end = beyond_ || has_found();
    const auto start = beyond_ && !has_found() ? start_beyond() : start_near_root();
    if (!start) {
        return false;
    }
    const bool is_too_short =
        is_at_end ? start->bias.interval.upper > std::min(start->allowed, start->allowed_at_target)
                  : start->bias.interval.lower > start->allowed_at_target;
    const auto level = is_too_short ? level_for(cell_, *start, cell_.prefix()) : std::nullopt;
    if (level) {
        begin_anew(*level);
    } else if (is_too_short && is_at_end) {
        beyond_.reset();
        conclude(CellEnd::not_stationary);
    }
    return level || (is_too_short && is_at_end);
}

void LoadSearchRule::begin_anew(std::uint32_t level) {
    earlier_loads_[cell_.level()] = std::exchange(load_of_round_, {});
    cell_.lengthen(level);
    bisection_ = engine::ProbabilisticBisection(sought_.lower, sought_.upper);
    first_at_load_ = 0;
    patience_ = first_patience;
    steps_.clear();
    centre_.reset();
    line_.reset();
    beyond_.reset();
    lower_is_verified_ = upper_is_verified_ = false;
    go_on_at(next_load());
}

GateAnswer LoadSearchRule::gate() const {
    if (cell_.decision().end == CellEnd::not_stationary) {
        return GateAnswer::start;
    }
    const auto start = start_near_root();
    return start && start->bias.interval.upper > start->allowed ? GateAnswer::start
                                                                : GateAnswer::passed;
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
