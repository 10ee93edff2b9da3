// Bin filling, exactly: jobs are placed on an empty system in the order they are drawn until one
// does not fit. Pure functions; errors are those of rounding.
//
// Component c of every job goes to cluster c: with S_k^c the sum of the first k components on
// cluster c and A_k the event that S_k^c <= N_c for every c, P(n >= k) = P(A_k), the product over
// the clusters of P(S_k^c <= N_c) as components are independent. Job k is placed when A_k happens,
// and given A_k all of the first k jobs have the same distribution, so E[processors placed] = sum
// over k of E[S_k; A_k] / k with S_k the sum over the clusters. Where the components of a job share
// the draw of a mixture, all this holds given the number of jobs of either kind among the first k,
// which is binomial.
#pragma once

#include <cstdint>
#include <vector>

#include "models/closed_forms/size_probabilities.hpp"

namespace schedfarm::models::closed_forms {

/// Components of jobs: all components of a job are drawn from `first` with `first_probability`,
/// else all from `second`.
struct ComponentProbabilities {
    double first_probability = 1;
    SizeProbabilities first;
    SizeProbabilities second;  ///< not used when first_probability is 1
};

/// One fill in numbers.
struct Fill {
    std::vector<double> at_least;  ///< entry k: P(at least k jobs placed); entry 0 is 1
    double mean_placed = 0;        ///< E[processors placed]
};

/// Component c of every job goes to the cluster of capacities[c]; the fill ends when one cluster
/// cannot take its component. A single cluster is the special case of one capacity. Entries of
/// at_least below 1e-30 are left out. REQUIRES: capacities not empty.
Fill fill_in_order(
    const ComponentProbabilities& components, const std::vector<std::uint32_t>& capacities
);

/// E[n], n = number of jobs in a fill.
double mean_jobs(const Fill& fill);

/// E[1/n]. REQUIRES: every job fits an empty system.
double mean_inverse_jobs(const Fill& fill);

}  // namespace schedfarm::models::closed_forms
