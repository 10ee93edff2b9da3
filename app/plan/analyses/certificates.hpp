// The certificates of a cell: of which metric they speak, and whether their truth is known.
#pragma once

#include <string>
#include <vector>

#include "app/config/cell_checks.hpp"
#include "app/plan/plan.hpp"

namespace schedfarm::app {

/// What is known of a cell, but for what is 0: its known values, and where there is a saturation
/// point that as `gross_utilization` of a saturated experiment and as `rho_max`.
std::vector<engine::KnownValue> truths_of(const Cell& cell);

/// Whether the truth is the label of a known value, not a number.
bool has_label(const Certificate& certificate);

/// Replaces the metrics of estimates by the columns they mean; a problem where the cell does not
/// observe one or nothing of that label is known of it. REQUIRES: a laid out cell.
void resolve_certificates(const CheckedCell& checked, Cell& cell, Problems& problems);

/// Everything that the certificate says, in one line.
std::string text_of(const Certificate& certificate);

}  // namespace schedfarm::app
