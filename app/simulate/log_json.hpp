// A log's summary as JSON, with every digit. Pure functions.
#pragma once

#include <string>
#include <vector>

#include "models/trace/summary/oddity.hpp"
#include "models/trace/summary/summary.hpp"

#include "app/report/json.hpp"

namespace schedfarm::app {

/// A list of objects: what is strange, its first line (0: the file as a whole), how often.
Json oddities_json(const std::vector<models::trace::Oddity>& oddities);

std::string log_json(const models::trace::LogSummary& summary);

}  // namespace schedfarm::app
