// What the macro-runs of a row say, and whether that is as it should be. One rule serves all rows:
// a band is excluded when no point of it lies within 3 standard errors of what was found. A row
// holds when its band is not excluded; a negative control must fail, so its band must be excluded.
//
// What is found is the coverage p of the interval, with standard error sqrt(p(1 − p)/M) over M
// macro-runs but at least 1/M, or, for rows on bias, the mean relative error with the standard
// error of that mean; the band [0, 0] then says that the bias is below 3 standard errors.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "campaigns/certify/certificate_row.hpp"
#include "campaigns/certify/macro_run.hpp"

namespace schedfarm::campaigns {

struct RowResult {
    std::uint64_t macro_runs = 0;
    double found = 0;  ///< coverage, or mean relative error
    double standard_error = 0;
    double mean_used = 0;          ///< replications
    double mean_half_width = 0;    ///< relative to the truth
    std::uint64_t incomplete = 0;  ///< macro-runs that ended before their precision was met
    std::uint64_t different = 0;   ///< macro-runs with other bits than in order: none, or it fails
    double cpu_seconds = 0;
    std::string failure;  ///< first message of a macro-run that threw; then nothing else counts
    bool is_as_it_should_be = false;
};

/// Whether a subject is judged by its bias rather than by its coverage.
bool is_bias_subject(CertificateSubject subject);

/// `runs` in the order of their numbers; at least two.
RowResult judge(const CertificateRow& row, std::span<const MacroRun> runs);

/// The result of a row that could not be measured; never as it should be, even for a control.
RowResult failed_row(std::string message);

/// "holds", "fails", "fails as it should", "holds but should not".
std::string verdict_text(const CertificateRow& row, const RowResult& result);

}  // namespace schedfarm::campaigns
