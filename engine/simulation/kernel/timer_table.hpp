// The pending timers of a policy, in the order in which they were set; few at a time, so that each
// change looks at all. Apart from the other events, because most are cancelled before they go off.
#pragma once

#include <algorithm>
#include <limits>
#include <vector>

#include "engine/simulation/policy.hpp"

namespace schedfarm::engine {

class TimerTable {
  public:
    /// When the first of them goes off; never: infinity.
    double next() const { return next_; }

    void set(double time, Timer timer) {
        pending_.push_back({time, timer});
        next_ = std::min(next_, time);
    }
    /// Ends all equal to `timer`.
    void cancel(Timer timer) {
        end_if([timer](const Pending& pending) { return pending.timer == timer; });
    }
    /// Ends those that go off at `time`, in the order in which they were set, and adds them to
    /// `due`. REQUIRES: time <= next().
    void take(double time, std::vector<Timer>& due) {
        if (next_ > time) {
            return;
        }
        end_if([time, &due](const Pending& pending) {
            if (pending.time <= time) {
                due.push_back(pending.timer);
            }
            return pending.time <= time;
        });
    }

  private:
    struct Pending {
        double time;
        Timer timer;
    };

    template <typename Predicate>
    void end_if(Predicate ends) {
        std::erase_if(pending_, ends);
        next_ = std::numeric_limits<double>::infinity();
        for (const Pending& pending : pending_) {
            next_ = std::min(next_, pending.time);
        }
    }

    std::vector<Pending> pending_;
    double next_ = std::numeric_limits<double>::infinity();
};

}  // namespace schedfarm::engine
