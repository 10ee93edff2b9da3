// Windows of a step function that are looked for again and again, while it changes and they end
// earlier (engine/planning/profile/step_function.hpp): jobs that give up their reservations for
// earlier ones.
//
// A window is there in one of two ways. A whole one ends by its `until`: for windows of one kind,
// which have level and duration in common, a time is known before which none begins. It is brought
// up to date where the function was raised since, by the widest windows of each level there. Else a
// window reaches `until`: then the value just before it is at least the level. Through few steps
// windows go one by one, up to eight of them at a time.
//
// Cost: of a search O(steps) for each window where they are few, else O(log steps), by vectors, and
// O(kinds that fit) for each raise.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "engine/planning/profile/step_function.hpp"
#include "engine/planning/profile/step_window.hpp"

namespace schedfarm::engine {

/// One of some windows, and when it begins; never: there is none.
struct FoundWindow {
    std::size_t index = 0;
    double begin = std::numeric_limits<double>::infinity();
};

/// Calls move (from, to) for what is left of so many without `places`, which ascend; returns how
/// much it is.
template <typename Function>
std::size_t close_gaps(std::size_t size, std::span<const std::size_t> places, Function move) {
    std::size_t to = places.empty() ? size : places.front();
    for (std::size_t k = 0; k < places.size(); ++k) {
        const std::size_t end = k + 1 < places.size() ? places[k + 1] : size;
        for (std::size_t from = places[k] + 1; from < end; ++from, ++to) {
            move(from, to);
        }
    }
    return to;
}

/// Windows of the same `from` and `before`, column by column. Of a window with until <= from there
/// is none. REQUIRES: levels > 0; from < before; `from` never falls.
class StepWindows {
  public:
    double from = 0;
    double before = std::numeric_limits<double>::infinity();

    std::size_t size() const { return size_; }
    StepWindow operator[](std::size_t i) const {
        return {static_cast<std::int32_t>(levels_[i]), durations_[i], from, before, untils_[i]};
    }
    const double* untils() const { return untils_.data(); }

    /// Ahead of number `i`, or as the last.
    void insert(std::size_t i, std::int32_t level, double duration, double until);
    void set_until(std::size_t i, double until) {
        untils_[i] = until;
        row_next_ = i + 1 == row_next_ ? row_next_ : 0;
    }
    /// `places` ascend.
    void remove(std::span<const std::size_t> places);

    /// Of the windows from `first` on the one of least index that there is, and its first time.
    /// REQUIRES: `steps` are always the same.
    FoundWindow first_of(const StepFunction& steps, std::size_t first);

  private:
    static constexpr std::size_t row = 16;
    static constexpr std::size_t few = 192;  ///< stretches: searches go through all of them

    void forget_row() { row_next_ = 0; }

    static constexpr double none = std::numeric_limits<double>::quiet_NaN();
    /// Level and duration, and the time before which no whole window begins; behind them a row that
    /// fits nowhere.
    struct Kinds {
        std::vector<double> durations = std::vector<double>(row, none);  // ascending
        std::vector<double> levels = std::vector<double>(row, none);     // where those are equal
        std::vector<double> begins = std::vector<double>(row, StepFunction::never);
        std::vector<std::uint32_t> counts;  // of the windows
    };

    std::uint32_t kind_of(double level, double duration);
    void remove_kind(std::uint32_t kind);
    void find_kinds();
    void note_raises(const StepFunction& steps);
    void note_raise(
        const StepFunction& steps, const StepFunction::Raise& raise, std::int32_t raised
    );
    void note_peak(const StepFunction& steps, std::size_t peak, std::int32_t floor);
    double begin_of(const StepFunction& steps, std::size_t i);

    // Rows, filled up with what is no window.
    std::vector<double> levels_;
    std::vector<double> durations_;
    std::vector<double> untils_;
    std::vector<std::uint32_t> kinds_;
    std::vector<std::int32_t> stretches_;  // those that reach `until`, when looked at last
    std::size_t size_ = 0;
    Kinds all_kinds_;
    bool has_kinds_ = false;
    std::uint64_t raises_seen_ = 0;
    // The row in which a window was found last: what behind that window may be there, as of which
    // raise.
    std::size_t row_begin_ = 0;
    std::size_t row_next_ = 0;  // 0: no row
    std::uint64_t row_raises_ = 0;
    std::uint32_t row_likely_ = 0;
};

}  // namespace schedfarm::engine
