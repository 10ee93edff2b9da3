#include "models/rigid/daily_cycle.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "engine/foundation/expect.hpp"
#include "engine/random/unit_gamma.hpp"

namespace schedfarm::models {

namespace {

/// The gamma distribution describes a day that begins here.
constexpr int first_slot = 11;

}  // namespace

DailyCycle::DailyCycle(const std::array<double, day_slots>& weights) : weights_(weights) {
    const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
    SCHEDFARM_EXPECT(sum > 0, "no jobs at any time of the day");
    for (std::size_t i = 0; i < day_slots; ++i) {
        weights_[i] *= day_slots / sum;
        passed_[i + 1] = passed_[i] + weights_[i];
    }
    passed_[day_slots] = day_slots;
}

DailyCycle DailyCycle::gamma_peak(double shape, double scale) {
    const engine::UnitGamma gamma(shape);
    std::array<double, day_slots> weights{};
    for (int i = first_slot; i < first_slot + day_slots; ++i) {
        weights[static_cast<std::size_t>((i - 1) % day_slots)] =
            gamma.probability((i + 0.5) / scale) - gamma.probability((i - 0.5) / scale);
    }
    return DailyCycle(weights);
}

double DailyCycle::seconds(double points) const {
    const double days = std::floor(points / day_slots);
    const double today = std::clamp(points - days * day_slots, 0.0, double{day_slots});
    const auto* const next = std::upper_bound(passed_.begin() + 1, passed_.end() - 1, today);
    const auto slot = static_cast<std::size_t>(next - passed_.begin()) - 1;
    const double part =
        weights_[slot] > 0 ? std::min((today - passed_[slot]) / weights_[slot], 1.0) : 1.0;
    return (days * day_slots + static_cast<double>(slot) + part) * slot_s;
}

}  // namespace schedfarm::models
