// Whether the jobs of a log paused; the log does not say when. Pure.
#pragma once

#include "results_schema/tables/table.hpp"

namespace schedfarm::results_schema {

/// Whether some job was longer between its start and its finish than it ran, by more than times
/// that are sums of others are rounded. `jobs`: as in a StoredJobLog.
bool has_pauses(const Table& jobs);

}  // namespace schedfarm::results_schema
