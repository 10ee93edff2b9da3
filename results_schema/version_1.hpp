// Result files of schema 1, which called the wait `queueing_time`, as schema 2 has them: the same
// tables with the same values under today's names.
#pragma once

#include "results_schema/tables/table.hpp"

namespace schedfarm::results_schema {

inline constexpr int oldest_major = 1;

/// Gives columns, meanings and the texts that name metrics their names in schema 2. The hash beside
/// a sound payload becomes that of the tables as they are now; beside another one it stays wrong.
void upgrade_from_1(ResultFile& results);

}  // namespace schedfarm::results_schema
