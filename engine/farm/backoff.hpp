// Waiting by asking again: at once a few times, then after sleeps that double up to a limit, so
// that short waits are short and long ones cost nothing.
#pragma once

#include <algorithm>
#include <chrono>
#include <thread>

namespace schedfarm::engine {

struct BackoffLimits {
    int yields = 0;  ///< how often to ask again without sleeping
    std::chrono::microseconds first{20};
    std::chrono::microseconds longest{1000};
};

class Backoff {
  public:
    explicit Backoff(BackoffLimits limits) : limits_(limits), next_(limits.first) {}

    void wait() {
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
    int yielded_ = 0;
    std::chrono::microseconds next_;
};

}  // namespace schedfarm::engine
