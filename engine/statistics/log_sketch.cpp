#include "engine/statistics/log_sketch.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "engine/foundation/elementary.hpp"
#include "engine/foundation/expect.hpp"
#include "engine/foundation/special_values.hpp"
#include "engine/statistics/quantile.hpp"

namespace schedfarm::engine {

namespace {

constexpr double smallest = std::numeric_limits<double>::min();
constexpr double largest = std::numeric_limits<double>::max();
constexpr double gamma = (1 + sketch_accuracy) / (1 - sketch_accuracy);

/// Between the bounds of these buckets lie all normal numbers.
constexpr std::int32_t lowest_bucket = -142'000;
constexpr std::int32_t highest_bucket = 142'000;

/// γ^index, increasing in the index; infinite beyond the range of double.
double bucket_bound(std::int32_t index) {
    return power(gamma, index);
}

/// The logarithm to base γ, by straight lines over 256 parts of every octave: at the distance r <=
/// 1/512 from the middle of a part a line is off by r²/2 / log γ < 0.0004.
class RoughLogarithm {
  public:
    RoughLogarithm() {
        const double log_gamma = logarithm(gamma);
        octave_ = logarithm(2) / log_gamma;
        for (std::size_t i = 0; i < parts; ++i) {
            const double middle = 1 + (static_cast<double>(i) + 0.5) / parts;
            lines_[i].slope = 1 / (middle * log_gamma);
            lines_[i].at_one = logarithm(middle) / log_gamma - (middle - 1) * lines_[i].slope;
        }
    }

    /// REQUIRES: a positive normal number.
    double operator()(double value) const {
        constexpr std::uint64_t fraction = 0x000fffffffffffffU;
        constexpr std::uint64_t one = 0x3ff0000000000000U;
        const auto bits = std::bit_cast<std::uint64_t>(value);
        const auto mantissa = std::bit_cast<double>((bits & fraction) | one);
        const auto exponent = static_cast<std::int32_t>(bits >> 52U) - 1023;
        const Line& line = lines_[(bits & fraction) >> (52U - parts_bits)];
        return exponent * octave_ + (line.at_one + (mantissa - 1) * line.slope);
    }

    /// Above the error of the lines and of rounding.
    static constexpr double error = 0.0005;

  private:
    static constexpr unsigned parts_bits = 8;
    static constexpr std::size_t parts = 1U << parts_bits;

    struct Line {
        double at_one = 0;
        double slope = 0;
    };
    double octave_ = 0;
    std::array<Line, parts> lines_;
};

/// The rough logarithm says between which bounds a normal number lies, unless it comes near to a
/// whole number: then the bound itself decides.
inline std::int32_t index_of_normal(double value) {
    static const RoughLogarithm rough_logarithm;
    constexpr double whole_shift = 0x1.8p52;  // x + shift − shift is x rounded to a whole number
    const double position = rough_logarithm(value);
    const double nearest = position + whole_shift - whole_shift;
    const double beyond = position - nearest;
    const auto index = static_cast<std::int32_t>(nearest);
    if (std::fabs(beyond) < RoughLogarithm::error) [[unlikely]] {
        return index + (value > bucket_bound(index) ? 1 : 0);
    }
    return index + (beyond > 0 ? 1 : 0);
}

bool is_special(std::int32_t index) {
    return index == zero_bucket || index == infinity_bucket;
}

double bucket_value(std::int32_t index) {
    const SketchRange range = sketch_range(index);
    // γ^(i−1) (1 + a) is 2 γ^i / (γ + 1), and finite where γ^i is not, but for the last bucket.
    return is_special(index) ? range.lower : std::min(range.lower * (1 + sketch_accuracy), largest);
}

}  // namespace

std::int32_t sketch_index(double value) {
    SCHEDFARM_EXPECT(value >= 0, "a sketch holds no negative numbers and no NaN");
    if (value < smallest) {
        return zero_bucket;
    }
    return value > largest ? infinity_bucket : index_of_normal(value);
}

void LogSketch::add(double value) {
    const std::int32_t index =
        value >= smallest && value <= largest ? index_of_normal(value) : sketch_index(value);
    count(index, 1);
}

void LogSketch::count(std::int32_t index, std::uint64_t count) {
    const auto position = static_cast<std::size_t>(std::int64_t{index} - lowest_);
    if (position < counts_.size()) [[likely]] {
        counts_[position] += count;
    } else if (index == zero_bucket) {
        zeros_ += count;
    } else if (index == infinity_bucket) {
        infinities_ += count;
    } else {
        extend_to(index);
        counts_[static_cast<std::size_t>(index - lowest_)] += count;
    }
}

void LogSketch::extend_to(std::int32_t index) {
    SCHEDFARM_EXPECT(
        index >= lowest_bucket && index <= highest_bucket, "a bucket that no number falls into"
    );
    if (counts_.empty()) {
        lowest_ = index;
    }
    if (index < lowest_) {
        counts_.insert(counts_.begin(), static_cast<std::size_t>(lowest_ - index), 0);
        lowest_ = index;
    }
    const auto needed = static_cast<std::size_t>(index - lowest_) + 1;
    counts_.resize(std::max(counts_.size(), needed), 0);
}

void LogSketch::merge(const SketchBuckets& other) {
    for (const SketchBucket& bucket : other) {
        count(bucket.index, bucket.count);
    }
}

std::uint64_t LogSketch::n() const {
    std::uint64_t sum = zeros_ + infinities_;
    for (const std::uint64_t count : counts_) {
        sum += count;
    }
    return sum;
}

SketchBuckets LogSketch::buckets() const {
    SketchBuckets buckets;
    if (zeros_ > 0) {
        buckets.push_back({zero_bucket, zeros_});
    }
    for (std::size_t i = 0; i < counts_.size(); ++i) {
        if (counts_[i] > 0) {
            buckets.push_back({lowest_ + static_cast<std::int32_t>(i), counts_[i]});
        }
    }
    if (infinities_ > 0) {
        buckets.push_back({infinity_bucket, infinities_});
    }
    return buckets;
}

std::optional<double> sketch_quantile(std::span<const SketchBucket> buckets, double p) {
    SCHEDFARM_EXPECT(p >= 0 && p <= 1, "the probability is not between 0 and 1");
    const bool is_empty = std::all_of(buckets.begin(), buckets.end(), [](const SketchBucket& b) {
        return b.count == 0;
    });
    return is_empty ? std::nullopt : std::optional(bucket_value(sketch_quantile_index(buckets, p)));
}

std::int32_t sketch_quantile_index(std::span<const SketchBucket> buckets, double p) {
    std::uint64_t n = 0;
    for (const SketchBucket& bucket : buckets) {
        n += bucket.count;
    }
    const std::uint64_t place = quantile_place(n, p);
    std::uint64_t below = 0;
    for (const SketchBucket& bucket : buckets) {
        below += bucket.count;
        if (below > place) {
            return bucket.index;
        }
    }
    return buckets.back().index;
}

SketchRange sketch_range(std::int32_t index) {
    if (index == zero_bucket) {
        return {0, 0};
    }
    if (index == infinity_bucket) {
        return {infinity, infinity};
    }
    return {bucket_bound(index - 1), bucket_bound(index)};
}

}  // namespace schedfarm::engine
