// A quantile sketch with logarithmic buckets (Masson, Rim & Lee, DDSketch, VLDB 2019): bucket i
// counts the values in (γ^(i−1), γ^i], γ = (1 + a) / (1 − a). Every quantile is known to the
// relative accuracy a. Sketches merge by adding counts, in any order with the same result.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace schedfarm::engine {

/// The relative accuracy of all sketches; part of the results version.
inline constexpr double sketch_accuracy = 0.01;

struct SketchBucket {
    std::int32_t index = 0;
    std::uint64_t count = 0;
    friend bool operator==(const SketchBucket&, const SketchBucket&) = default;
};

/// Buckets with a count above 0, by index. Zero counts as index INT32_MIN, infinity as INT32_MAX.
using SketchBuckets = std::vector<SketchBucket>;

class LogSketch {
  public:
    /// REQUIRES: value >= 0, not NaN.
    void add(double value);
    void merge(const SketchBuckets& other);

    std::uint64_t n() const;
    SketchBuckets buckets() const;

  private:
    std::int32_t lowest_ = 0;
    std::vector<std::uint64_t> counts_;  ///< of the buckets lowest_ …
    std::uint64_t zeros_ = 0;
    std::uint64_t infinities_ = 0;
};

/// The p-quantile of what was sketched, to sketch_accuracy: 2 γ^i / (γ + 1) of the bucket that
/// holds the value number ⌊p (n − 1)⌋ in order. Absent without values.
/// REQUIRES: 0 <= p <= 1; buckets by index.
std::optional<double> sketch_quantile(std::span<const SketchBucket> buckets, double p);

/// The values that a bucket holds: more than `lower`, at most `upper`.
struct SketchRange {
    double lower = 0;
    double upper = 0;
};
SketchRange sketch_range(std::int32_t index);

}  // namespace schedfarm::engine
