// Live progress of a run on standard error: one line that is redrawn on a terminal, a line now and
// then elsewhere, or an object of JSON every second for scripts. Messages erase the line that is
// redrawn first, and stand above it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "engine/farm/stopwatch.hpp"

#include "app/cli/commands/run_totals.hpp"

namespace schedfarm::app {

/// The line is cut by the terminal at its edge, as one that wraps could not be erased: it begins
/// with its erasure and ends where the terminal is let wrap again.
inline constexpr std::string_view line_erasure = "\r\033[?7h\033[K";
inline constexpr std::string_view line_end = "\033[?7h\r";

enum class ProgressStyle : std::uint8_t { bar, lines, json, none };

/// `word` is auto, bar, lines, json or none; auto asks whether standard error is a terminal.
ProgressStyle progress_style(const std::string& word);

/// How long a run will go on, by what it has computed itself: what it took from a journal cost it
/// nothing.
class TimeLeft {
  public:
    /// `elapsed_s`: since any fixed moment; counts from the first call. See seconds_left().
    std::optional<double> seconds(const RunTotals& totals, double elapsed_s);

  private:
    struct Start {
        double elapsed_s;
        double core_hours;
    };

    std::optional<Start> start_;
};

class ProgressDisplay {
  public:
    explicit ProgressDisplay(ProgressStyle style);
    ProgressDisplay(const ProgressDisplay&) = delete;
    ProgressDisplay& operator=(const ProgressDisplay&) = delete;
    /// Erases the line.
    ~ProgressDisplay();

    void show(const CampaignProgress& progress);

  private:
    ProgressStyle style_;
    engine::Stopwatch since_start_;
    std::optional<engine::Stopwatch> since_looked_;
    double look_s_ = 0;  ///< how long the last look took
    engine::Stopwatch since_shown_;
    TimeLeft time_left_;
    std::uint64_t outcomes_ = 0;
    engine::Stopwatch since_outcome_;
    bool is_drawn_ = false;
};

}  // namespace schedfarm::app
