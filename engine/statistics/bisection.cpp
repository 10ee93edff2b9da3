#include "engine/statistics/bisection.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "engine/foundation/expect.hpp"

namespace schedfarm::engine {

ProbabilisticBisection::ProbabilisticBisection(double low, double high)
    : ends_{low, high}, masses_{1} {
    SCHEDFARM_EXPECT(
        low < high && std::isfinite(high - low), "a root is sought between two finite bounds"
    );
}

double ProbabilisticBisection::quantile(double p) const {
    SCHEDFARM_EXPECT(p >= 0 && p <= 1, "the probability is not between 0 and 1");
    double below = 0;
    for (std::size_t i = 0; i < masses_.size(); ++i) {
        if (masses_[i] > 0 && below + masses_[i] >= p) {
            const double share = (p - below) / masses_[i];
            const double value = ends_[i] + share * (ends_[i + 1] - ends_[i]);
            return std::clamp(value, ends_[i], ends_[i + 1]);
        }
        below += masses_[i];
    }
    return ends_.back();
}

double ProbabilisticBisection::mass_below(double point) const {
    double below = 0;
    for (std::size_t i = 0; i < masses_.size() && ends_[i] < point; ++i) {
        const double share = (point - ends_[i]) / (ends_[i + 1] - ends_[i]);
        below += masses_[i] * std::min(share, 1.0);
    }
    return below;
}

double ProbabilisticBisection::query() const {
    // Never an end of the interval, however close to it the density has moved.
    const double low = ends_.front();
    const double high = ends_.back();
    const double lowest = std::min(std::nextafter(low, high), high);
    return std::clamp(quantile(0.5), lowest, std::max(std::nextafter(high, low), lowest));
}

Interval ProbabilisticBisection::interval(double confidence) const {
    SCHEDFARM_EXPECT(confidence > 0 && confidence < 1, "the confidence is not between 0 and 1");
    return {quantile((1 - confidence) / 2), quantile((1 + confidence) / 2)};
}

void ProbabilisticBisection::update(double point, RootSide side, double reliability) {
    SCHEDFARM_EXPECT(
        ends_.front() < point && point < ends_.back(), "the point asked lies outside the interval"
    );
    SCHEDFARM_EXPECT(
        reliability > 0.5 && reliability < 1, "the reliability is not between 0.5 and 1"
    );
    const std::size_t first_above = split(point);
    double sum = 0;
    for (std::size_t i = 0; i < masses_.size(); ++i) {
        const RootSide step_side = i < first_above ? RootSide::below : RootSide::above;
        masses_[i] *= step_side == side ? reliability : 1 - reliability;
        sum += masses_[i];
    }
    for (double& mass : masses_) {
        mass /= sum;
    }
}

std::size_t ProbabilisticBisection::split(double point) {
    const auto end = std::lower_bound(ends_.begin(), ends_.end(), point);
    const auto position = end - ends_.begin();
    if (*end == point) {
        return static_cast<std::size_t>(position);
    }
    const auto step = masses_.begin() + position - 1;
    const double low = *(end - 1);
    const double mass_below = *step * ((point - low) / (*end - low));
    const double mass_above = *step - mass_below;
    *step = mass_below;
    masses_.insert(step + 1, mass_above);
    ends_.insert(end, point);
    return static_cast<std::size_t>(position);
}

SignVerdict sign_test(std::span<const double> values, double reliability) {
    SCHEDFARM_EXPECT(
        reliability > 0.5 && reliability < 1, "the reliability is not between 0.5 and 1"
    );
    const auto estimate =
        estimate_mean(values, 2 * reliability - 1, IntervalMethod::confidence_sequence);
    if (estimate && estimate->interval.lower > 0) {
        return SignVerdict::positive;
    }
    return estimate && estimate->interval.upper < 0 ? SignVerdict::negative
                                                    : SignVerdict::undecided;
}

}  // namespace schedfarm::engine
