// An integer that changes at certain instants and stays as it is in between, from the first instant
// that was not forgotten to infinity; the ground of the availability profile.
//
// The steps lie in two arrays: a change copies them, with the steps that come or go, to two others;
// a search for a window compares all values with the level at once and then looks at the bits of
// the answer. A tree, whose operations are O(log n), took four times as long under queues of
// thousands of jobs.
//
// Cost: O(steps) each, by vectors of four to sixteen; no allocation once the largest number of
// steps was seen.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <new>
#include <vector>

#include "engine/planning/profile/step_window.hpp"

namespace schedfarm::engine {

/// Of memory that begins where vectors do.
template <typename T>
struct CacheLineAllocator {
    using value_type = T;
    static constexpr std::align_val_t line{64};

    CacheLineAllocator() = default;
    template <typename Other>
    explicit CacheLineAllocator(const CacheLineAllocator<Other>& /*other*/) {}

    T* allocate(std::size_t count) {
        return static_cast<T*>(::operator new(count * sizeof(T), line));
    }
    void deallocate(T* memory, std::size_t /*count*/) { ::operator delete(memory, line); }
    bool operator==(const CacheLineAllocator& /*other*/) const { return true; }
};

class StepFunction {
  public:
    static constexpr double never = std::numeric_limits<double>::infinity();
    static constexpr std::size_t bits = 64;   ///< looked at in one go
    static constexpr std::size_t block = 16;  ///< moved in one go

    /// `value` at every time.
    explicit StepFunction(std::int32_t value) { reset(value); }

    /// Adds `amount` ≠ 0 at the times begin <= t < end. REQUIRES: begin < end; begin not forgotten.
    void add(double begin, double end, std::int32_t amount);
    /// Adds `amount` ≠ 0 at the new times of a move and takes it away at the old ones. REQUIRES as
    /// for add().
    void move_ahead(const StepMove& move, std::int32_t amount);
    /// Becomes as `other` is; allocates nothing once it had as many stretches.
    void assign(const StepFunction& other);

    // REQUIRES for all: the time was not forgotten.
    std::int32_t at(double time) const { return values()[stretch_at(time)]; }
    /// The first such time; never if there is none.
    double first_window(const StepWindow& wanted) const;
    /// Of the windows from `first` on the one of least index that there is, and its first time.
    FoundWindow first_of(const StepWindows& wanted, std::size_t first) const;
    /// The stretch that `time` lies in.
    std::size_t stretch_at(double time) const;

    /// Forgets the steps that no time from `time` on needs.
    void forget_before(double time);
    /// `value` at every time again.
    void reset(std::int32_t value);

    /// Number of stretches of constant value.
    std::size_t stretches() const { return count_; }
    double begin_of(std::size_t stretch) const { return times()[stretch]; }
    std::int32_t value_of(std::size_t stretch) const { return values()[stretch]; }

  private:
    // A change adds up to four; what is looked at or moved begins anywhere.
    static constexpr std::size_t spare = 4 + 2 * bits;

    // Beyond the last stretch there are times never, at least a block of them, and any values.
    struct Columns {
        std::vector<double, CacheLineAllocator<double>> times;  // at which the stretches begin
        std::vector<std::int32_t, CacheLineAllocator<std::int32_t>> values;
        void make_room(std::size_t stretches);
    };

    const double* times() const { return columns_[current_].times.data() + front_; }
    const std::int32_t* values() const { return columns_[current_].values.data() + front_; }
    double first_window_of_many(const StepWindow& wanted) const;
    template <std::size_t n>
    void change(const std::array<double, n>& from, const std::array<std::int32_t, n>& amounts);

    std::array<Columns, 2> columns_;  // a change moves what there is from one to the other
    std::size_t current_ = 0;
    std::size_t front_ = 0;  // so many stretches were forgotten
    std::size_t count_ = 0;
};

}  // namespace schedfarm::engine
