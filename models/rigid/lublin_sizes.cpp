#include "models/rigid/lublin_sizes.hpp"

#include <algorithm>
#include <cmath>

#include "engine/foundation/elementary.hpp"

namespace schedfarm::models {

namespace {

constexpr double ln_2 = 0.69314718055994530942;

double share_below(double x, double low, double high) {
    return low < high ? std::clamp((x - low) / (high - low), 0.0, 1.0) : (x < low ? 0.0 : 1.0);
}

/// P(log2 of the size <= x).
double below(const LublinSizeParameters& p, double x) {
    return p.low_share * share_below(x, p.low, p.medium)
           + (1 - p.low_share) * share_below(x, p.medium, p.high);
}

}  // namespace

LublinSizes::LublinSizes(const LublinSizeParameters& p) {
    const auto whole_low = static_cast<int>(std::floor(p.low + 0.5));
    const auto whole_high = static_cast<int>(std::ceil(p.high - 0.5));
    const double rounded = std::floor(engine::exponential(p.high * ln_2) + 0.5);
    const double largest = std::max(rounded, std::ldexp(1.0, whole_high));
    probabilities_.resize(static_cast<std::size_t>(largest) + 1);
    probabilities_[1] = p.serial;
    for (int k = whole_low; k <= whole_high; ++k) {
        probabilities_[std::size_t{1} << k] +=
            p.power_of_two * (below(p, k + 0.5) - below(p, k - 0.5));
    }
    const double other = 1 - p.serial - p.power_of_two;
    double last = 0;
    for (std::size_t n = 1; n < probabilities_.size(); ++n) {
        // Sizes from n − 1/2 on are rounded to n.
        const double next = below(p, engine::logarithm(static_cast<double>(n) + 0.5) / ln_2);
        probabilities_[n] += other * (next - last);
        last = next;
    }
    double sum = 0;
    for (const double probability : probabilities_) {
        sum += probability;
        cumulative_.push_back(sum);
    }
}

std::uint32_t LublinSizes::size(double uniform) const {
    const auto place =
        std::upper_bound(cumulative_.begin(), cumulative_.end(), uniform * cumulative_.back());
    const auto n = std::min<std::ptrdiff_t>(place - cumulative_.begin(), largest());
    return static_cast<std::uint32_t>(n);
}

}  // namespace schedfarm::models
