#include <cmath>

#include "policies/migration_gang.hpp"

namespace schedfarm::policies {

void SliceGrid::find(double time) {
    cycle_ = std::floor(time / cycle_s_);
    while (cycle_ * cycle_s_ > time) {
        cycle_ -= 1;
    }
    row_ = 0;
    offset_ = 0;
    while (start() < time) {
        next();
    }
}

void SliceGrid::next() {
    offset_ += quanta_.of_cycle(cycle_ * cycle_s_)[row_];
    if (++row_ == rows_) {
        row_ = 0;
        offset_ = 0;
        cycle_ += 1;
    }
}

}  // namespace schedfarm::policies
