#include "campaigns/simulate/quantiles.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace schedfarm::campaigns {

namespace {

constexpr int cell_bits = 15;
constexpr std::size_t cells = std::size_t{1} << cell_bits;

/// Without the sign: −0 goes with 0.
std::size_t cell(double value) {
    return std::bit_cast<std::uint64_t>(value) << 1 >> (64 - cell_bits);
}

/// The place of the quantile in order.
std::size_t rank_of(double share, std::size_t count) {
    const double at_least = std::ceil(share * static_cast<double>(count));
    return static_cast<std::size_t>(std::max(at_least, 1.0)) - 1;
}

}  // namespace

void Quantiles::begin(std::span<const double> values) {
    values_ = values;
    counts_.assign(cells, 0);
    for (const double value : values) {
        ++counts_[cell(value)];
    }
}

double Quantiles::at(double share) {
    std::size_t place = rank_of(share, values_.size());
    std::size_t wanted = 0;
    while (place >= counts_[wanted]) {
        place -= counts_[wanted];
        ++wanted;
    }
    candidates_.clear();
    for (const double value : values_) {
        if (cell(value) == wanted) {
            candidates_.push_back(value);
        }
    }
    const auto result = candidates_.begin() + static_cast<std::ptrdiff_t>(place);
    std::nth_element(candidates_.begin(), result, candidates_.end());
    return *result;
}

}  // namespace schedfarm::campaigns
