// What is in a log, as data. Sizes, times, load and cycles are those of the jobs that ran: with a
// submit time, processors and a run time above 0, whatever they requested and however they ended.
// Pure functions.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/trace/log.hpp"
#include "models/trace/reading/clock.hpp"
#include "models/trace/selection.hpp"
#include "models/trace/summary/log_period.hpp"
#include "models/trace/summary/logged_use.hpp"

namespace schedfarm::models::trace {

/// The shares whose quantiles a summary gives; 0 is the minimum, 1 the maximum.
inline constexpr std::array<double, 7> summary_shares{0, 0.05, 0.25, 0.5, 0.75, 0.95, 1};

/// A quantity over those jobs that have it.
struct Distribution {
    std::size_t jobs = 0;
    double mean = 0;
    /// For each share the quantile, as engine/statistics/quantile.hpp says.
    std::array<double, summary_shares.size()> quantiles{};
};

/// REQUIRES: no NaN. All 0 for no values.
Distribution distribution_of(std::vector<double> values);

/// Jobs with low <= value < high.
struct HistogramClass {
    double low = 0;
    double high = 0;
    std::uint64_t jobs = 0;
    double area = 0;  ///< processor seconds of these jobs
};

/// Waits of a group of jobs (models/trace/logged_waits.hpp).
struct WaitGroup {
    std::string kind;
    std::string name;
    Distribution wait;  ///< s
};

struct LogSummary {
    std::string name;
    std::string sha256;  ///< empty: not asked for when the log was read
    Header header;
    std::optional<LogClock> clock;
    std::vector<Field> never_given;  ///< −1 in every job
    std::vector<Oddity> oddities;

    std::uint64_t jobs = 0;      ///< lines
    std::uint64_t ran = 0;       ///< of them
    std::uint64_t selected = 0;  ///< kept by the default selection
    std::uint64_t left = 0;      ///< likewise: jobs that left while they waited
    /// For requested times, where no job has one, as `simulate` does.
    bool takes_run_times = false;
    std::array<std::uint64_t, dropped_reasons> dropped{};  ///< by the default selection
    std::uint64_t users = 0;                               ///< of jobs that ran

    double first_submit = 0;  ///< s of the log
    double last_submit = 0;
    double area = 0;  ///< Σ processors · run
    std::optional<LoggedUse> logged_use;
    std::optional<double> offered_load;  ///< area / (machine · (last_submit − first_submit))
    LogPeriod period;                    ///< in which the log is dense
    std::optional<double> dense_load;    ///< likewise of the period alone

    Distribution processors;
    Distribution run_time;
    Distribution requested_time;
    Distribution accuracy;  ///< run time / requested time
    Distribution interarrival_time;
    double serial_fraction = 0;        ///< of jobs: 1 processor
    double power_of_two_fraction = 0;  ///< of jobs: 2, 4, 8, … processors

    std::vector<HistogramClass> by_size;  ///< 1, 2, 3–4, 5–8, …, to the largest size
    std::vector<HistogramClass>
        by_run_time;               ///< bounds 0, 10 s, 1 min, 10 min, 1 h, 4 h, 12 h, 1 d
    std::vector<WaitGroup> waits;  ///< as logged; the first is of all jobs; none: no wait is known
    /// Submits by hour of the day and by day of the week from Monday on; without a clock as if the
    /// log began on a Monday at 00:00.
    std::array<std::uint64_t, 24> by_hour{};
    std::array<std::uint64_t, 7> by_weekday{};
};

LogSummary summarise(const Log& log);

}  // namespace schedfarm::models::trace
