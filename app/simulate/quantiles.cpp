#include "app/simulate/quantiles.hpp"

#include <algorithm>

#include "engine/foundation/expect.hpp"
#include "engine/statistics/quantile.hpp"

namespace schedfarm::app {

SoughtQuantile::SoughtQuantile(const CellCounts& counts, std::size_t values, double share) {
    place_ = engine::quantile_place(values, share);
    while (place_ >= counts[cell_]) {
        place_ -= counts[cell_];
        ++cell_;
    }
    candidates_.resize(counts[cell_] + 1);  // the last is written and not used
}

void SoughtQuantile::look_at(std::span<const double> values) {
    SCHEDFARM_EXPECT(count_ < candidates_.size(), "more values than were counted");
    double* next = candidates_.data() + count_;
    const std::size_t cell = cell_;
    for (const double value : values) {  // without a branch
        *next = value;
        next += CellCounts::cell(value) == cell ? 1 : 0;
    }
    count_ = static_cast<std::size_t>(next - candidates_.data());
}

double SoughtQuantile::found() {
    SCHEDFARM_EXPECT(count_ + 1 == candidates_.size(), "not the values that were counted");
    candidates_.pop_back();
    const double least = *std::min_element(candidates_.begin(), candidates_.end());
    const auto equal = std::count(candidates_.begin(), candidates_.end(), least);
    const auto place = static_cast<std::ptrdiff_t>(place_);
    if (place < equal) {  // as where most jobs do not wait
        return least;
    }
    std::nth_element(candidates_.begin(), candidates_.begin() + place, candidates_.end());
    return candidates_[place_];
}

}  // namespace schedfarm::app
