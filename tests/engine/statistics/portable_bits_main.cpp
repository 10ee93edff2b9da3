// Prints a digest of the bits of many quantiles, intervals and decisions, then one of the C
// library's own functions. portable_bits_test runs it with and without fused multiply-add in the C
// library: the first line must not change, the second shows whether there was anything to resist.
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <vector>

#include "engine/foundation/elementary.hpp"
#include "engine/foundation/hash.hpp"
#include "engine/random/stream.hpp"
#include "engine/statistics/log_sketch.hpp"
#include "engine/statistics/quantile.hpp"
#include "engine/statistics/selection/comparison.hpp"
#include "engine/statistics/stop_rule.hpp"
#include "engine/statistics/student_t.hpp"

namespace schedfarm::engine {
namespace {

class Digest {
  public:
    void add(double value) { state_ = mix(state_ + std::bit_cast<std::uint64_t>(value)); }
    void add(const Estimate& estimate) {
        add(estimate.mean);
        add(estimate.standard_error);
        add(estimate.skewness);
        add(estimate.interval.lower);
        add(estimate.interval.upper);
    }
    unsigned long long state() const { return state_; }

  private:
    std::uint64_t state_ = 0;
};

std::vector<double> lognormal(std::uint32_t replication, std::size_t n) {
    std::vector<double> values(n);
    const Stream stream(1, Purpose::service, replication);
    for (std::size_t i = 0; i < n; ++i) {
        values[i] = exponential(normal_quantile(unit_interval(stream.draw(i))));
    }
    return values;
}

void add_sample(Digest& digest, std::uint32_t replication, std::size_t n, double confidence) {
    std::vector<double> values = lognormal(replication, n);
    const std::vector<double> others = lognormal(replication + 1'000'000, n);
    digest.add(*estimate_mean(values, confidence, IntervalMethod::student_t));
    digest.add(*estimate_mean(values, confidence, IntervalMethod::skew_adjusted));
    digest.add(*estimate_mean(values, confidence, IntervalMethod::confidence_sequence));
    digest.add(*estimate_ratio(values, others, confidence));
    digest.add(*paired_difference(values, others, confidence));
    digest.add(z_score(values[0], others[0], {values[1], others[1], 0.5}));
    const TargetObservations target{{0.5, {}, confidence, {}}, values, {}};
    digest.add(static_cast<double>(decide({&target, 1}, n, {2, n}).predicted));
    for (const double value : others) {
        digest.add(sketch_index(value));
    }
    digest.add(sample_quantile(values, confidence));
}

/// The C library's variants differ in one result of some thousands, hence so many.
Digest statistics_digest() {
    Digest digest;
    std::uint32_t replication = 0;
    for (std::uint64_t v = 1; v < 1'000'000; v += 1 + v / 100) {
        for (const double confidence : {0.5, 0.683, 0.9, 0.95, 0.975, 0.99, 0.999}) {
            digest.add(student_t_two_sided(confidence, v));
        }
    }
    for (std::size_t n = 2; n < 5000; n += 1 + n / 20) {
        add_sample(digest, ++replication, n, 0.95);
    }
    for (std::uint64_t i = 1; i < 20'000; ++i) {
        const double confidence = 0.5 + static_cast<double>(i) / 40'100;
        add_sample(digest, ++replication, 3 + i % 30, confidence);
    }
    return digest;
}

Digest library_digest() {
    Digest digest;
    for (const double x : lognormal(0, 1'000'000)) {
        digest.add(std::log(x));
        digest.add(std::exp(x));
        digest.add(std::pow(x, 1. / 3));
    }
    return digest;
}

}  // namespace
}  // namespace schedfarm::engine

int main() {
    std::printf("%016llx\n", schedfarm::engine::statistics_digest().state());
    std::printf("%016llx\n", schedfarm::engine::library_digest().state());
}
