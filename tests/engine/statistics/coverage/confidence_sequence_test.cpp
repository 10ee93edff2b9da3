// What the confidence sequence promises: its intervals hold together however often one looks, and
// where a rule stops that looks at nothing else. Whole paths run from the first look at 64 to
// about 15,000 replications, in steps of a fifth.
#include <cstdint>
#include <span>
#include <vector>

#include <doctest/doctest.h>

#include "engine/statistics/estimate.hpp"
#include "engine/statistics/stop_rule.hpp"

#include "tests/engine/statistics/coverage.hpp"
#include "tests/engine/statistics/coverage/observation_sources.hpp"
#include "tests/support/long_form.hpp"

namespace schedfarm::engine {
namespace {

constexpr auto sequence = IntervalMethod::confidence_sequence;

/// A macro-run counts as covered when the intervals of all its checkpoints hold the mean.
Coverage of_whole_path(
    const ObservationSource& source,
    IntervalMethod method,
    const ReplicationLimits& limits,
    std::uint32_t macro_runs
) {
    Coverage coverage;
    std::vector<double> values(limits.max);
    for (std::uint32_t macro = 0; macro < macro_runs; ++macro) {
        source.fill(macro, 0, values);
        bool holds = true;
        for (std::uint64_t n = next_checkpoint(0, limits); holds && n < limits.max;
             n = next_checkpoint(n, limits)) {
            const auto estimate = estimate_mean(std::span(values).first(n), 0.95, method);
            holds = estimate->interval.contains(source.mean);
        }
        ++coverage.macro_runs;
        coverage.covered += holds ? 1U : 0U;
    }
    return coverage;
}

TEST_CASE("the intervals of a confidence sequence hold together") {
    for (const auto& source : {normal_source(), exponential_source(), lognormal_source()}) {
        const Coverage coverage =
            of_whole_path(source, sequence, {64, 15'000}, tests::short_or_long(400U, 1000U));
        MESSAGE(source.name << " whole path: " << coverage.fraction());
        check_band(coverage, 0.95, 1);
    }
}

TEST_CASE("very skewed observations need a later first look") {
    // The sequence is asymptotic: 64 hyperexponential observations of variation 2.2 are too few.
    const Coverage early = of_whole_path(
        hyperexponential_source(), sequence, {64, 15'000}, tests::short_or_long(400U, 1000U)
    );
    const Coverage late = of_whole_path(
        hyperexponential_source(), sequence, {500, 15'000}, tests::short_or_long(400U, 1000U)
    );
    MESSAGE(
        "hyperexponential whole path from 64: " << early.fraction()
                                                << ", from 500: " << late.fraction()
    );
    check_band(early, 0.89, 0.92);
    check_band(late, 0.95, 1);
}

TEST_CASE("Student's intervals do not hold together") {
    // The negative control: what looking costs those that were made for one look.
    const Coverage coverage = of_whole_path(
        normal_source(), IntervalMethod::student_t, {64, 15'000}, tests::short_or_long(400U, 1000U)
    );
    MESSAGE("normal whole path of Student's intervals: " << coverage.fraction());
    CHECK(coverage.fraction() + z * coverage.standard_error() < 0.85);
}

TEST_CASE("the intervals hold together from two normal observations on") {
    const Coverage coverage =
        of_whole_path(normal_source(), sequence, {2, 2000}, tests::short_or_long(1500U, 4000U));
    MESSAGE("normal whole path from 2: " << coverage.fraction());
    check_band(coverage, 0.95, 1);
}

void check_strict_rule(double precision, std::uint32_t macro_runs) {
    for (const auto& source :
         {normal_source(), exponential_source(), lognormal_source(), hyperexponential_source()}) {
        const Coverage strict = of_stopping(source, precision, sequence, 64, macro_runs);
        const Coverage standard =
            of_stopping(source, precision, IntervalMethod::skew_adjusted, 64, macro_runs);
        const double cost = strict.mean_replications() / standard.mean_replications();
        MESSAGE(
            source.name << " precision " << precision << " strict: " << strict << ", " << cost
                        << " times the default rule's"
        );
        check_band(strict, 0.987, 1);
        CHECK(cost > 1.7);
        CHECK(cost < 3.8);
    }
}

TEST_CASE("the strict rule covers at a relative precision of a fifth") {
    check_strict_rule(0.20, tests::short_or_long(600U, 2000U));
}

TEST_CASE("the strict rule covers at a relative precision of a tenth") {
    check_strict_rule(0.10, tests::short_or_long(300U, 1000U));
}

TEST_CASE("the strict rule covers at a relative precision of a twentieth") {
    check_strict_rule(0.05, tests::short_or_long(150U, 400U));
}

}  // namespace
}  // namespace schedfarm::engine
