// A log's summary as JSON, with every digit. A pure function.
#pragma once

#include <string>

#include "models/trace/summary.hpp"

namespace schedfarm::campaigns {

std::string log_json(const models::trace::LogSummary& summary);

}  // namespace schedfarm::campaigns
