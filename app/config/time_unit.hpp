// In which unit the times of a workload are: seconds, or what its own distributions mean.
#pragma once

#include <string>

#include "app/config/schema/catalogues.hpp"

namespace schedfarm::app {

/// Whether times are seconds under a workload that is written as in result files: "{trace: {file:
/// …}}". False also where the catalogues have no such model. Pure.
bool is_in_seconds(const std::string& workload, const Catalogues& catalogues);

/// "processor*time" and "s": "processor*s".
std::string in_unit(std::string unit, const std::string& time_unit);

}  // namespace schedfarm::app
