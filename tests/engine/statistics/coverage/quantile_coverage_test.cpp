// How often the interval of a pooled quantile holds the true one, against the two intervals that it
// replaced. M/M/1 from its stationary state: response times are exponential with mean 1 / (1 − ρ).
#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include <doctest/doctest.h>

#include "engine/foundation/elementary.hpp"
#include "engine/random/stream.hpp"
#include "engine/statistics/pooled_quantile.hpp"
#include "engine/statistics/student_t.hpp"

#include "tests/engine/statistics/coverage.hpp"
#include "tests/support/long_form.hpp"

namespace schedfarm::engine {
namespace {

constexpr double utilization = 0.8;
constexpr std::size_t replications = 64;

double exponential_draw(const Stream& stream, std::uint64_t number) {
    return -logarithm(unit_interval(stream.draw(number)));
}

SketchBuckets response_times(std::uint32_t macro_run, std::uint32_t replication, int jobs) {
    const Stream arrivals(4201 + macro_run, Purpose::arrivals, replication);
    const Stream services(4201 + macro_run, Purpose::service, replication);
    double response = exponential_draw(arrivals, 0) / (1 - utilization);
    LogSketch sketch;
    sketch.add(response);
    for (int job = 1; job < jobs; ++job) {
        const auto number = static_cast<std::uint64_t>(job);
        const double passed = exponential_draw(arrivals, number) / utilization;
        response = std::max(0.0, response - passed) + exponential_draw(services, number);
        sketch.add(response);
    }
    return sketch.buckets();
}

double true_quantile(double p) {
    return -logarithm(1 - p) / (1 - utilization);
}

struct Coverages {
    Coverage woodruff;
    Coverage sectioning;         ///< the pooled quantile ± t s / √R of the replications' own
    Coverage mean_of_quantiles;  ///< their mean ± the same
};

void add_run(const std::vector<SketchBuckets>& run, double p, Coverages& coverages) {
    std::vector<const SketchBuckets*> sketches;
    std::vector<double> own;
    for (const SketchBuckets& sketch : run) {
        sketches.push_back(&sketch);
        own.push_back(sketch_quantile(sketch, p).value());
    }
    const Estimate pooled = estimate_quantile(sketches, p, 0.95).value();
    const Estimate mean = estimate_mean(own, 0.95, IntervalMethod::student_t).value();
    coverages.woodruff.add(pooled, true_quantile(p));
    coverages.mean_of_quantiles.add(mean, true_quantile(p));
    Estimate sectioned = pooled;
    sectioned.interval = {
        pooled.mean - mean.interval.half_width(), pooled.mean + mean.interval.half_width()};
    coverages.sectioning.add(sectioned, true_quantile(p));
}

TEST_CASE("the interval of a pooled quantile covers, those of the replications' own do not") {
    constexpr std::array<double, 4> probabilities = {0.5, 0.9, 0.95, 0.99};
    std::array<Coverages, probabilities.size()> coverages;
    for (std::uint32_t macro = 0; macro < tests::short_or_long(150U, 400U); ++macro) {
        std::vector<SketchBuckets> run;
        for (std::uint32_t r = 0; r < replications; ++r) {
            run.push_back(response_times(macro, r, 1600));
        }
        for (std::size_t i = 0; i < probabilities.size(); ++i) {
            add_run(run, probabilities[i], coverages[i]);
        }
    }
    for (std::size_t i = 0; i < probabilities.size(); ++i) {
        MESSAGE(
            "M/M/1 .8, 1,600 jobs × 64, p = "
            << probabilities[i] << ": pooled " << coverages[i].woodruff << "; sectioning "
            << coverages[i].sectioning << "; mean of quantiles " << coverages[i].mean_of_quantiles
        );
        check_band(coverages[i].woodruff, 0.93, 0.97);
    }
    // The negative controls: 20 jobs per replication lie beyond its own P99, in two busy periods.
    const Coverages& tail = coverages.back();
    CHECK(tail.sectioning.fraction() + z * tail.sectioning.standard_error() < 0.9);
    CHECK(tail.mean_of_quantiles.fraction() + z * tail.mean_of_quantiles.standard_error() < 0.3);
}

TEST_CASE("a stop rule for a quantile stops where its interval is short enough and covers") {
    constexpr double p = 0.95;
    const PrecisionTarget target{0.1, std::nullopt, 0.95, IntervalMethod::skew_adjusted};
    const ReplicationLimits limits{64, 1000};
    Coverage coverage;
    for (std::uint32_t macro = 0; macro < tests::short_or_long(80U, 200U); ++macro) {
        std::vector<SketchBuckets> run;
        std::vector<const SketchBuckets*> sketches;
        StopDecision decision;
        decision.next_check = next_checkpoint(0, limits);
        while (decision.state == StopState::go_on) {
            for (auto r = static_cast<std::uint32_t>(run.size()); r < decision.next_check; ++r) {
                run.push_back(response_times(1000 + macro, r, 1600));
            }
            sketches.clear();
            for (const SketchBuckets& sketch : run) {
                sketches.push_back(&sketch);
            }
            const TargetObservations observed{target, {}, {}, sketches, p};
            decision = decide({&observed, 1}, run.size(), limits);
        }
        REQUIRE(decision.state == StopState::met);
        const Estimate estimate = *estimate_quantile(sketches, p, 0.95);
        CHECK(estimate.longer_side() <= 0.1 / 1.1 * estimate.mean);
        coverage.add(estimate, true_quantile(p));
    }
    MESSAGE("M/M/1 .8, P95 to a tenth: " << coverage);
    check_band(coverage, 0.93, 0.97);
    CHECK(coverage.mean_replications() > 64);
}

}  // namespace
}  // namespace schedfarm::engine
