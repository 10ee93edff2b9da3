// What a replication yields: a fixed row of named numbers and a fingerprint.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/statistics/log_sketch.hpp"

namespace schedfarm::engine {

/// A column of the replication table, known before any replication runs.
struct ObservationColumn {
    std::string name;  ///< "response_time.mean", "response_time.p95", "response_time.mean[class=2]"
    std::string unit;
    std::string meaning;
    bool is_diagnostic = false;  ///< watched by the program; not shown unless asked for
    /// Of a mean over jobs whose number is not given: the column of that number. Over replications
    /// the mean is that of all jobs, a ratio of sums.
    std::string counted_by = {};
    friend bool operator==(const ObservationColumn&, const ObservationColumn&) = default;
};

/// Why an open replication ended early: too many jobs waited or came (RunEnd::is_too_much).
struct QueueOverflow {
    double time = 0;
    std::uint64_t jobs_submitted = 0;
    friend bool operator==(const QueueOverflow&, const QueueOverflow&) = default;
};

/// The result of one replication. `values` follows the columns of its probe set; a number that does
/// not exist (mean over no jobs) is a quiet NaN.
struct Observations {
    std::vector<double> values = {};
    /// Commutative hash over jobs of (index, start, finish), bin filling: over fills of
    /// (fill, jobs placed, processors idle). Equal schedules have equal fingerprints.
    std::uint64_t fingerprint = 0;
    std::uint64_t jobs = 0;  ///< counted jobs completed (bin filling: placed), measured or not
    /// What the replication cost: an arrival and a completion for each of `jobs`, the timers, the
    /// ends of loading and the changes of capacity. Bin filling: jobs offered.
    std::uint64_t events = 0;
    /// Present: every value is NaN, `jobs` and `events` are jobs_submitted, the fingerprint is
    /// schedule_hash(jobs_submitted, time, time), series and sketches are empty.
    std::optional<QueueOverflow> overflow = {};
    std::vector<double> series = {};           ///< Experiment::series_bins numbers, or none
    std::vector<SketchBuckets> sketches = {};  ///< of the observed probes with a sketch, in order
    friend bool operator==(const Observations&, const Observations&) = default;
};

}  // namespace schedfarm::engine
