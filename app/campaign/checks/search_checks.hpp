// Whether a cell can look for its load by the criterion that it names.
#pragma once

#include "app/campaign/checks/cell_checks.hpp"

namespace schedfarm::app {

void check_search(const CheckedCell& cell, Problems& problems);

}  // namespace schedfarm::app
