// Time slices of given lengths on a fixed grid from time 0, again and again. A single slice never
// ends.
#pragma once

#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

namespace schedfarm::engine {

class SliceClock {
  public:
    /// REQUIRES: at least one length; all > 0.
    explicit SliceClock(std::vector<double> lengths)
        : lengths_(std::move(lengths))
        , cycle_s_(std::accumulate(lengths_.begin(), lengths_.end(), 0.0)) {}

    std::size_t slices() const { return lengths_.size(); }
    /// The number of the current slice in its cycle.
    std::size_t slice() const { return slice_; }
    double end() const {
        if (lengths_.size() == 1) {
            return std::numeric_limits<double>::infinity();
        }
        const bool is_last = slice_ + 1 == lengths_.size();
        return is_last ? (cycle_ + 1) * cycle_s_ : cycle_ * cycle_s_ + offset_ + lengths_[slice_];
    }
    /// Goes to the slice that holds `time` >= 0: it has begun and does not end by then.
    void go_to(double time) {
        if (lengths_.size() == 1) {
            return;
        }
        cycle_ = std::floor(time / cycle_s_);
        while (cycle_ * cycle_s_ > time) {
            cycle_ -= 1;
        }
        slice_ = 0;
        offset_ = 0;
        while (end() <= time) {
            offset_ += lengths_[slice_++];
            if (slice_ == lengths_.size()) {
                slice_ = 0;
                offset_ = 0;
                cycle_ += 1;
            }
        }
    }

  private:
    std::vector<double> lengths_;
    double cycle_s_;
    double cycle_ = 0;
    std::size_t slice_ = 0;
    double offset_ = 0;  // of the slice in its cycle
};

}  // namespace schedfarm::engine
