// A log's summary for people: lines of at most so many columns, 60 at least. A pure function.
#pragma once

#include <cstddef>
#include <string>

#include "models/trace/summary/summary.hpp"

namespace schedfarm::models::trace {

std::string summary_text(const LogSummary& summary, std::size_t width = 80);

}  // namespace schedfarm::models::trace
