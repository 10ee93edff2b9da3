// Seconds on the wall since a moment, by the clock that is never set; and those of them in which
// this process ran.
#pragma once

#include <algorithm>
#include <chrono>

namespace schedfarm::engine {

class Stopwatch {
  public:
    double seconds() const {
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
    }

  private:
    std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

/// A process that was suspended, or waited for a disk, has not listened meanwhile: of the time
/// between two looks at most a second counts.
class AwakeClock {
  public:
    double seconds() {
        seconds_ += std::min(since_look_.seconds(), 1.0);
        since_look_ = Stopwatch();
        return seconds_;
    }

  private:
    double seconds_ = 0;
    Stopwatch since_look_;
};

}  // namespace schedfarm::engine
