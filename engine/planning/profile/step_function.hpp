// An integer that changes at certain instants and stays as it is in between, from the first instant
// that was not forgotten to infinity; the ground of the availability profile.
//
// The steps lie in two arrays, in which a change moves what is behind a step that comes or goes; a
// search for a window compares all values with the level at once and then looks at the bits of the
// answer. A tree, whose operations are O(log n), took four times as long under queues of thousands
// of jobs.
//
// Cost: a change O(log steps + steps that it changes), and a memmove of what is behind; a search
// O(steps), by vectors. No allocation once the largest number of steps was seen.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "engine/planning/profile/step_window.hpp"

namespace schedfarm::engine {

class StepFunction {
  public:
    static constexpr double never = std::numeric_limits<double>::infinity();
    static constexpr std::size_t bits = 64;   ///< looked at in one go
    static constexpr std::size_t block = 16;  ///< known to be never behind the last

    /// `value` at every time.
    explicit StepFunction(std::int32_t value) { reset(value); }

    /// Adds `amount` ≠ 0 at the times begin <= t < end that were not forgotten. REQUIRES: begin <
    /// end.
    void add(double begin, double end, std::int32_t amount);
    /// Adds `amount` ≠ 0 at the new times of a move and takes it away at the old ones. REQUIRES:
    /// none was forgotten.
    void move_ahead(const StepMove& move, std::int32_t amount);
    /// Becomes as `other` is; allocates nothing once it had as many stretches.
    void assign(const StepFunction& other);

    // REQUIRES for all: the time was not forgotten.
    std::int32_t at(double time) const { return values()[stretch_at(time)]; }
    /// The first such time; never if there is none.
    double first_window(const StepWindow& wanted) const;
    /// The stretch that `time` lies in.
    std::size_t stretch_at(double time) const;
    /// The same, fast where it is close to stretch `near`, which may be any number.
    std::size_t stretch_at(double time, std::size_t near) const {
        constexpr std::size_t behind = 4;
        const double* const around = times() + (near > behind && near < count_ ? near - behind : 0);
        std::size_t begun = 0;
        for (std::size_t i = 0; i < 2 * behind; ++i) {
            begun += around[i] <= time ? 1U : 0U;
        }
        const bool is_among = (begun > 0) & (begun < 2 * behind);
        return is_among ? static_cast<std::size_t>(around - times()) + begun - 1 : stretch_at(time);
    }

    /// Forgets the steps that no time from `time` on needs.
    void forget_before(double time);
    /// `value` at every time again.
    void reset(std::int32_t value);

    /// Number of stretches of constant value.
    std::size_t stretches() const { return count_; }
    double begin_of(std::size_t stretch) const { return times()[stretch]; }
    std::int32_t value_of(std::size_t stretch) const { return values()[stretch]; }

    // Beyond the last stretch there are times never, at least a block of them, and any values.
    const double* times() const { return times_.data() + front_; }
    const std::int32_t* values() const { return values_.data() + front_; }

    /// Of times at which the value was raised; `stretch` was the first one then.
    struct Raise {
        double begin = 0;
        double end = 0;
        std::size_t stretch = 0;
        std::int32_t amount = 0;
    };
    /// So many times; the last few are known.
    std::uint64_t raise_count() const { return raise_count_; }
    static constexpr std::size_t known_raises = 32;
    const Raise& raise(std::uint64_t i) const { return raises_[i % known_raises]; }

  private:
    // A change adds up to four; what is looked at or moved begins anywhere.
    static constexpr std::size_t spare = 4 + 2 * bits;

    void make_room();
    double first_window_of_many(const StepWindow& wanted) const;
    template <std::size_t n>
    void change(const std::array<double, n>& from, const std::array<std::int32_t, n>& amounts);

    std::vector<double> times_;  // at which the stretches begin
    std::vector<std::int32_t> values_;
    std::size_t front_ = 0;  // so many stretches were forgotten
    std::size_t count_ = 0;
    std::array<Raise, known_raises> raises_;
    std::uint64_t raise_count_ = 0;
};

}  // namespace schedfarm::engine
