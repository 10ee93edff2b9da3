// A rate of arrivals that depends on the time of the day, as a change of clock: "points" pass
// evenly, and a point lasts longer where fewer jobs come (Lublin & Feitelson 2003, section 4.3).
// A day has 48 half-hour slots and 48 points; slot i passes weight i of them. Immutable.
#pragma once

#include <array>

namespace schedfarm::models {

inline constexpr int day_slots = 48;
inline constexpr double slot_s = 1800;

class DailyCycle {
  public:
    /// Weights of the slots from midnight on; scaled to a mean of 1. REQUIRES: none is
    /// negative, not all are 0.
    explicit DailyCycle(const std::array<double, day_slots>& weights);

    /// Slot i − 1 (from midnight) gets the probability of i − 1/2 … i + 1/2 for i = 11 … 47, and
    /// the slots before 5:00 those of i = 48 … 58, a day later. `scale` in slots.
    /// REQUIRES: 1e-3 <= shape <= 1e6, scale > 0, and a day that has jobs.
    static DailyCycle gamma_peak(double shape, double scale);

    const std::array<double, day_slots>& weights() const { return weights_; }

    /// The second at which so many points have passed since a midnight. A day takes day_slots
    /// points. REQUIRES: points >= 0. ENSURES: increasing.
    double seconds(double points) const;

  private:
    std::array<double, day_slots> weights_;
    std::array<double, day_slots + 1> passed_{};  ///< points before each slot
};

}  // namespace schedfarm::models
