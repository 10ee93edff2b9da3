// Hand-written minimal loops: what a programmer would write for one experiment and nothing else,
// with the same random generator as the product: the references of `schedfarm-bench`.
#pragma once

#include <cstdint>

#include "models/trace/job_list.hpp"

namespace schedfarm::bench {

/// Mean idle fraction over `fills` fills of 32 processors with sizes uniform on [low, high],
/// counting the items offered. Fills follow each other on one row of items.
struct FillingResult {
    double capacity_loss = 0;
    std::uint64_t items = 0;
};
FillingResult minimal_bin_filling(
    std::uint64_t seed,
    std::uint32_t replication,
    std::uint64_t fills,
    std::uint32_t low,
    std::uint32_t high
);

/// The queueing model with total requests: 32 processors, sizes the sum of four uniform on [1, 4],
/// exponential service (mean 1) and interarrival times at utilization `load`.
struct QueueingCase {
    std::uint64_t seed = 1;
    std::uint32_t replication = 0;
    std::uint64_t jobs = 20000;
    std::uint64_t warm_up_jobs = 4000;
    double load = 0.7;
};

/// Mean response time of the jobs after the warm-up, first come first served.
double minimal_fcfs(const QueueingCase& setting);

/// The same for FPFS with the given MaxJumps.
double minimal_fpfs(const QueueingCase& setting, std::uint32_t max_jumps);

/// That with the sizes of the waiting jobs in a vector of their own.
double minimal_fpfs_in_columns(const QueueingCase& setting, std::uint32_t max_jumps);

/// Mean response time of a log under textbook EASY. REQUIRES: jobs, none larger than the machine or
/// longer than requested.
double minimal_easy(const models::trace::JobList& jobs, std::uint32_t processors);

}  // namespace schedfarm::bench
