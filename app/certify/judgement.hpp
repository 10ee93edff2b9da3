// What the macro-runs of a row say, and whether that is as it should be. One rule serves all rows:
// a band is excluded when no point of it lies within 3 standard errors of what was found. A row
// holds when its band is not excluded; a negative control must fail, so its band must be excluded.
//
// What is found is the coverage p of the interval, or the share of right decisions, with standard
// error sqrt(p(1 − p)/M) over M macro-runs but at least 1/M; or, for rows on bias, the mean error
// with the standard error of that mean; the band [0, 0] then says that the bias is below 3 standard
// errors. Macro-runs that did not end as planned are counted apart.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>

#include "app/certify/certificate_row.hpp"
#include "app/certify/macro_run.hpp"

namespace schedfarm::app {

struct RowResult {
    std::uint64_t macro_runs = 0;
    std::uint64_t judged = 0;  ///< ended as planned
    double found = 0;          ///< coverage, share, or mean error
    double standard_error = 0;
    double mean_used = 0;                             ///< replications
    double mean_half_width = 0;                       ///< relative to the truth, of those with ends
    std::uint64_t without_end = 0;                    ///< whose interval is infinite on one side
    std::map<std::string, std::uint64_t> other_ends;  ///< of those that are not judged
    std::uint64_t different = 0;  ///< macro-runs with other bits than in order: none, or it fails
    double cpu_seconds = 0;
    std::string failure;      ///< first message of a macro-run that threw; then nothing else counts
    bool is_left = false;     ///< not measured in the short form
    bool is_refused = false;  ///< no macro-run gave a number, as the row admits
    bool is_as_it_should_be = false;
};

/// Whether a subject is judged by its bias rather than by its coverage.
bool is_bias_subject(CertificateSubject subject);

/// `runs` in the order of their numbers; at least two.
RowResult judge(const CertificateRow& row, std::span<const MacroRun> runs);

/// The result of a row that could not be measured; never as it should be, even for a control.
RowResult failed_row(std::string message);

/// The result of a row that is left to the long form: nothing is wrong with it.
RowResult left_row();

/// The probability that a row on a coverage is found outside its band by M macro-runs where the
/// true coverage is `coverage`. Cost O(M).
double power_at(const Certificate& certificate, std::uint64_t macro_runs, double coverage);

/// Where a band can be missed: 0.03 below it and 0.02 above, that is at .90 and .99 for
/// [.93, .97]; absent where there is no such coverage.
std::optional<double> coverage_below(const Certificate& certificate);
std::optional<double> coverage_above(const Certificate& certificate);

/// "holds", "fails", "fails as it should", "holds but should not", …
std::string verdict_text(const CertificateRow& row, const RowResult& result);

}  // namespace schedfarm::app
