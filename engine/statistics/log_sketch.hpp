// A quantile sketch with logarithmic buckets (Masson, Rim & Lee, DDSketch, VLDB 2019): bucket i
// counts the values in (γ^(i−1), γ^i], γ = (1 + a) / (1 − a). Every quantile is known to the
// relative accuracy a. Sketches merge by adding counts, in any order with the same result. The
// bounds γ^i are numbers of our own elementary functions, so that a value has the same bucket on
// every machine, and a larger value never has a smaller one.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

namespace schedfarm::engine {

/// The relative accuracy of all sketches; part of the results version.
inline constexpr double sketch_accuracy = 0.0025;

struct SketchBucket {
    std::int32_t index = 0;
    std::uint64_t count = 0;
    friend bool operator==(const SketchBucket&, const SketchBucket&) = default;
};

/// Zero and what is below the smallest normal number, 2.2e-308, count as index zero_bucket.
inline constexpr std::int32_t zero_bucket = std::numeric_limits<std::int32_t>::min();
inline constexpr std::int32_t infinity_bucket = std::numeric_limits<std::int32_t>::max();

/// Buckets with a count above 0, by index.
using SketchBuckets = std::vector<SketchBucket>;

class LogSketch {
  public:
    /// Costs about 10 ns. REQUIRES: value >= 0, not NaN.
    void add(double value);
    /// REQUIRES: indices that sketch_index() gives.
    void merge(const SketchBuckets& other);

    std::uint64_t n() const;
    SketchBuckets buckets() const;

  private:
    void count(std::int32_t index, std::uint64_t count);
    void extend_to(std::int32_t index);

    std::int32_t lowest_ = 0;
    std::vector<std::uint64_t> counts_;  ///< of the buckets lowest_ …
    std::uint64_t zeros_ = 0;
    std::uint64_t infinities_ = 0;
};

/// The bucket of a value: the smallest i with value <= sketch_range(i).upper.
/// REQUIRES: value >= 0, not NaN.
std::int32_t sketch_index(double value);

/// The p-quantile of what was sketched, to sketch_accuracy: 2 γ^i / (γ + 1) of the bucket that
/// holds the value at quantile_place() (engine/statistics/quantile.hpp). Absent without values.
/// REQUIRES: 0 <= p <= 1; buckets by index.
std::optional<double> sketch_quantile(std::span<const SketchBucket> buckets, double p);

/// The bucket of that value. REQUIRES: as sketch_quantile(); there are values.
std::int32_t sketch_quantile_index(std::span<const SketchBucket> buckets, double p);

/// The values that a bucket holds: more than `lower`, at most `upper`. 0 … 0 and infinity …
/// infinity for the two special buckets.
struct SketchRange {
    double lower = 0;
    double upper = 0;
};
SketchRange sketch_range(std::int32_t index);

}  // namespace schedfarm::engine
