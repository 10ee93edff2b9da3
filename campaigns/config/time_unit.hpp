// In which unit the times of a workload are: seconds, or what its own distributions mean.
#pragma once

#include <string>

#include "campaigns/config/catalogues.hpp"

namespace schedfarm::campaigns {

/// Whether times are seconds under a workload that is written as in result files: "{trace: {file:
/// …}}". False also where the catalogues have no such model. Pure.
bool is_in_seconds(const std::string& workload, const Catalogues& catalogues);

}  // namespace schedfarm::campaigns
