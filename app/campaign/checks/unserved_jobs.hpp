// Jobs of a log that a site's own scheduler could never start: they are left out, and named.
#pragma once

#include <cstdint>
#include <string>

#include "engine/foundation/parameters.hpp"
#include "engine/simulation/system.hpp"

#include "models/trace/prepared_log.hpp"

namespace schedfarm::app {

struct UnservedJobs {
    std::uint64_t count = 0;
    std::uint64_t jobs = 0;  ///< among so many
    std::string first = {};  ///< "job 17 asks for …"

    bool are_all() const { return count > 0 && count == jobs; }
};

/// Those of a log as it is prepared, which join the parameter `leave_out` of its workload. Where
/// they are all jobs nothing is left out: the simulation would end with the first.
/// REQUIRES: parameters that have no problem.
UnservedJobs leave_out_unserved_jobs(
    const engine::Choice& policy,
    const engine::SystemDescription& system,
    const models::trace::PreparedLog& log,
    engine::Parameters& workload
);

/// The same of a log that is opened for it, or of one that the workload is a version of, as its
/// rows are. Throws LogError.
UnservedJobs leave_out_unserved_jobs(
    const engine::Choice& policy, const engine::SystemDescription& system, engine::Choice& workload
);

/// Whether they are so many beside those that are left that whoever reads the answer must know:
/// above 1 % of all.
bool are_many(const UnservedJobs& unserved, std::uint64_t others);

/// "1 of 200 jobs is left out, for the site can never place it: job 17 asks for …".
std::string text_of(const UnservedJobs& unserved, std::uint64_t others);

}  // namespace schedfarm::app
