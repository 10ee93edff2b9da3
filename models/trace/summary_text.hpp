// A log's summary for people: lines of at most 80 columns. A pure function.
#pragma once

#include <string>

#include "models/trace/summary.hpp"

namespace schedfarm::models::trace {

std::string summary_text(const LogSummary& summary);

}  // namespace schedfarm::models::trace
