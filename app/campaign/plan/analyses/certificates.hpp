// The certificates of a cell: of which metric they speak, and whether their truth is known.
#pragma once

#include <string>
#include <vector>

#include "app/campaign/checks/cell_checks.hpp"
#include "app/campaign/plan/plan.hpp"

namespace schedfarm::app {

/// The certificates of a cell with their truths, and metrics of estimates replaced by the columns
/// they mean; a problem where the cell does not observe one or nothing of that label is known of
/// it. REQUIRES: a laid out cell.
std::vector<Certificate> resolved_certificates(
    const CheckedCell& checked, const Cell& cell, Problems& problems
);

/// Everything that the certificate says, in one line.
std::string text_of(const Certificate& certificate);

}  // namespace schedfarm::app
