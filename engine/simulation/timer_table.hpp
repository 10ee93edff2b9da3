// The pending timers of a policy in reusable slots; few at a time, so that cancelling scans them.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/simulation/policy.hpp"

namespace schedfarm::engine {

class TimerTable {
  public:
    /// Returns the slot of a new pending timer.
    std::uint32_t add(Timer timer) {
        if (free_.empty()) {
            slots_.push_back({.timer = timer, .version = 0, .pending = true});
            return static_cast<std::uint32_t>(slots_.size() - 1);
        }
        const std::uint32_t slot = free_.back();
        free_.pop_back();
        slots_[slot].timer = timer;
        slots_[slot].pending = true;
        return slot;
    }
    /// Ends a pending timer, because it went off or is cancelled.
    Timer take(std::uint32_t slot) {
        slots_[slot].pending = false;
        ++slots_[slot].version;
        free_.push_back(slot);
        return slots_[slot].timer;
    }
    /// Ends all pending timers equal to `timer`; returns how many there were.
    std::size_t cancel(Timer timer) {
        std::size_t cancelled = 0;
        for (std::uint32_t slot = 0; slot < slots_.size(); ++slot) {
            if (slots_[slot].pending && slots_[slot].timer == timer) {
                take(slot);
                ++cancelled;
            }
        }
        return cancelled;
    }
    /// Changes whenever the slot's timer ends.
    std::uint32_t version(std::uint32_t slot) const { return slots_[slot].version; }
    std::size_t pending() const { return slots_.size() - free_.size(); }

  private:
    struct Slot {
        Timer timer;
        std::uint32_t version;
        bool pending;
    };

    std::vector<Slot> slots_;
    std::vector<std::uint32_t> free_;
};

}  // namespace schedfarm::engine
