// Result files that tests fill table by table, in any order.
#pragma once

#include <string_view>

#include "results_schema/tables/table.hpp"

namespace schedfarm::tests {

/// Every required table, without rows, and no attributes.
results_schema::ResultFile make_results();

/// The table of that name, to be filled; one that is absent is added in its place in the schema.
results_schema::Table& table_to_fill(results_schema::ResultFile& results, std::string_view name);

}  // namespace schedfarm::tests
