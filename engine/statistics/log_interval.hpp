// Intervals that speak of logs like the one that replications resample.
//
// Replications drawn from one log are independent given that log: mean ± t s / sqrt n tells how
// well the mean over all draws is known, and goes to nothing as n grows, however short the log.
// What the log itself leaves open is the block bootstrap's (Efron & Tibshirani 1993, chapters 6 and
// 8): the replications scatter about their mean as logs like this one scatter about the truth. The
// standard error is s, at the log's own length, and not s / sqrt n; the number of blocks, users or
// weeks that are drawn, gives the degrees of freedom. Pure functions.
#pragma once

#include <cstdint>

#include "engine/statistics/estimate.hpp"

namespace schedfarm::engine {

enum class BlockUnit : std::uint8_t { users, weeks };

/// What replications are drawn from, with replacement.
struct LogBlocks {
    std::uint64_t count = 0;  ///< at least 2
    /// How many times the variance between replications is the variance at the log's own length.
    double variance_ratio = 1;
    BlockUnit unit = BlockUnit::users;
};

/// The estimate for logs like this one, from that of the mean over all draws, of which n, mean,
/// standard error and skewness are used. With B blocks, n replications of standard deviation s and
/// variance ratio v:
/// - the standard error is s sqrt(v B / (B − 1) + 1 / n);
/// - n of the result is 1 plus the degrees of freedom, the whole part of 1 / (1 / (B − 1) +
///   1 / (n − 1)), at least 1: few blocks and few replications both make s uncertain;
/// - the skewness is that of n such blocks, sqrt(n) times that of the replications;
/// - the interval is log_interval().
/// Measured coverage at 95 %: docs/background/stopping.md.
/// REQUIRES: of_draws.n >= 2; blocks.count >= 2.
Estimate of_logs_like_it(const Estimate& of_draws, const LogBlocks& blocks);

/// The same with as many replications as one likes: no more make the longer side much shorter.
Estimate with_all_draws(const Estimate& of_draws, const LogBlocks& blocks);

/// Mean ± t standard errors, but q + 2bq² + 20/3 b²q³ of them on the side of the long tail, where
/// b = |skewness| / (6 sqrt n), at most 1/6 (the series is for small b), and q = t + b: the inverse
/// of Hall's transformation (1992) to its third order, which unlike the whole of it has no steep
/// place between moderate and large b.
/// REQUIRES: an estimate of of_logs_like_it(); 0 < confidence < 1.
Interval log_interval(const Estimate& of_logs, double confidence);

/// The two-sided p-value of mean 0: 1 − the confidence at which the interval begins to exclude 0.
double log_p_value(const Estimate& of_logs);

}  // namespace schedfarm::engine
