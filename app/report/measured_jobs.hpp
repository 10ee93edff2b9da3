// Which part of its replications every cell measures, in words.
#pragma once

#include <string>
#include <vector>

#include "results_schema/tables/table.hpp"

namespace schedfarm::app {

/// "Measured: jobs 4,001 to 20,000 of each replication; time averages from 0 to 86,400 s.", one
/// sentence for all cells that measure the same; none where the file does not say.
std::vector<std::string> measured_sentences(const results_schema::ResultFile& results);

}  // namespace schedfarm::app
