// Estimates after Tsafrir, Etsion & Feitelson, "Modeling user runtime estimates" (JSSPP 2005), with
// the constants of the paper and of the authors' program. N jobs use K(N) different values. 20 of
// them, the head, hold 89 % of the jobs: the largest admissible value, which is the most popular,
// up to 15 values that all logs have in common (5 min … 18 h), and round values; the others are the
// tail. Which value of the head has which popularity is drawn, row by row, from what four logs
// show; in the tail it is drawn without preference. Jobs get their estimates by decreasing run
// time, each one of those left that are long enough, with equal probabilities.
//
// Beyond the paper: jobs come in windows of N, each of which gets the same histogram; a job that
// runs longer than the largest value requests its run time; and where a window has more long jobs
// than long estimates, too short ones are raised to the largest value.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "models/rigid/estimates.hpp"

namespace schedfarm::models {

/// One value and how many jobs of a window use it.
struct EstimateBin {
    double value = 0;  ///< s
    std::uint32_t jobs = 0;
};

/// The name, meaning and parameters: jobs (N), max_estimate.
engine::Alternative tsafrir_estimates();

/// By increasing value; the jobs add up to `jobs`. Takes draws number first, first + 1, …, some
/// 1,000 of them. REQUIRES: jobs >= 100, max_estimate >= 3600.
std::vector<EstimateBin> tsafrir_histogram(
    std::uint32_t jobs, double max_estimate, const engine::Stream& stream, std::uint64_t first
);

/// The number of different values among that many jobs: piecewise linear through points of the
/// authors' program.
std::uint32_t tsafrir_bin_count(std::uint32_t jobs);

std::unique_ptr<const EstimateModel> make_tsafrir_estimates(
    const engine::Parameters& parameters, const engine::Stream& stream
);

}  // namespace schedfarm::models
