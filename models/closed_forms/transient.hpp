// Queues that start empty, exactly: the mean response time of the first jobs of M/M/1. Pure
// functions; errors are those of rounding.
//
// The numbers of jobs that successive arrivals find are a Markov chain: between two arrivals the
// server, were it never idle, would complete d jobs with probability p q^d, where p = λ/(λ + µ) and
// q = µ/(λ + µ). From n found the next arrival finds n + 1 − d, or 0 when d > n. A job that finds n
// stays n + 1 service times in the mean, under first-come first-served.
#pragma once

#include <cstdint>
#include <vector>

namespace schedfarm::models::closed_forms {

/// Probabilities of the number of jobs that an arrival to M/M/1 finds, from those of the arrival
/// before it; entry n: P(n found). `load` = λ/µ, any positive number. Cost: one multiplication per
/// entry. Entries at the end below 1e-30 are left out.
std::vector<double> found_by_next_arrival(const std::vector<double>& found, double load);

/// Mean over jobs first … end − 1 of E[response time] in M/M/1; job 0 arrives to an empty system.
/// REQUIRES: first < end, load > 0. Cost: at most end²/2 multiplications.
double mm1_response_time_from_empty(
    std::uint64_t first, std::uint64_t end, double arrival_rate, double mean_service
);

}  // namespace schedfarm::models::closed_forms
