// The sentences below a report's main table: how much agrees with the paper and with exact values,
// what ±, extremes and running times are. Pure.
#pragma once

#include <string>
#include <vector>

#include "app/report/report.hpp"

namespace schedfarm::app {

/// For the report's rows, which must be there.
std::vector<std::string> report_summary(const Report& report);

}  // namespace schedfarm::app
