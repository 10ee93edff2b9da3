// One macro-run of a certificate: a campaign run to its own end under a seed of its own, by the
// very parts that `schedfarm run` uses, and what its conclusions say of the rows. A pure function
// of (rows, number), but for the time it took.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "app/certify/campaign_conclusions.hpp"
#include "app/certify/certificate_row.hpp"

namespace schedfarm::app {

struct MacroRun {
    /// (estimate − truth) / |truth|; absolute where the truth is 0.
    double relative_error = std::numeric_limits<double>::quiet_NaN();
    double half_width = 0;         ///< of the interval, likewise
    std::uint64_t used = 0;        ///< replications that the estimate rests on
    bool covers = false;           ///< the intervals contain the truth; the decision is right
    bool is_complete = false;      ///< ended as planned, with a number
    bool is_same_in_order = true;  ///< by_index: equal bits when replications finish in order
    std::string end;               ///< how it ended where that was not planned
    double cpu_seconds = 0;
};

/// Whether the row needs a farm in virtual time or other observations than the product has: its
/// cell is run alone.
bool is_run_alone(CertificateSubject subject);

/// The first 64 bits of SHA-256("schedfarm certificate\n" name "\n" seed "\n" number), the
/// campaign's name and seed: macro-runs are independent of each other and of the campaign's own
/// replications, and campaigns share none. Rows of one campaign share them.
std::uint64_t macro_run_seed(const Plan& plan, std::uint32_t number);

/// One result per row. Throws what a replication throws. REQUIRES: rows of one plan; one that is
/// run alone is the only one.
std::vector<MacroRun> run_macro_run(
    const std::vector<const CertificateRow*>& rows, std::uint32_t number
);

/// What the conclusions of a campaign say of a row; `cpu_seconds` stays 0. Pure.
MacroRun measure(const CertificateRow& row, const CampaignConclusions& conclusions);

/// Whether a cell has ended as its campaign has planned it.
bool is_planned_end(std::string_view status);

}  // namespace schedfarm::app
