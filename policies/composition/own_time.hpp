// The time of a part that is switched off and on: it passes only while the part is on, and begins
// with the machine's. For a part that was never off it is the machine's time, bit for bit.
#pragma once

#include <cmath>
#include <limits>

namespace schedfarm::policies {

class OwnTime {
  public:
    /// At this time of the machine, not before the last switch. Never goes back.
    double at(double real) const { return is_on_ ? base_ + (real - since_) : base_; }
    /// The first time of the machine at which the own time is `own` or later, if the part stays on.
    /// REQUIRES: it is on.
    double real(double own) const {
        double time = since_ + (own - base_);
        while (at(time) < own) {
            time = std::nextafter(time, std::numeric_limits<double>::infinity());
        }
        return time;
    }
    bool is_on() const { return is_on_; }
    void stop(double real) {
        base_ = at(real);
        is_on_ = false;
        was_off_ = true;
    }
    void go_on(double real) {
        since_ = real;
        is_on_ = true;
    }

    bool was_off() const { return was_off_; }

  private:
    double base_ = 0;   // own time at the last switch
    double since_ = 0;  // when it was switched on
    bool is_on_ = true;
    bool was_off_ = false;
};

}  // namespace schedfarm::policies
