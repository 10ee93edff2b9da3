// The progress of `schedfarm simulate` on standard error, when it takes more than some seconds: on
// a terminal a line that is redrawn and in the end erased, elsewhere a message now and then.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace schedfarm::app {

/// "34567 of 289123 jobs have come (11 %), 4 s"
std::string arrivals_text(std::uint64_t jobs, std::uint64_t of, double elapsed_s);

/// When something is to be said, at most once for each answer: after three seconds for the first
/// time, then in intervals.
class ArrivalsTimes {
  public:
    explicit ArrivalsTimes(double interval_s) : interval_s_(interval_s) {}
    bool is_due(double elapsed_s) {
        const bool is_now = elapsed_s >= next_s_;
        next_s_ = is_now ? elapsed_s + interval_s_ : next_s_;
        return is_now;
    }

  private:
    double interval_s_;
    double next_s_ = 3;
};

class ArrivalsDisplay {
  public:
    ArrivalsDisplay();
    ArrivalsDisplay(const ArrivalsDisplay&) = delete;
    ArrivalsDisplay& operator=(const ArrivalsDisplay&) = delete;
    ~ArrivalsDisplay();

    void show(std::uint64_t jobs, std::uint64_t of);

  private:
    bool is_terminal_;
    ArrivalsTimes times_;
    std::chrono::steady_clock::time_point start_;
    bool is_drawn_ = false;
};

}  // namespace schedfarm::app
