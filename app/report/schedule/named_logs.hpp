// The logs that the workload of a cell names, as the table `cells` of a result file tells them: the
// file, and the SHA-256 of what was in it, which a campaign is held to from its beginning on. Files
// that were written before campaigns were held to their logs do not have it. Pure.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "results_schema/tables/table.hpp"

namespace schedfarm::app {

bool names_log(const std::string& workload);

/// What intervals are of in cells that resample a log, and its blocks; empty where none does.
std::string of_logs_like_it(const results_schema::ResultFile& results);

/// What an interval is of replications that take the jobs of a log as they are, or shaken.
inline constexpr const char* of_one_log =
    " Of a log that is not resampled, or has one user or week to draw, it is of this one log, over "
    "what is drawn anew (shaking, estimates, "
    "reservations, choices of the policy), and tells nothing of other logs.";

}  // namespace schedfarm::app
