// A calendar as plainly as possible: a row of slots, each with the list of those who use it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "engine/planning/slot_calendar.hpp"

namespace schedfarm::tests {

/// Every slot by itself, divided as the paper says.
class PlainCalendar {
  public:
    PlainCalendar(
        std::vector<engine::SlotLevel> levels, std::uint32_t processors, std::uint32_t usable
    )
        : levels_(std::move(levels)), processors_(processors), usable_(usable) {
        double begin = 0;
        for (std::size_t i = 0; i < levels_.size(); ++i) {
            const std::uint32_t count = i + 1 < levels_.size() ? levels_[i].count : most_slots();
            for (std::uint32_t k = 0; k < count; ++k, begin += levels_[i].size) {
                slots_.push_back({begin, levels_[i].size, i, {}});
            }
        }
    }

    struct Needed {
        double start = 0;
        double duration = 0;
        std::uint32_t size = 0;
    };

    /// Returns whether anything was divided.
    bool advance(double now) {
        bool is_divided = false;
        while (slots_.front().begin + slots_.front().size <= now) {
            slots_.erase(slots_.begin());
            is_divided = divide() || is_divided;
        }
        return is_divided;
    }

    double first_fit(std::uint32_t size, double duration, double from) const {
        for (std::size_t i = 0; i < slots_.size(); ++i) {
            if (slots_[i].begin >= from && fits(i, size, duration)) {
                return slots_[i].begin;
            }
        }
        return -1;
    }
    void reserve(std::uint32_t id, const Needed& needed) {
        needed_[id] = needed;
        for (Slot& slot : slots_) {
            if (touches(slot, needed)) {
                slot.users.push_back(id);
            }
        }
    }
    void give_up(std::uint32_t id, double from) {
        for (Slot& slot : slots_) {
            if (slot.begin >= from) {
                std::erase(slot.users, id);
            }
        }
    }
    double end_of(std::uint32_t id) const {
        double end = 0;
        for (const Slot& slot : slots_) {
            const bool uses =
                std::find(slot.users.begin(), slot.users.end(), id) != slot.users.end();
            end = uses ? slot.begin + slot.size : end;
        }
        return end;
    }

  private:
    static constexpr double horizon = 8000;  // of the last level

    struct Slot {
        double begin;
        double size;
        std::size_t level;
        std::vector<std::uint32_t> users;
    };

    std::uint32_t most_slots() const {
        return static_cast<std::uint32_t>(horizon / levels_.back().size);
    }
    static bool touches(const Slot& slot, const Needed& needed) {
        return slot.begin < std::max(needed.start + needed.duration, needed.start + 1e-9)
               && slot.begin + slot.size > needed.start;
    }
    std::uint32_t used(const Slot& slot) const {
        std::uint32_t sum = 0;
        for (const std::uint32_t id : slot.users) {
            sum += needed_.at(id).size;
        }
        return sum;
    }
    bool fits(std::size_t i, std::uint32_t size, double duration) const {
        const Needed needed{slots_[i].begin, duration, size};
        for (; i < slots_.size() && touches(slots_[i], needed); ++i) {
            const std::uint32_t already = used(slots_[i]);
            if (already + size > (already == 0 ? processors_ : usable_)) {
                return false;
            }
        }
        return true;
    }
    std::uint32_t count(std::size_t level) const {
        return static_cast<std::uint32_t>(std::count_if(
            slots_.begin(), slots_.end(), [level](const Slot& slot) { return slot.level == level; }
        ));
    }
    bool divide() {
        bool is_divided = false;
        for (std::size_t i = 0; i + 1 < levels_.size(); ++i) {
            while (count(i) < levels_[i].count) {
                const auto first =
                    std::find_if(slots_.begin(), slots_.end(), [i](const Slot& slot) {
                        return slot.level == i + 1;
                    });
                const Slot whole = *first;
                std::vector<Slot> pieces;
                for (double begin = whole.begin; begin < whole.begin + whole.size;
                     begin += levels_[i].size) {
                    pieces.push_back({begin, levels_[i].size, i, {}});
                    for (const std::uint32_t id : whole.users) {
                        if (touches(pieces.back(), needed_.at(id))) {
                            pieces.back().users.push_back(id);
                        }
                    }
                }
                slots_.insert(slots_.erase(first), pieces.begin(), pieces.end());
                is_divided = true;
            }
        }
        while (count(levels_.size() - 1) < most_slots()) {
            const Slot& last = slots_.back();
            slots_.push_back({last.begin + last.size, last.size, levels_.size() - 1, {}});
        }
        return is_divided;
    }

  public:
    /// The first slot that begins at `time` or later; the one that `time` lies in.
    double next_begin(double time) const {
        return std::find_if(
                   slots_.begin(),
                   slots_.end(),
                   [time](const Slot& slot) { return slot.begin >= time; }
        )->begin;
    }
    double begin_of(double time) const {
        return std::find_if(
                   slots_.begin(),
                   slots_.end(),
                   [time](const Slot& slot) { return slot.begin + slot.size > time; }
        )->begin;
    }

  private:
    std::vector<engine::SlotLevel> levels_;
    std::uint32_t processors_;
    std::uint32_t usable_;
    std::vector<Slot> slots_;
    std::map<std::uint32_t, Needed> needed_;
};

}  // namespace schedfarm::tests
