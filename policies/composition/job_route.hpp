// Which part of a composition a job goes to, a partition or a time slice: by its size, or by a
// number that it carries. With the parameters that say so. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "engine/foundation/parameters.hpp"
#include "engine/simulation/job.hpp"

#include "policies/size_ranges.hpp"

namespace schedfarm::policies {

/// What of a job decides where it goes.
enum class RouteKey : std::uint8_t { size, queue, user, job_class, origin };

struct JobRoute {
    RouteKey key = RouteKey::size;
    std::vector<SizeRange> sizes;        ///< by size: of each part; the first that takes it
    std::vector<std::uint32_t> numbers;  ///< else: by value; the last stands for all larger values
    std::string policy;                  ///< the name that messages give
    std::string part = "partition";      ///< what messages call a part

    /// Throws UnservedJobError for a job that no part takes.
    std::size_t part_of(const engine::Job& job) const;
};

/// `route` and `<part>_of`.
std::vector<engine::ParameterDescription> route_parameters(
    const std::string& part, RouteKey default_key
);
RouteKey route_key(const engine::Parameters& given);
std::vector<engine::ParameterProblem> route_problems(
    const engine::Parameters& given, const std::string& part, std::size_t parts
);
/// Without sizes and policy. REQUIRES: no problem.
JobRoute job_route(const engine::Parameters& given, const std::string& part, std::size_t parts);

/// The entries of an integer list.
std::vector<std::uint32_t> integers(const engine::Parameters& given, const std::string& name);

}  // namespace schedfarm::policies
