// The rows of a coverage certificate: cells whose true value is known, with what is expected of
// them. A cell with a `certificate` section is a row. In a campaign without any such section every
// cell with an exactly known target metric is one, so that any campaign can be certified: its
// interval must cover the truth as often as its confidence says, to within 0.02.
#pragma once

#include <string>
#include <vector>

#include "campaigns/plan/plan.hpp"

namespace schedfarm::campaigns {

/// Half the width of the band around the confidence where a campaign does not state one.
inline constexpr double default_band = 0.02;

/// Plan and cell outlive the row.
struct CertificateRow {
    const Plan* plan = nullptr;
    const Cell* cell = nullptr;
    Certificate certificate;
    double truth = 0;
    std::string source;  ///< formula of the truth, and the paper it is from
};

/// The rows of one campaign, in the order of its cells. Throws ConfigErrors when there are none, a
/// truth is not known or is 0, or a row's load is still to be found.
std::vector<CertificateRow> certificate_rows(const Plan& plan);

/// The factor levels of the cell, or the campaign's name where there are no factors.
std::string row_name(const CertificateRow& row);

}  // namespace schedfarm::campaigns
