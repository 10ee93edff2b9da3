#include "engine/statistics/pooled_quantile.hpp"

#include <cmath>
#include <vector>

#include <doctest/doctest.h>

#include "engine/foundation/expect.hpp"

namespace schedfarm::engine {
namespace {

constexpr auto sequence = IntervalMethod::confidence_sequence;

std::optional<Estimate> quantile_of(
    const std::vector<SketchBuckets>& replications,
    double p,
    IntervalMethod method = IntervalMethod::student_t
) {
    std::vector<const SketchBuckets*> sketches;
    for (const SketchBuckets& sketch : replications) {
        sketches.push_back(&sketch);
    }
    return estimate_quantile(sketches, p, 0.95, method);
}

double upper_bound(std::int32_t bucket) {
    return sketch_range(bucket).upper;
}

TEST_CASE("Woodruff's interval of four replications, by hand") {
    // 40 values: 30 in bucket 1, 7 in 2, 3 in 3. p = 0.6: the 24th of them, bucket 1.
    // F_r = 0.8, 0.6, 0.7, 0.9; s² = (0.0025 + 0.0225 + 0.0025 + 0.0225) / 3, s / sqrt 4 =
    // 0.06455. Kurtosis 4 · 10.25 / 25 = 1.64: lighter than normal, 3 degrees of freedom,
    // t = 3.18245, h = 0.20543. 0.39457 · 40 = 15.8: the 16th lies in bucket 1; 0.80543 · 40 =
    // 32.2: the 33rd lies in bucket 2.
    const std::vector<SketchBuckets> replications{
        {{1, 8}, {2, 2}}, {{1, 6}, {2, 4}}, {{1, 7}, {2, 1}, {3, 2}}, {{1, 9}, {3, 1}}};
    const Estimate estimate = quantile_of(replications, 0.6).value();
    CHECK(estimate.n == 4);
    CHECK(estimate.mean == doctest::Approx(upper_bound(1)).epsilon(sketch_accuracy));
    CHECK(estimate.interval == Interval{upper_bound(0), upper_bound(2)});
    CHECK(
        estimate.standard_error
        == doctest::Approx((upper_bound(2) - upper_bound(0)) / 2 / 3.182446305).epsilon(1e-8)
    );
    CHECK(estimate.confidence == 0.95);
    CHECK(estimate.method == IntervalMethod::student_t);
}

TEST_CASE("a variance that one replication makes has few degrees of freedom") {
    // F_r = 0.5 and seven times 1, F = 0.9375. Residuals in values: −8.75 and 7 times 1.25, squares
    // 87.5, fourth powers 5878.9; κ = 8 · 5878.9 / 87.5² = 6.143, and 2 / (3.143 / 8 + 2 / 7) =
    // 2.95: 2 degrees of freedom, t = 4.3027, h = 4.3027 · sqrt(87.5 / 7) / 20 / sqrt 8 = 0.2689:
    // nothing bounds the quantile 0.8 from above. With 7 degrees h were 0.1478.
    std::vector<SketchBuckets> replications(8, {{1, 20}});
    replications[0] = {{1, 10}, {2, 10}};
    const Estimate tail = quantile_of(replications, 0.8).value();
    CHECK(tail.interval.lower == upper_bound(0));
    CHECK(std::isinf(tail.interval.upper));
    CHECK(std::isinf(tail.standard_error));
    // 0.75 + 0.2689 > 1, 0.73 + 0.2689 < 1: the last of 160 lies in bucket 2.
    CHECK(std::isinf(quantile_of(replications, 0.75)->interval.upper));
    CHECK(quantile_of(replications, 0.73)->interval.upper == upper_bound(2));
}

TEST_CASE("replications that differ in number weigh by their values") {
    // F_r = 1 of 2 values and 0.75 of 8: F = 8 / 10, residuals 0.4 and −0.4, standard error
    // 0.4 sqrt 2 / sqrt 2 / 5 = 0.08, one degree of freedom: t = 12.706, h > 1.
    const std::vector<SketchBuckets> replications{{{4, 2}}, {{4, 6}, {9, 2}}};
    const Estimate estimate = quantile_of(replications, 0.5).value();
    CHECK(estimate.mean == doctest::Approx(upper_bound(4)).epsilon(sketch_accuracy));
    CHECK(estimate.interval.lower == 0);
    CHECK(std::isinf(estimate.interval.upper));
    // Weighed by replication the shares would be 0.875 on average; ten times as many of each.
    std::vector<SketchBuckets> many;
    for (int i = 0; i < 40; ++i) {
        many.push_back(replications[static_cast<std::size_t>(i % 2)]);
    }
    // s² = 40 · 0.16 / 39, standard error sqrt(s² / 40) / 5 = 0.01281, t(39) = 2.0227, h = 0.0259.
    // p = 0.79: 0.8159 is beyond the 0.8 at or below bucket 4; p = 0.77: 0.7959 is not.
    CHECK(quantile_of(many, 0.79)->interval == Interval{upper_bound(3), upper_bound(9)});
    CHECK(quantile_of(many, 0.77)->interval == Interval{upper_bound(3), upper_bound(4)});
    many.emplace_back();  // a replication without values is one, and adds none
    CHECK(quantile_of(many, 0.5)->mean == estimate.mean);
    CHECK(quantile_of(many, 0.5)->n == 41);
}

TEST_CASE("replications that agree may still hide a rare one") {
    // h = −log 0.05 / 64 = 0.0468.
    const std::vector<SketchBuckets> replications(64, {{1, 10}});
    CHECK(quantile_of(replications, 0.5)->interval == Interval{upper_bound(0), upper_bound(1)});
    CHECK(quantile_of(replications, 0.95)->interval == Interval{upper_bound(0), upper_bound(1)});
    CHECK(std::isinf(quantile_of(replications, 0.954)->interval.upper));
    CHECK(quantile_of(replications, 0.047)->interval.lower == upper_bound(0));
    CHECK(quantile_of(replications, 0.046)->interval.lower == 0);
}

TEST_CASE("the interval of a confidence sequence is that of the share") {
    std::vector<SketchBuckets> replications;
    for (std::uint64_t r = 0; r < 400; ++r) {
        replications.push_back({{1, 50 + r % 7}, {2, 20}, {3, 30}});
    }
    // F = 52.9925 / 102.9925 = 0.51453, standard error 0.000471: Student's 0.5132 ± 0.0009 lies
    // below F, the 0.0016 of the sequence at 400 do not.
    const Estimate student = quantile_of(replications, 0.5132).value();
    const Estimate always = quantile_of(replications, 0.5132, sequence).value();
    CHECK(always.method == sequence);
    CHECK(student.interval.upper == upper_bound(1));
    CHECK(always.interval.upper == upper_bound(2));
}

TEST_CASE("zeros and infinite values have quantiles") {
    std::vector<SketchBuckets> replications;
    for (std::uint64_t r = 0; r < 20; ++r) {
        replications.push_back({{zero_bucket, 60 + r}, {5, 20}, {infinity_bucket, 20 - r}});
    }
    CHECK(quantile_of(replications, 0.5)->mean == 0);
    CHECK(quantile_of(replications, 0.5)->interval == Interval{0, 0});
    CHECK(std::isinf(quantile_of(replications, 0.95)->mean));
    CHECK(std::isinf(quantile_of(replications, 0.95)->interval.upper));
}

TEST_CASE("what has no interval") {
    CHECK_FALSE(quantile_of({}, 0.5));
    CHECK_FALSE(quantile_of({{{1, 5}}}, 0.5));
    CHECK_FALSE(quantile_of({{}, {}}, 0.5));
    CHECK_THROWS_AS(quantile_of({{{1, 5}}, {{1, 5}}}, 0), ContractViolation);
    CHECK_THROWS_AS(quantile_of({{{1, 5}}, {{1, 5}}}, 1), ContractViolation);
}

}  // namespace
}  // namespace schedfarm::engine
