// Whether a cell can look for its load by the criterion that it names.
#pragma once

#include "campaigns/config/cell_checks.hpp"

namespace schedfarm::campaigns {

void check_search(const CheckedCell& cell, Problems& problems);

}  // namespace schedfarm::campaigns
