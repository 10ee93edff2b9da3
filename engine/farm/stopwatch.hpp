// Seconds on the wall since a moment, by the clock that is never set.
#pragma once

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

}  // namespace schedfarm::engine
