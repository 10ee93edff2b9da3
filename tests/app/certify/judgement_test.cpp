#include "app/certify/judgement.hpp"

#include <cmath>
#include <limits>
#include <vector>

#include <doctest/doctest.h>

#include "engine/foundation/expect.hpp"

#include "tests/app/certify/certified_campaigns.hpp"

using namespace schedfarm;              // NOLINT(google-build-using-namespace)
using namespace schedfarm::app;         // NOLINT(google-build-using-namespace)
using namespace schedfarm::app::tests;  // NOLINT(google-build-using-namespace)

namespace {

CertificateRow row_of(const Certificate& certificate) {
    CertificateRow row;
    row.certificate = certificate;
    row.truth = 1;
    return row;
}

/// `covered` of `n` macro-runs cover the truth.
std::vector<MacroRun> runs_of(std::size_t n, std::size_t covered) {
    std::vector<MacroRun> runs(n);
    for (std::size_t i = 0; i < n; ++i) {
        runs[i].covers = i < covered;
        runs[i].is_complete = true;
        runs[i].used = 10;
    }
    return runs;
}

RowResult judged(std::size_t covered, double low, double high, bool is_negative_control) {
    Certificate certificate = certificate_of(CertificateSubject::interval, low, high);
    certificate.is_negative_control = is_negative_control;
    return judge(row_of(certificate), runs_of(400, covered));
}

std::vector<MacroRun> errors_of(const std::vector<double>& errors) {
    std::vector<MacroRun> runs(errors.size());
    for (std::size_t i = 0; i < errors.size(); ++i) {
        runs[i].relative_error = errors[i];
        runs[i].is_complete = true;
    }
    return runs;
}

}  // namespace

// 360 of 400: p = .9, s.e. = sqrt(.9 · .1 / 400) = .015, so that p ± 3 s.e. = [.855, .945].
TEST_CASE("a row holds when its band has a point within three standard errors of the coverage") {
    const RowResult near = judged(360, 0.93, 0.97, false);
    CHECK(near.found == 0.9);
    CHECK(near.standard_error == doctest::Approx(0.015).epsilon(1e-12));
    CHECK(near.is_as_it_should_be);
    CHECK(judged(360, 0.9449, 0.97, false).is_as_it_should_be);
    CHECK_FALSE(judged(360, 0.9451, 0.97, false).is_as_it_should_be);
    CHECK(judged(360, 0.5, 0.8551, false).is_as_it_should_be);
    CHECK_FALSE(judged(360, 0.5, 0.8549, false).is_as_it_should_be);
}

TEST_CASE("a negative control is as it should be exactly when a row with its band would fail") {
    for (std::size_t covered = 0; covered <= 400; covered += 4) {
        CHECK(
            judged(covered, 0.85, 0.95, true).is_as_it_should_be
            != judged(covered, 0.85, 0.95, false).is_as_it_should_be
        );
    }
    // 340 of 400 is .85, a point of the band; 328 is .82 ± .0576: not surely outside; 308 is.
    CHECK_FALSE(judged(340, 0.85, 1, true).is_as_it_should_be);
    CHECK_FALSE(judged(328, 0.85, 1, true).is_as_it_should_be);
    CHECK(judged(308, 0.85, 1, true).is_as_it_should_be);
}

// The normal formula says 0 where every interval covers; one more macro-run might not have.
TEST_CASE("the standard error of a coverage is at least one macro-run") {
    const RowResult all = judged(400, 0.93, 0.97, false);
    CHECK(all.found == 1);
    CHECK(all.standard_error == 1.0 / 400);
    CHECK_FALSE(all.is_as_it_should_be);  // 1 − 3/400 = .9925 > .97
    CHECK(judged(400, 0.93, 0.993, false).is_as_it_should_be);
}

// Errors −.2, .1, .1, −.2: mean −.05, s² = 4 · .15² / 3 = .03, s.e. = sqrt(.03 / 4) = .0866.
TEST_CASE("bias is the mean relative error with its standard error") {
    const CertificateRow row = row_of(certificate_of(CertificateSubject::ordered_prefix, 0, 0, 8));
    const RowResult result = judge(row, errors_of({-0.2, 0.1, 0.1, -0.2}));
    CHECK(result.found == doctest::Approx(-0.05).epsilon(1e-12));
    CHECK(result.standard_error == doctest::Approx(std::sqrt(0.0075)).epsilon(1e-12));
    CHECK(result.is_as_it_should_be);
    CHECK_FALSE(judge(row, errors_of({-0.2, -0.21, -0.19, -0.2})).is_as_it_should_be);
}

TEST_CASE("an estimate with other bits than in order fails whatever the bias") {
    const CertificateRow row = row_of(certificate_of(CertificateSubject::ordered_prefix, -1, 1, 8));
    std::vector<MacroRun> runs = errors_of({0.1, -0.1, 0.1, -0.1});
    CHECK(judge(row, runs).is_as_it_should_be);
    runs[2].is_same_in_order = false;
    CHECK_FALSE(judge(row, runs).is_as_it_should_be);
    CHECK(judge(row, runs).different == 1);
}

