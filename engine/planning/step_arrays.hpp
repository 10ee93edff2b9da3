// A step function (engine/planning/step_function.hpp) of few steps, in two arrays: a change copies
// them, with the steps that come or go, to two others; a search for a window compares all values
// with the level at once and then looks at the bits of the answer. The reference is StepTree, which
// walks.
//
// Cost: O(steps) each, by vectors of four to sixteen; no allocation.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "engine/planning/step_window.hpp"
#include "engine/planning/trial_profile.hpp"

namespace schedfarm::engine {

class StepArrays {
  public:
    static constexpr double never = std::numeric_limits<double>::infinity();
    static constexpr std::size_t most_steps = 256;
    static constexpr std::size_t bits = 64;   ///< looked at in one go
    static constexpr std::size_t block = 16;  ///< moved in one go

    /// `value` at every time.
    explicit StepArrays(std::int32_t value) { reset(value); }

    /// Adds `amount` ≠ 0 at the times begin <= t < end. REQUIRES: begin < end; begin not forgotten;
    /// stretches() <= most_steps.
    void add(double begin, double end, std::int32_t amount);
    /// Takes `amount` ≠ 0 from the old times and adds it to the new. REQUIRES as add(), and that
    /// the ends differ from each other and from the old begin.
    void move_ahead(const StepMove& move, std::int32_t amount);
    /// Shows the trial profile what is from `from` on.
    void copy_to(TrialProfile& trial, double from) const;
    /// Appends a stretch. REQUIRES: `time` is later than every step; stretches() < most_steps.
    void append(double time, std::int32_t value);

    // REQUIRES for all: the time was not forgotten.
    std::int32_t at(double time) const { return values()[stretch_at(time)]; }
    double first_window(const StepWindow& wanted) const;
    /// Of the windows from `first` on the one of least index that there is.
    FoundWindow first_of(const StepWindows& wanted, std::size_t first) const;
    /// Shows (begin, value, value) of each stretch from the one that `from` lies in on, until
    /// `visit` → StepWalk::stop.
    template <typename Visitor>
    void walk(double from, Visitor&& visit) const {
        for (std::size_t i = stretch_at(from); i < count_; ++i) {
            if (visit(times()[i], values()[i], values()[i]) == StepWalk::stop) {
                return;
            }
        }
    }

    /// Forgets the steps that no time from `time` on needs.
    void forget_before(double time);
    /// `value` at every time again.
    void reset(std::int32_t value);

    std::size_t stretches() const { return count_; }

  private:
    // A change may exceed most_steps by four; what is looked at or moved begins anywhere.
    static constexpr std::size_t room = most_steps + 4 + 2 * bits;

    // Beyond the last stretch there are times never, at least a block of them, and any values.
    struct Columns {
        alignas(64) std::array<double, room> times{};  // at which the stretches begin
        alignas(64) std::array<std::int32_t, room> values{};
    };

    const double* times() const { return columns_[current_].times.data() + front_; }
    const std::int32_t* values() const { return columns_[current_].values.data() + front_; }
    std::size_t stretch_at(double time) const;
    double first_window_of_many(const StepWindow& wanted) const;
    template <std::size_t n>
    void change(const std::array<double, n>& from, const std::array<std::int32_t, n>& amounts);

    std::array<Columns, 2> columns_;  // a change moves what there is from one to the other
    std::size_t current_ = 0;
    std::size_t front_ = 0;  // so many stretches were forgotten
    std::size_t count_ = 0;
};

}  // namespace schedfarm::engine
