// The tables that hold what was made of a campaign's replications beyond the estimates of its
// cells.
#pragma once

#include <vector>

#include "results_schema/schema.hpp"

namespace schedfarm::results_schema {

/// All optional: a campaign has those that it asks for. In the order of the result file.
std::vector<TableSchema> analysis_tables();

/// The names of job classes, and those about the claims of a paper, which come behind them.
std::vector<TableSchema> claim_tables();

}  // namespace schedfarm::results_schema
