#include "policies/gang/slice_grid.hpp"

#include <cmath>
#include <numeric>

namespace schedfarm::policies {

SliceGrid::SliceGrid(const GangSettings& settings, const engine::BuddyTrees& trees)
    : quanta_(settings, trees)
    , is_longer_by_costs_(settings.switches.place == SwitchPlace::outside)
    , cycle_s_(settings.cycle_s) {
    std::uint32_t row_before = quanta_.row_class(quanta_.slices() - 1);
    for (std::size_t slice = 0; slice < quanta_.slices(); ++slice) {
        const std::uint32_t row = quanta_.row_class(slice);
        const bool is_free = settings.switches.paid == SwitchPaid::row_change && row == row_before;
        costs_.push_back(is_free ? 0 : settings.switches.seconds);
        row_before = row;
    }
    if (is_longer_by_costs_) {
        cycle_s_ = std::accumulate(costs_.begin(), costs_.end(), cycle_s_);
    }
}

double SliceGrid::length() {
    const double quantum = quanta_.of_cycle(cycle_ * cycle_s_)[slice_];
    return is_longer_by_costs_ ? costs_[slice_] + quantum : quantum;
}

double SliceGrid::end() {
    const bool is_last = slice_ + 1 == quanta_.slices();
    return is_last ? (cycle_ + 1) * cycle_s_ : cycle_ * cycle_s_ + (offset_ + length());
}

void SliceGrid::go_to(double time) {
    cycle_ = std::floor(time / cycle_s_);
    while (cycle_ * cycle_s_ > time) {
        cycle_ -= 1;
    }
    slice_ = 0;
    offset_ = 0;
    while (end() <= time) {
        next();
    }
}

void SliceGrid::next() {
    offset_ += length();
    if (++slice_ == quanta_.slices()) {
        slice_ = 0;
        offset_ = 0;
        cycle_ += 1;
    }
}

}  // namespace schedfarm::policies
