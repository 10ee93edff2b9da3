// A paper's printed value beside the cell that measures it.
#pragma once

#include <string>

#include "app/campaign/plan/plan.hpp"
#include "app/run/tables/cell_summary.hpp"

namespace schedfarm::app {

/// Absent numbers are NaN.
struct ReferenceComparison {
    double measured = 0;        ///< estimate, or the known value that the reference names
    double standard_error = 0;  ///< of the measured value; 0 for a known value
    double lower = 0;
    double upper = 0;
    double z = 0;         ///< absent when neither side has noise
    std::string verdict;  ///< "agrees", "differs", "not measured"
    GateAnswer gate = GateAnswer::passed;
};

/// Measured against printed; `estimates` are the cell's. The noise of the printed value is that of
/// its `runs` independent runs (from the standard deviation over fills that the cell measured) and
/// of its rounding, uniform over the last digit. Where the paper's number of runs is not known, its
/// value agrees when it lies within rounding and 3 standard errors of ours. Verdict "agrees": |z|
/// <= 3. A known value agrees when it rounds to the printed one.
ReferenceComparison compare(
    const ReferenceValue& reference, const Cell& cell, const std::vector<MetricEstimate>& estimates
);

}  // namespace schedfarm::app
