#include "campaigns/certify/judgement.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "engine/foundation/expect.hpp"
#include "engine/statistics/accumulator.hpp"

namespace schedfarm::campaigns {

namespace {

/// Standard errors within which a band must have a point.
constexpr double certainty = 3;

bool excludes_band(const Certificate& certificate, const RowResult& result) {
    const double reach = certainty * result.standard_error;
    return result.found + reach < certificate.low || result.found - reach > certificate.high;
}

void set_coverage(std::span<const MacroRun> runs, RowResult& result) {
    const auto n = static_cast<double>(runs.size());
    const auto covered =
        std::count_if(runs.begin(), runs.end(), [](const MacroRun& run) { return run.covers; });
    result.found = static_cast<double>(covered) / n;
    result.standard_error = std::max(std::sqrt(result.found * (1 - result.found) / n), 1 / n);
}

void set_bias(std::span<const MacroRun> runs, RowResult& result) {
    engine::Accumulator errors;
    for (const MacroRun& run : runs) {
        errors.add(run.relative_error);
    }
    result.found = *errors.mean();
    result.standard_error = *errors.standard_error();
}

}  // namespace

bool is_bias_subject(CertificateSubject subject) {
    return subject == CertificateSubject::ordered_prefix
           || subject == CertificateSubject::first_finished;
}

RowResult judge(const CertificateRow& row, std::span<const MacroRun> runs) {
    SCHEDFARM_EXPECT(runs.size() >= 2, "coverage from fewer than two macro-runs");
    RowResult result;
    result.macro_runs = runs.size();
    engine::Accumulator used;
    engine::Accumulator half_width;
    for (const MacroRun& run : runs) {
        used.add(static_cast<double>(run.used));
        half_width.add(run.half_width);
        result.incomplete += run.is_complete ? 0U : 1U;
        result.different += run.is_same_in_order ? 0U : 1U;
        result.cpu_seconds += run.cpu_seconds;
    }
    result.mean_used = *used.mean();
    result.mean_half_width = *half_width.mean();
    if (is_bias_subject(row.certificate.subject)) {
        set_bias(runs, result);
    } else {
        set_coverage(runs, result);
    }
    if (!std::isfinite(result.found) || !std::isfinite(result.standard_error)) {
        result.failure = "an estimate is not a number";
        return result;
    }
    const bool is_excluded = excludes_band(row.certificate, result);
    result.is_as_it_should_be =
        is_excluded == row.certificate.is_negative_control && result.different == 0;
    return result;
}

RowResult failed_row(std::string message) {
    RowResult result;
    result.failure = std::move(message);
    return result;
}

std::string verdict_text(const CertificateRow& row, const RowResult& result) {
    if (!result.failure.empty()) {
        return "not measured";
    }
    if (row.certificate.is_negative_control) {
        return result.is_as_it_should_be ? "fails as it should" : "holds but should not";
    }
    return result.is_as_it_should_be ? "holds" : "fails";
}

}  // namespace schedfarm::campaigns
