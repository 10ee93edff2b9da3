// Jobs of a log made ready for a simulation: every value present and usable, in the order of their
// submission; 33 to 40 bytes per job. What else the log says of a job is found through its row.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "models/trace/reading/column.hpp"

namespace schedfarm::models::trace {

struct JobList {
    std::vector<double> submit;             ///< s, non-decreasing
    std::vector<double> run;                ///< s, positive
    std::vector<double> request;            ///< s, positive
    std::vector<std::uint32_t> processors;  ///< positive
    Column<std::int64_t> user;              ///< −1: not known
    std::vector<std::uint32_t> row;         ///< of the log, from 0
    std::vector<std::uint32_t> copy;        ///< a row's jobs have different ones; empty: one each

    std::size_t size() const { return submit.size(); }
};

/// The jobs whose numbers are given, in that order.
JobList picked(const JobList& jobs, std::span<const std::uint32_t> numbers);

/// Jobs number first, first + 1, …. REQUIRES: first + count <= jobs.size().
JobList slice(const JobList& jobs, std::size_t first, std::size_t count);

/// Appends the jobs of `more`.
void append(JobList& jobs, const JobList& more);

/// Puts jobs into the order of their submission; those of one instant keep their order.
void sort_by_submit(JobList& jobs);

/// Σ processors · run, in processor seconds.
double area(const JobList& jobs);

}  // namespace schedfarm::models::trace
