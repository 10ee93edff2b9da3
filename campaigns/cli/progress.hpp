// Live progress of a run on standard error: a line that is redrawn on a terminal, a plain line now
// and then elsewhere.
#pragma once

#include <chrono>
#include <string>

#include "campaigns/run/campaign_work.hpp"

namespace schedfarm::campaigns {

enum class ProgressStyle : std::uint8_t { bar, lines, none };

/// `word` is auto, bar, lines or none; auto asks whether standard error is a terminal.
ProgressStyle progress_style(const std::string& word);

class ProgressDisplay {
  public:
    explicit ProgressDisplay(ProgressStyle style);
    ProgressDisplay(const ProgressDisplay&) = delete;
    ProgressDisplay& operator=(const ProgressDisplay&) = delete;
    /// Leaves the cursor on a fresh line.
    ~ProgressDisplay();

    void show(const CampaignProgress& progress);

  private:
    std::string line(const CampaignProgress& progress) const;

    ProgressStyle style_;
    std::chrono::steady_clock::time_point start_;
    std::chrono::steady_clock::time_point last_;
    bool drawn_ = false;
};

}  // namespace schedfarm::campaigns
