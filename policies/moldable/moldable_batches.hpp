// Policies for moldable jobs that plan off-line, used on-line in batches: jobs that arrive while a
// batch runs wait for the next, which begins when the last job of the batch has ended (Shmoys, Wein
// & Williamson 1995; Dutot et al. 2004, section 2.2). An off-line algorithm within ρ of the best
// makespan is so within 2ρ on-line. When all jobs are there at time 0, the one batch is the
// off-line algorithm.
//
// A policy is a planner: which job starts when on how many processors. Jobs without service start
// first. Rigid jobs with components, and processors that are out of order, may keep a job from its
// planned start: it and those behind it then wait until it fits.
//
// Adding a policy of this kind: a planner and a call of describe_moldable_policy().
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "engine/simulation/policy.hpp"

#include "policies/moldable/moldable_problem.hpp"
#include "policies/moldable/task_list.hpp"

namespace schedfarm::policies {

/// A task of a problem, by its number there.
struct PlannedStart {
    std::uint32_t task = 0;
    std::uint32_t processors = 1;
    double start = 0;
};

/// Of one batch. Shuffles of DEMT, at most 10^6 of about 1,000 batches, take fewer.
inline constexpr std::uint64_t draws_per_batch = std::uint64_t{1} << 32;

/// Numbers for one batch: a stretch of the policy's stream that is nobody else's.
struct BatchDraws {  // NOLINT(cppcoreguidelines-pro-type-member-init): Stream has no default
    engine::Stream stream;
    std::uint64_t first = 0;
};

/// All tasks once, in the order of their starts. Deterministic.
using MoldablePlanner =
    std::function<std::vector<PlannedStart>(const MoldableProblem&, const BatchDraws&)>;

/// A list of the tasks on these processors: entry i is task i.
TaskList task_list(const MoldableProblem& problem, const std::vector<std::uint32_t>& processors);

/// The starts of a list schedule, in the order of time.
std::vector<PlannedStart> planned_starts(const TaskList& list, const ListSchedule& schedule);

struct MoldablePolicy {
    engine::Alternative
        alternative;  ///< its own parameters; those of moldable_bounds.hpp are added
    std::function<MoldablePlanner(const engine::Parameters&)> make_planner;
    /// Whether it chooses at random; empty: never.
    std::function<bool(const engine::Parameters&)> draws = {};
};

engine::PolicyDescription describe_moldable_policy(const MoldablePolicy& policy);

}  // namespace schedfarm::policies
