#include "engine/statistics/bounded_interval.hpp"

#include <cmath>

#include "engine/foundation/elementary.hpp"

namespace schedfarm::engine {

namespace {

/// On the scale of log(x − least): the ends lie at the same ratio to the mean.
Interval on_log_scale(const Estimate& estimate, double least, double side) {
    const double above = estimate.mean - least;
    const double ratio = exponential(side / above);
    return {least + above / ratio, least + above * ratio};
}

/// On the scale of the odds (x − least) / (greatest − x).
Interval on_logit_scale(const Estimate& estimate, const ValueRange& range, double side) {
    const double below = range.greatest - estimate.mean;
    const double above = estimate.mean - range.least;
    const double length = range.greatest - range.least;
    const double ratio = exponential(side * length / (above * below));
    const auto value = [&](double odds) {  // from the end that is nearer, which loses no digits
        return odds < 1 ? range.least + length * odds / (1 + odds)
                        : range.greatest - length / (1 + odds);
    };
    return {value(above / below / ratio), value(above / below * ratio)};
}

/// All n replications have the same end of the range.
Interval by_rule_of_three(const Estimate& estimate, const ValueRange& range) {
    const double others = 1 - power(1 - estimate.confidence, 1 / static_cast<double>(estimate.n));
    const double length = others * (range.greatest - range.least);
    return estimate.mean == range.least ? Interval{range.least, range.least + length}
                                        : Interval{range.greatest - length, range.greatest};
}

}  // namespace

Interval interval_within(const Estimate& estimate, const ValueRange& range) {
    const Interval& own = estimate.interval;
    if (estimate.has_too_few()) {
        return own;
    }
    const bool is_bounded = std::isfinite(range.greatest);
    const bool is_at_end = estimate.mean == range.least || estimate.mean == range.greatest;
    if (is_bounded && is_at_end && estimate.standard_error == 0) {
        return by_rule_of_three(estimate, range);
    }
    const bool lies_within = own.lower >= range.least && own.upper <= range.greatest;
    const bool has_scale = estimate.mean > range.least && estimate.mean < range.greatest;
    if (!lies_within && is_at_end) {  // by rounding
        return {std::fmax(own.lower, range.least), std::fmin(own.upper, range.greatest)};
    }
    if ((lies_within && !estimate.carriers) || !has_scale || !(estimate.standard_error > 0)
        || !std::isfinite(estimate.standard_error)) {
        return own;
    }
    const double side = estimate.standard_error * estimate.factor();
    return is_bounded ? on_logit_scale(estimate, range, side)
                      : on_log_scale(estimate, range.least, side);
}

Estimate within(Estimate estimate, const ValueRange& range) {
    estimate.interval = interval_within(estimate, range);
    return estimate;
}

}  // namespace schedfarm::engine
