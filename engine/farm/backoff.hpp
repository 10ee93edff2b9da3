// Waiting by asking again: at once a few times, then after sleeps that double up to a limit, so
// that short waits are short and long ones cost nothing. Who yields to a busy process may not be
// back for milliseconds, who sleeps comes back in time: yield only where the core is one's own.
#pragma once

#include <algorithm>
#include <chrono>
#include <thread>

namespace schedfarm::engine {

struct BackoffLimits {
    int looks = 0;   ///< how often to ask again at once
    int yields = 0;  ///< then how often to ask again without sleeping
    std::chrono::microseconds first{20};
    std::chrono::microseconds longest{1000};
};

class Backoff {
  public:
    explicit Backoff(BackoffLimits limits) : limits_(limits), next_(limits.first) {}

    void wait() {
        if (looked_ < limits_.looks) {
            ++looked_;
            return;
        }
        if (yielded_ < limits_.yields) {
            ++yielded_;
            std::this_thread::yield();
            return;
        }
        std::this_thread::sleep_for(next_);
        next_ = std::min(2 * next_, limits_.longest);
    }

  private:
    BackoffLimits limits_;
    int looked_ = 0;
    int yielded_ = 0;
    std::chrono::microseconds next_;
};

}  // namespace schedfarm::engine