TEST_CASE("a control that yields no number does not fail as it should") {
    Certificate certificate = certificate_of(CertificateSubject::first_finished, -0.1, 0.1, 8);
    certificate.is_negative_control = true;
    const CertificateRow row = row_of(certificate);
    const double no_number = std::numeric_limits<double>::quiet_NaN();
    const RowResult result = judge(row, errors_of({-0.5, no_number, -0.5}));
    CHECK_FALSE(result.is_as_it_should_be);
    CHECK(verdict_text(row, result) == "not measured");
    CHECK(judge(row, errors_of({-0.5, -0.51, -0.5})).is_as_it_should_be);
    CHECK_FALSE(failed_row("out of memory").is_as_it_should_be);
    CHECK(verdict_text(row, failed_row("out of memory")) == "not measured");
}

TEST_CASE("intervals without an end are counted beside the half-width of the others") {
    std::vector<MacroRun> runs = runs_of(20, 19);
    const CertificateRow row = row_of(certificate_of(CertificateSubject::interval, 0.93, 0.97));
    for (MacroRun& run : runs) {
        run.half_width = 0.25;
    }
    CHECK(judge(row, runs).mean_half_width == 0.25);
    for (std::uint64_t endless = 1; endless <= runs.size(); ++endless) {
        runs[endless - 1].half_width = std::numeric_limits<double>::infinity();
        const RowResult result = judge(row, runs);
        CHECK(result.without_end == endless);
        CHECK(result.mean_half_width == (endless < runs.size() ? 0.25 : 0));
    }
}

TEST_CASE("macro-runs without their precision are counted") {
    std::vector<MacroRun> runs = runs_of(20, 19);
    runs[3].is_complete = false;
    runs[4].is_complete = false;
    runs[3].end = runs[4].end = "not_met_cap";
    const RowResult result =
        judge(row_of(certificate_of(CertificateSubject::interval, 0.93, 0.97)), runs);
    CHECK(result.judged == 18);
    CHECK(result.other_ends == std::map<std::string, std::uint64_t>{{"not_met_cap", 2}});
    CHECK(result.mean_used == 10);
}

TEST_CASE("a single macro-run has no coverage") {
    const CertificateRow row = row_of(certificate_of(CertificateSubject::interval, 0, 1));
    CHECK_THROWS_AS(judge(row, runs_of(1, 1)), engine::ContractViolation);
}

TEST_CASE("a row fails when too few macro-runs ended as planned unless it admits that") {
    Certificate certificate = certificate_of(CertificateSubject::interval, 0.93, 0.97);
    std::vector<MacroRun> runs = runs_of(400, 380);
    for (std::size_t i = 0; i < 41; ++i) {
        runs[i].is_complete = false;
        runs[i].end = "met_not_stationary";
    }
    CHECK_FALSE(judge(row_of(certificate), runs).is_as_it_should_be);
    CHECK(
        verdict_text(row_of(certificate), judge(row_of(certificate), runs))
        == "too few ended as planned"
    );
    certificate.judged = 0;
    CHECK(judge(row_of(certificate), runs).is_as_it_should_be);
    for (MacroRun& run : runs) {
        run.is_complete = false;
    }
    const RowResult none = judge(row_of(certificate), runs);
    CHECK(none.is_as_it_should_be);
    CHECK(verdict_text(row_of(certificate), none) == "gives no number");
    certificate.is_negative_control = true;
    CHECK_FALSE(judge(row_of(certificate), runs).is_as_it_should_be);
}

// Of 10 macro-runs none or one that does not cover is 1 ± .1 or .9 ± .0949: [.7, 1.0] and beyond.
// The band [.95, 1] is excluded by k of 10 where k/10 + 3 sqrt(k/10 (1 − k/10)/10) < .95: k = 4
// gives .8648, k = 5 gives .9743. At coverage .5 that is P(K <= 4) = 386 / 1024.
TEST_CASE("the power of a row is the probability that its coverage is found outside the band") {
    Certificate certificate = certificate_of(CertificateSubject::interval, 0.95, 1);
    CHECK(power_at(certificate, 10, 0.5) == doctest::Approx(386.0 / 1024).epsilon(1e-12));
    certificate = certificate_of(CertificateSubject::interval, 0.93, 0.97);
    CHECK(coverage_below(certificate).value() == doctest::Approx(0.90));
    CHECK(coverage_above(certificate).value() == doctest::Approx(0.99));
    CHECK(power_at(certificate, 4000, 0.90) > 0.99);
    CHECK(power_at(certificate, 400, 0.90) < 0.3);
    CHECK(power_at(certificate, 4000, 0.95) < 1e-6);
    CHECK(power_at(certificate, 4000, 0.93) < 0.003);
    CHECK_FALSE(coverage_above(certificate_of(CertificateSubject::interval, 0.95, 1)));
}
