// Waiting by asking again: at once a few times, then after sleeps of an eighth of the time slept
// so far, up to a limit: no wait is lengthened by much, and long ones cost next to nothing. Who
// yields to a busy process may not be back for milliseconds, who sleeps comes back in time: yield
// only where the core is one's own.
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
    explicit Backoff(BackoffLimits limits) : limits_(limits) {}

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
        const auto pause = std::clamp(slept_ / 8, limits_.first, limits_.longest);
        std::this_thread::sleep_for(pause);
        slept_ += pause;
    }

  private:
    BackoffLimits limits_;
    int looked_ = 0;
    int yielded_ = 0;
    std::chrono::microseconds slept_{0};
};

}  // namespace schedfarm::engine
