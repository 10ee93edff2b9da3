#include "policies/size_ranges.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace schedfarm::policies {

namespace {

std::string text(const SizeRange& range) {
    if (range.largest == SizeRange::no_limit) {
        return fmt::format("at least {}", range.smallest);
    }
    return range.smallest == range.largest ? fmt::format("{}", range.smallest)
                                           : fmt::format("{} to {}", range.smallest, range.largest);
}

}  // namespace

std::string text(const std::vector<SizeRange>& ranges) {
    std::vector<std::string> parts;
    for (const SizeRange& range : ranges) {
        std::string part = text(range);
        if (std::find(parts.begin(), parts.end(), part) == parts.end()) {
            parts.push_back(std::move(part));
        }
    }
    std::string joined;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        joined += (i == 0 ? "" : i + 1 == parts.size() ? " or " : ", ") + parts[i];
    }
    return joined + " processors";
}

std::vector<engine::ParameterProblem> largest_job_problems(
    const std::vector<SizeRange>& ranges,
    const engine::WorkloadTraits& workload,
    const std::string& part,
    const std::string& parameter
) {
    const bool fits = std::any_of(ranges.begin(), ranges.end(), [&workload](const auto& range) {
        return range.takes(workload.max_size);
    });
    if (fits) {
        return {};
    }
    return {
        {parameter,
         fmt::format(
             "jobs of the workload may need {} processors and no {} takes such jobs (they take {}: "
             "the job could never start)",
             workload.max_size,
             part,
             text(ranges)
         ),
         fmt::format("Give such jobs a {}, or leave them out of the workload.", part)}};
}

}  // namespace schedfarm::policies
