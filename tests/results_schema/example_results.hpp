// A small result file with rows in every table and values that are easily lost on the way to disk
// and back: NaN, −0, infinity, the largest integers, empty and non-ASCII texts.
#pragma once

#include "results_schema/tables/table.hpp"

namespace schedfarm::tests {

/// Valid against the schema and consistent.
results_schema::ResultFile example_results();

/// Adds rows to every analysis table of the example results.
void fill_analyses(results_schema::ResultFile& results);

/// One cell with `rows` replications and nothing else.
results_schema::ResultFile many_replications(std::uint64_t rows);

/// Every attribute that a caller must give.
void set_example_attributes(results_schema::ResultFile& results);

}  // namespace schedfarm::tests
