// While it lives, messages on standard error erase a progress bar first, so that they stand on
// lines of their own; the bar is drawn anew below them. Replaces the default logger and puts it
// back.
#pragma once

#include <memory>
#include <string_view>

#include <spdlog/logger.h>

namespace schedfarm::campaigns {

/// A bar has two lines and leaves the cursor at the begin of the first, by this end.
inline constexpr std::string_view bar_end = "\r\033[1A";
/// Clears both; does no harm where there is no bar.
inline constexpr std::string_view bar_erasure = "\r\033[J";

class MessagesAboveBar {
  public:
    MessagesAboveBar();
    MessagesAboveBar(const MessagesAboveBar&) = delete;
    MessagesAboveBar& operator=(const MessagesAboveBar&) = delete;
    ~MessagesAboveBar();

  private:
    std::shared_ptr<spdlog::logger> before_;
};

}  // namespace schedfarm::campaigns
