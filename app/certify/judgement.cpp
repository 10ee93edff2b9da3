#include "app/certify/judgement.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "engine/foundation/elementary.hpp"
#include "engine/foundation/expect.hpp"
#include "engine/statistics/accumulator.hpp"

namespace schedfarm::app {

namespace {

/// Standard errors within which a band must have a point.
constexpr double certainty = 3;

bool excludes_band(const Certificate& certificate, double found, double standard_error) {
    const double reach = certainty * standard_error;
    return found + reach < certificate.low || found - reach > certificate.high;
}

double error_of_share(double share, double n) {
    return std::max(std::sqrt(share * (1 - share) / n), 1 / n);
}

void set_coverage(const std::vector<const MacroRun*>& runs, RowResult& result) {
    const auto n = static_cast<double>(runs.size());
    const auto covered =
        std::count_if(runs.begin(), runs.end(), [](const MacroRun* run) { return run->covers; });
    result.found = static_cast<double>(covered) / n;
    result.standard_error = error_of_share(result.found, n);
}

void set_bias(const std::vector<const MacroRun*>& runs, RowResult& result) {
    engine::Accumulator errors;
    for (const MacroRun* run : runs) {
        errors.add(run->relative_error);
    }
    result.found = *errors.mean();
    result.standard_error = *errors.standard_error();
}

/// Those that ended as planned; the others are counted.
std::vector<const MacroRun*> judged_runs(std::span<const MacroRun> runs, RowResult& result) {
    std::vector<const MacroRun*> judged;
    engine::Accumulator used;
    engine::Accumulator half_width;
    for (const MacroRun& run : runs) {
        result.cpu_seconds += run.cpu_seconds;
        result.different += run.is_same_in_order ? 0U : 1U;
        if (!run.is_complete) {
            ++result.other_ends[run.end];
            continue;
        }
        judged.push_back(&run);
        used.add(static_cast<double>(run.used));
        if (std::isinf(run.half_width)) {
            ++result.without_end;
        } else {
            half_width.add(run.half_width);
        }
    }
    result.judged = judged.size();
    result.mean_used = used.mean().value_or(0);
    result.mean_half_width = half_width.mean().value_or(0);
    return judged;
}

bool are_enough(const Certificate& certificate, const RowResult& result) {
    return static_cast<double>(result.judged)
           >= certificate.judged * static_cast<double>(result.macro_runs);
}

}  // namespace

bool is_bias_subject(CertificateSubject subject) {
    return subject == CertificateSubject::bias || subject == CertificateSubject::ordered_prefix
           || subject == CertificateSubject::first_finished;
}

RowResult judge(const CertificateRow& row, std::span<const MacroRun> runs) {
    SCHEDFARM_EXPECT(runs.size() >= 2, "coverage from fewer than two macro-runs");
    const Certificate& certificate = row.certificate;
    RowResult result;
    result.macro_runs = runs.size();
    const std::vector<const MacroRun*> judged = judged_runs(runs, result);
    if (judged.size() < 2) {
        result.is_refused = certificate.judged == 0 && !certificate.is_negative_control;
        result.is_as_it_should_be = result.is_refused;
        return result;
    }
    if (is_bias_subject(certificate.subject)) {
        set_bias(judged, result);
    } else {
        set_coverage(judged, result);
    }
    if (!std::isfinite(result.found) || !std::isfinite(result.standard_error)) {
        result.failure = "an estimate is not a number";
        return result;
    }
    const bool is_excluded = excludes_band(certificate, result.found, result.standard_error);
    result.is_as_it_should_be = is_excluded == certificate.is_negative_control
                                && result.different == 0 && are_enough(certificate, result);
    return result;
}

RowResult failed_row(std::string message) {
    RowResult result;
    result.failure = std::move(message);
    return result;
}

RowResult left_row() {
    RowResult result;
    result.is_left = true;
    result.is_as_it_should_be = true;
    return result;
}

double power_at(const Certificate& certificate, std::uint64_t macro_runs, double coverage) {
    const auto n = static_cast<double>(macro_runs);
    const double log_odds = engine::logarithm(coverage) - engine::logarithm(1 - coverage);
    double log_probability = n * engine::logarithm(1 - coverage);  // of none that covers
    double power = 0;
    for (std::uint64_t covered = 0; covered <= macro_runs; ++covered) {
        const auto k = static_cast<double>(covered);
        if (excludes_band(certificate, k / n, error_of_share(k / n, n))) {
            power += engine::exponential(log_probability);
        }
        if (covered < macro_runs) {
            log_probability += engine::logarithm((n - k) / (k + 1)) + log_odds;
        }
    }
    return std::min(power, 1.0);
}

std::optional<double> coverage_below(const Certificate& certificate) {
    const double coverage = certificate.low - 0.03;
    return coverage > 0 ? std::optional(coverage) : std::nullopt;
}

std::optional<double> coverage_above(const Certificate& certificate) {
    const double coverage = certificate.high + 0.02;
    return coverage < 1 ? std::optional(coverage) : std::nullopt;
}

std::string verdict_text(const CertificateRow& row, const RowResult& result) {
    if (result.is_left) {
        return "left to the long form";
    }
    if (!result.failure.empty()) {
        return "not measured";
    }
    if (result.is_refused) {
        return "gives no number";
    }
    if (!are_enough(row.certificate, result) || result.judged < 2) {
        return "too few ended as planned";
    }
    if (row.certificate.is_negative_control) {
        return result.is_as_it_should_be ? "fails as it should" : "holds but should not";
    }
    return result.is_as_it_should_be ? "holds" : "fails";
}

}  // namespace schedfarm::app
