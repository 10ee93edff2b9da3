// Live progress of a run on standard error: two lines that are redrawn on a terminal, a plain line
// now and then elsewhere.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "campaigns/cli/messages_above_bar.hpp"
#include "campaigns/cli/standing.hpp"

namespace schedfarm::campaigns {

enum class ProgressStyle : std::uint8_t { bar, lines, none };

/// `word` is auto, bar, lines or none; auto asks whether standard error is a terminal.
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
    /// Leaves the cursor on a fresh line.
    ~ProgressDisplay();

    void show(const CampaignProgress& progress);

  private:
    ProgressStyle style_;
    std::chrono::steady_clock::time_point start_;
    std::chrono::steady_clock::time_point last_;
    TimeLeft time_left_;
    std::uint64_t outcomes_ = 0;
    std::chrono::steady_clock::time_point last_outcome_;
    std::optional<MessagesAboveBar> messages_;  // with a bar
    bool is_drawn_ = false;
};

}  // namespace schedfarm::campaigns
