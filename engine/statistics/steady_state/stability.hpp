// Whether a queue that started empty grows without bound, judged by the waits of
// independent replications. Pure functions.
//
// The wait of an overloaded system grows like t, that of a critically loaded one like
// sqrt t (reflected Brownian motion), that of a stable one slower still and in the end not at all.
// So the mean over the second half of the measured jobs, over that of the first half, tells them
// apart whatever the system and its unit of time: with the warm-up fraction f and the middle
// m = (1 + f) / 2 of the run, a critically loaded system has the ratio
// [∫_m^1 sqrt x dx / (1 − m)] / [∫_f^m sqrt x dx / (m − f)], 1.828 for f = 0, 1.426 for f = 0.2.
//
// A ratio alone would also accuse a large machine that is still filling up: its first jobs wait for
// nothing. But there, as at any load up to the critical one, the waits of replications
// scatter as widely as those of reflected Brownian motion or more, while overload makes them agree:
// their mean over their standard deviation, the steadiness, grows like sqrt t. The mean over the
// second half of a reflected Brownian motion has the steadiness 1.4966, less after a warm-up. A
// long stable run is steady too, but has the ratio 1.
#pragma once

#include <cstdint>
#include <span>

#include "engine/statistics/estimate.hpp"

namespace schedfarm::engine {

/// By replication.
struct QueueGrowth {
    std::span<const double> first_half;   ///< mean wait of the first measured half
    std::span<const double> second_half;  ///< of the second half
    std::span<const double> growth;       ///< rise of the wait per unit of time
    double warm_up_fraction = 0;          ///< of the run, not measured
};

enum class StabilityVerdict : std::uint8_t {
    stable,          ///< neither of the others is seen
    not_stationary,  ///< queueing still rises within the run: too short for a stationary mean
    unstable,        ///< the queue grows without bound
};

struct Stability {
    StabilityVerdict verdict = StabilityVerdict::stable;
    double half_ratio = 0;  ///< second half / first half, both summed; NaN where nothing queued
    Interval ratio;         ///< of half_ratio
    double steadiness =
        0;  ///< mean / standard deviation of the second halves; NaN where nothing queued
    double mean_growth = 0;  ///< NaN below two replications, as are all numbers here
    Interval growth;         ///< of mean_growth
};

/// The ratio of a critically loaded queue. REQUIRES: 0 <= warm_up_fraction < 1.
double critical_growth_ratio(double warm_up_fraction);

/// unstable: the interval of the ratio lies above that of a critically loaded queue, the steadiness
/// above 1.5 by t standard errors (1 / sqrt n at the critical load), and the interval of the mean
/// growth above 0.001. not_stationary: else, and the interval of the ratio lies above 1.05.
/// stable: else, below 8 replications, or where nothing queued.
/// REQUIRES: equally many of the three; 0 <= warm_up_fraction < 1; 0 < confidence < 1.
Stability judge_stability(const QueueGrowth& queue, double confidence);

}  // namespace schedfarm::engine
