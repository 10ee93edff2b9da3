// How much of an empty start is left in the mean wait of a run. Pure functions.
//
// In heavy traffic the queue of any system with one bottleneck is reflected Brownian motion. From
// empty its mean at time t is the share H1(t) of the stationary mean, whatever the system, with t
// in units of two relaxation times: 1 - H1(t) = 2 [(1 + t) Q(sqrt t) - sqrt t q(sqrt t)], q the
// standard normal density and Q its upper tail (Abate & Whitt, Advances in Applied Probability 19,
// 1987, "Transient behavior of regulated Brownian motion, I"). A relaxation time is
// (1 + c^2) / (2 (1 - load)^2) services of the bottleneck, so many jobs in heavy traffic.
//
// So a run is read off itself: the mean over its warm-up, divided by that over the measured jobs,
// depends on the number of relaxation times alone, and so does the bias. The warm-up shows what the
// start does far more clearly than the halves of the measured jobs: their difference has twice the
// standard error of the mean and no more than twice the bias.
//
// A warm-up of half of the run shows less of the start, and its noise looks like one. But as long
// as it is, the measured part must be short for a bias to be left, and that its mean scatters says
// how short: the autocorrelation of reflected Brownian motion is 2 ∫ (1 − H1) from t to infinity.
#pragma once

#include <optional>
#include <span>

#include "engine/statistics/estimate.hpp"

namespace schedfarm::engine {

/// 1 - (expected mean over the measured part of a run from empty) / (stationary mean).
/// REQUIRES: relaxation_times > 0, 0 <= warm_up_fraction < 1.
double start_bias(double relaxation_times, double warm_up_fraction);

/// The same of the quantile of this probability of all jobs of the measured part: the tail of the
/// wait comes to its stationary form last, so that in long runs the bias of P99 is 2.1 to 2.4 times
/// that of the mean. From P(R(t) > x) = Q((x + t) / sqrt t) + exp(−2x) Q((x − t) / sqrt t), R the
/// reflected Brownian motion. REQUIRES: as start_bias(); a warm-up; 0 < probability < 1.
double start_bias_of_quantile(double relaxation_times, double warm_up_fraction, double probability);

/// Relaxation times of a run that leave this bias; shorter runs leave more.
/// REQUIRES: 0 < bias < 1, 0 <= warm_up_fraction < 1.
double relaxation_times_for(double bias, double warm_up_fraction);

struct StartBias {
    double ratio = 0;   ///< mean over the warm-up / mean over the measured jobs, both summed
    double bias = 0;    ///< of the measured mean, as a share of the stationary one
    Interval interval;  ///< of the bias
};

/// The bias that the replications show; absent below eight of them and where nothing queued. A mean
/// over the warm-up that is above the measured one shows none. From a warm-up of three tenths on
/// the upper end is at most the bias of the shortest run whose measured means scatter as these do,
/// at this confidence, but never below what the ratio itself shows. REQUIRES: equally many of both;
/// 0 < warm_up_fraction < 1; 0 < confidence < 1.
std::optional<StartBias> estimate_start_bias(
    std::span<const double> warm_up,   ///< mean wait of the jobs not measured, by replication
    std::span<const double> measured,  ///< of the measured jobs
    double warm_up_fraction,
    double confidence
);

}  // namespace schedfarm::engine
