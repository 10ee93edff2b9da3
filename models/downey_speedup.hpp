// The speedup of Downey, "A model for speedup of parallel programs" (UCB/CSD-97-933), for an
// average parallelism A and a variance of parallelism sigma, as its inverse 1/S(n):
//
//     n <= A                     1/n + g (n − 1)/(n A),  g = sigma/2 up to sigma = 1,
//                                                        then sigma/(sigma + 1)
//     sigma <= 1, A <= n < 2A−1  (sigma (A − 1/2) + n (1 − sigma/2)) / (n A)
//     sigma > 1, n < A + (A−1) sigma   as for n <= A
//     beyond                     1/A
#pragma once

namespace schedfarm::models {

/// What a job loses of the ideal speedup: g of the formula above.
constexpr double downey_loss(double sigma) {
    return sigma <= 1 ? sigma / 2 : sigma / (sigma + 1);
}

/// 1/S(n) where n <= A, or sigma > 1 and n <= A + (A − 1) sigma.
constexpr double downey_rise(double n, double a, double sigma) {
    return 1 / n + downey_loss(sigma) * (n - 1) / (n * a);
}

/// REQUIRES: n >= 1, a >= 1, sigma >= 0.
constexpr double downey_inverse_speedup(double n, double a, double sigma) {
    const double end = sigma <= 1 ? 2 * a - 1 : a + (a - 1) * sigma;
    if (n >= end) {
        return 1 / a;
    }
    if (n <= a || sigma > 1) {
        return downey_rise(n, a, sigma);
    }
    return (sigma * (a - 0.5) + n * (1 - sigma / 2)) / (n * a);
}

}  // namespace schedfarm::models
