// What is asked of a step function (engine/planning/profile/step_function.hpp).
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace schedfarm::engine {

/// The end of what begins at `begin` and is planned for `duration` >= 0. What takes no time still
/// needs its processors at an instant: it ends at the next number after `begin`.
inline double planned_end(double begin, double duration) {
    const double end = begin + duration;
    return end > begin ? end : std::nextafter(begin, std::numeric_limits<double>::infinity());
}

/// A time from <= t < before from which on the value is at least `level` up to planned_end(t,
/// duration), or up to `until` if that is earlier. REQUIRES: from < before.
struct StepWindow {
    std::int32_t level = 0;
    double duration = 0;
    double from = 0;
    double before = std::numeric_limits<double>::infinity();
    double until = std::numeric_limits<double>::infinity();

    bool is_there_time() const { return from < until; }
};

/// Windows of the same `from` and `before`, column by column. Of a window with until <= from there
/// is none. REQUIRES: from < before.
class StepWindows {
  public:
    double from = 0;
    double before = std::numeric_limits<double>::infinity();

    std::size_t size() const { return size_; }
    StepWindow operator[](std::size_t i) const {
        return {levels_[i], durations_[i], from, before, untils_[i]};
    }
    const std::int32_t* levels() const { return levels_.data(); }
    const double* durations() const { return durations_.data(); }
    const double* untils() const { return untils_.data(); }

    /// Forgets all, and makes room for so many.
    void clear(std::size_t most) {
        size_ = 0;
        make_room(most);
    }
    /// REQUIRES: there is room.
    void add(std::int32_t level, double duration, double until) {
        levels_[size_] = level;
        durations_[size_] = duration;
        untils_[size_] = until;
        ++size_;
    }
    /// Ahead of number `i`, or as the last.
    void insert(std::size_t i, std::int32_t level, double duration, double until) {
        if (size_ == levels_.size()) {
            make_room(2 * size_ + 1);
        }
        for (std::size_t k = size_; k > i; --k) {
            copy(k - 1, k);
        }
        levels_[i] = level;
        durations_[i] = duration;
        untils_[i] = until;
        ++size_;
    }
    void set_until(std::size_t i, double until) { untils_[i] = until; }
    void copy(std::size_t place, std::size_t to) {
        levels_[to] = levels_[place];
        durations_[to] = durations_[place];
        untils_[to] = untils_[place];
    }
    /// Leaves the first so many.
    void shorten(std::size_t size) { size_ = size; }

  private:
    void make_room(std::size_t most) {
        if (levels_.size() < most) {
            levels_.resize(most);
            durations_.resize(most);
            untils_.resize(most);
        }
    }

    std::vector<std::int32_t> levels_;
    std::vector<double> durations_;
    std::vector<double> untils_;
    std::size_t size_ = 0;
};

/// One of some windows, and when it begins; never: there is none.
struct FoundWindow {
    std::size_t index = 0;
    double begin = std::numeric_limits<double>::infinity();
};

/// From the times old_begin <= t < old_end to begin <= t < end. REQUIRES: begin < end, old_begin <
/// old_end; begin < old_begin, end <= old_end.
struct StepMove {
    double begin = 0;
    double end = 0;
    double old_begin = 0;
    double old_end = 0;
};

}  // namespace schedfarm::engine
