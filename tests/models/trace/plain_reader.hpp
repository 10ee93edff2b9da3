// A second reading of logs, slow and plain: lines by getline, numbers by strtod. For comparison.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "models/trace/log.hpp"

namespace schedfarm::models::trace::tests {

struct PlainLog {
    std::vector<std::array<double, field_count>> jobs;
    std::vector<std::uint64_t> lines;  ///< of each job, from 1
    std::uint64_t wrong_line = 0;      ///< the first that is no job, comment or blank; 0: none
};

/// Reading ends at the first wrong line.
PlainLog plain_log(const std::string& text);

/// What distinguishes the two; empty where nothing does.
std::string difference(const Log& log, const PlainLog& plain);

}  // namespace schedfarm::models::trace::tests
