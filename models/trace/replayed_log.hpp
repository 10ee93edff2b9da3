// The jobs of a replication of a log, lap after lap: a lap is the log, or a resampled one, shaken
// and scaled; another lap, drawn anew, follows it where more jobs are needed. Jobs come part by
// part, so that a replication draws only what it uses. A pure function of its arguments.
#pragma once

#include <cstdint>
#include <memory>
#include <variant>

#include "engine/random/stream.hpp"

#include "models/trace/job_list.hpp"
#include "models/trace/prepared_log.hpp"
#include "models/trace/resampling.hpp"
#include "models/trace/trace_settings.hpp"

namespace schedfarm::models::trace {

/// How much of a lap is drawn at once; the jobs are the same.
enum class LapParts : std::uint8_t {
    pieces,  ///< a week, or some thousand jobs of a log that is not resampled
    whole,
};

class ReplayedLog {
  public:
    /// `load_factor`: what times between submits are divided by. Laps that are shaken are drawn
    /// whole. REQUIRES: a log prepared with these settings; a stream of Purpose::resampling.
    ReplayedLog(
        std::shared_ptr<const PreparedLog> log,
        const TraceSettings& settings,
        double load_factor,
        const engine::Stream& stream,
        LapParts parts
    );

    /// The next jobs; may be empty before the end. Submits never decrease.
    JobList next_part();

    /// The jobs that left while they waited, of the time of the parts so far, moved as those are.
    const JobList& left() const { return left_; }

    /// Whether there are no further parts: only without resampling, after one lap.
    bool is_over() const;

  private:
    void begin_lap();
    JobList drawn_part();
    void move_to_lap(JobList& jobs) const;
    double scaled(double submit) const;
    void add_left(double from, double until, double shift);

    std::shared_ptr<const PreparedLog> log_;
    Resampling resampling_;
    std::uint32_t shake_s_;
    double load_factor_;
    engine::Stream stream_;
    LapParts parts_;
    std::uint32_t weeks_;  ///< of a lap
    std::variant<std::monostate, ResampledUsers, ResampledWeeks> lap_;
    std::uint64_t laps_ = 0;       ///< begun
    std::uint32_t next_week_ = 0;  ///< of the lap
    std::size_t next_job_ = 0;     ///< without resampling
    double last_submit_ = 0;
    JobList left_;
};

}  // namespace schedfarm::models::trace
