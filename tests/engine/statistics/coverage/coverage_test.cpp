// How often a nominal 95 % interval holds the true value. Every bound is z × standard error of the
// measured coverage, sqrt(c (1 − c) / macro-runs).
#include "tests/engine/statistics/coverage.hpp"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

#include <doctest/doctest.h>

#include "engine/foundation/elementary.hpp"
#include "engine/random/stream.hpp"
#include "engine/statistics/selection/comparison.hpp"

#include "tests/support/long_form.hpp"

namespace schedfarm::engine {
namespace {

Coverage of_fixed_number(
    const ObservationSource& source, std::size_t n, IntervalMethod method, std::uint32_t macro_runs
) {
    Coverage coverage;
    std::vector<double> values(n);
    for (std::uint32_t macro = 0; macro < macro_runs; ++macro) {
        source.fill(macro, 0, values);
        coverage.add(*estimate_mean(values, 0.95, method), source.mean);
    }
    return coverage;
}

TEST_CASE("Student's interval of normal observations covers exactly as stated") {
    for (const std::size_t n : {2U, 3U, 10U, 64U}) {
        const Coverage coverage =
            of_fixed_number(normal_source(), n, IntervalMethod::student_t, 10'000);
        MESSAGE("normal n = " << n << ": " << coverage);
        CHECK(std::fabs(coverage.fraction() - 0.95) < z * std::sqrt(0.95 * 0.05 / 10'000));
    }
}

TEST_CASE("the skew adjustment moves the coverage of skewed observations towards the stated") {
    for (const auto& source :
         {exponential_source(), lognormal_source(), hyperexponential_source()}) {
        const Coverage student = of_fixed_number(source, 64, IntervalMethod::student_t, 10'000);
        const Coverage skewed = of_fixed_number(source, 64, IntervalMethod::skew_adjusted, 10'000);
        MESSAGE(source.name << " n = 64: Student " << student << "; skew-adjusted " << skewed);
        CHECK(skewed.fraction() > student.fraction());
        CHECK(std::fabs(skewed.fraction() - 0.95) < std::fabs(student.fraction() - 0.95));
    }
}

void check_default_rule(
    double precision, std::uint32_t macro_runs, double least_coverage, double most_coverage
) {
    for (const auto& source :
         {normal_source(),
          exponential_source(),
          hyperexponential_source(),
          lognormal_source(),
          mm1_source(0.8)}) {
        const Coverage coverage =
            of_stopping(source, precision, IntervalMethod::skew_adjusted, 64, macro_runs);
        MESSAGE(source.name << " precision " << precision << ": " << coverage);
        check_band(coverage, least_coverage, most_coverage);
    }
}

TEST_CASE("the default rule covers at a relative precision of a tenth") {
    check_default_rule(0.10, tests::short_or_long(600U, 2000U), 0.93, 0.97);
}

TEST_CASE("the default rule covers at a relative precision of a twentieth") {
    check_default_rule(0.05, tests::short_or_long(300U, 1000U), 0.94, 0.96);
}

TEST_CASE("a rule that may stop at two replications covers too rarely") {
    // The negative control: what the minimum of 64 is there for.
    const ObservationSource queue = mm1_source(0.8);
    const Coverage hasty =
        of_stopping(queue, 0.20, IntervalMethod::student_t, 2, tests::short_or_long(600U, 2000U));
    const Coverage patient = of_stopping(
        queue, 0.20, IntervalMethod::skew_adjusted, 64, tests::short_or_long(600U, 2000U)
    );
    MESSAGE("M/M/1 precision 0.20: from 2 " << hasty << "; from 64 " << patient);
    CHECK(hasty.fraction() + z * hasty.standard_error() < 0.90);
    CHECK(patient.fraction() > hasty.fraction());
}

TEST_CASE("the ratio estimator covers the exact saturation of an FCFS system") {
    // Sizes uniform on 1 … 4, four processors: E[S] / (s E[1/N]) = 0.779537…
    // P(N = i): N = 4: (1/4)^4 · 1; N >= 3 needs S1 + S2 + S3 <= 4: 4/64; N >= 2: 6/16; N >= 1: 1.
    // E[1/N] = 10/16 + (6/16 − 4/64)/2 + (4/64 − 1/256)/3 + 1/1024 = 0.80175781…
    const double inverse_jobs =
        10. / 16 + (6. / 16 - 4. / 64) / 2 + (4. / 64 - 1. / 256) / 3 + 1. / 1024;
    const double saturation = 2.5 / (4 * inverse_jobs);
    CHECK(saturation == doctest::Approx(0.779537).epsilon(1e-6));
    Coverage coverage;
    for (std::uint32_t macro = 0; macro < tests::short_or_long(600U, 2000U); ++macro) {
        std::vector<double> busy;
        std::vector<double> capacity;
        for (std::uint32_t replication = 0; replication < 20; ++replication) {
            const SaturatedRun run = saturated_run(macro, replication, 4, 400);
            busy.push_back(run.busy_area);
            capacity.push_back(run.capacity_area);
        }
        coverage.add(*estimate_ratio(busy, capacity, 0.95), saturation);
    }
    MESSAGE("saturation: " << coverage);
    check_band(coverage, 0.93, 0.97);
}

TEST_CASE("the skew adjustment moves the coverage of a skewed ratio towards the stated") {
    // Replications of 1 … 9 lognormal jobs: their mean is the sum of all over their number.
    constexpr std::size_t most_jobs = 9;
    const ObservationSource source = lognormal_source();
    Coverage student;
    Coverage skewed;
    std::vector<double> jobs(64 * most_jobs);
    for (std::uint32_t macro = 0; macro < 4000; ++macro) {
        source.fill(macro, 0, jobs);
        const Stream stream(3, Purpose::service, macro);
        std::vector<double> sums;
        std::vector<double> counts;
        for (std::size_t r = 0; r < 64; ++r) {
            counts.push_back(1 + std::floor(most_jobs * unit_interval(stream.draw(r))));
            const auto first = jobs.begin() + static_cast<std::ptrdiff_t>(r * most_jobs);
            sums.push_back(
                std::accumulate(first, first + static_cast<std::ptrdiff_t>(counts.back()), 0.0)
            );
        }
        student.add(*estimate_ratio(sums, counts, 0.95, IntervalMethod::student_t), source.mean);
        skewed.add(*estimate_ratio(sums, counts, 0.95, IntervalMethod::skew_adjusted), source.mean);
    }
    MESSAGE("mean of lognormal jobs: Student " << student << "; skew-adjusted " << skewed);
    CHECK(skewed.fraction() > student.fraction());
    CHECK(std::fabs(skewed.fraction() - 0.95) < std::fabs(student.fraction() - 0.95));
}

TEST_CASE("the paired interval covers exactly and is shorter than the unpaired one") {
    // a = common + noise, b = common + noise + 0.3, all normal: the difference is normal.
    Coverage coverage;
    double paired_length = 0;
    double unpaired_length = 0;
    for (std::uint32_t macro = 0; macro < 10'000; ++macro) {
        const Stream stream(3, Purpose::service, macro);
        const auto normal = [&](std::uint64_t i) {
            return normal_quantile(unit_interval(stream.draw(i)));
        };
        std::vector<double> a;
        std::vector<double> b;
        for (std::uint64_t i = 0; i < 10; ++i) {
            a.push_back(3 * normal(3 * i) + normal(3 * i + 1));
            b.push_back(3 * normal(3 * i) + normal(3 * i + 2) + 0.3);
        }
        const auto difference = paired_difference(a, b, 0.95);
        coverage.add(*difference, -0.3);
        const auto own = estimate_mean(a, 0.95, IntervalMethod::student_t);
        paired_length += difference->interval.half_width();
        unpaired_length += own->interval.half_width() * std::sqrt(2);
    }
    MESSAGE("paired: " << coverage);
    CHECK(std::fabs(coverage.fraction() - 0.95) < z * std::sqrt(0.95 * 0.05 / 10'000));
    CHECK(paired_length < 0.5 * unpaired_length);
}

}  // namespace
}  // namespace schedfarm::engine
