// The rows of a coverage certificate: numbers and decisions whose truth is known, with what is
// expected of them. Every `certificate` section of a cell is a row. In a campaign without any such
// section every cell with an exactly known target metric is one, so that any campaign can be
// certified: its interval must cover the truth as often as its confidence says, to within 0.02.
#pragma once

#include <string>
#include <vector>

#include "app/plan/plan.hpp"

namespace schedfarm::app {

/// Half the width of the band around the confidence where a campaign does not state one.
inline constexpr double default_band = 0.02;

/// Plan and cell outlive the row.
struct CertificateRow {
    const Plan* plan = nullptr;
    const Cell* cell = nullptr;
    Certificate certificate;
    double truth = 0;    ///< of comparisons by label: that of the row's cell, the first
    std::string source;  ///< formula of the truth, and the paper it is from
};

/// The rows of one campaign, in the order of its cells; a row on all cells stands once. Throws
/// ConfigErrors when there are none, or a truth, a table or a column is not known.
std::vector<CertificateRow> certificate_rows(const Plan& plan);

/// What the plan knows of a cell's metric; absent where nothing has that label.
const engine::KnownValue* known_truth(
    const std::vector<engine::KnownValue>& truths, const Certificate& certificate
);

/// The factor levels of the cell, or the campaign's name where there are no factors; and what tells
/// the row from others of the cell.
std::string row_name(const CertificateRow& row);

/// What is measured of it, with its truth: "response_time.mean 5", "status: met".
std::string truth_text(const CertificateRow& row);

}  // namespace schedfarm::app
