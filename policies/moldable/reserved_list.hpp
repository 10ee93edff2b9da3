// The list schedules of policies/moldable/task_list.hpp on what reservations leave of a machine: an
// entry has its place where its processors are free for its whole time, so that nobody starts only
// to be stopped.
//
// strict: entry by entry, each as early as it fits, but not before the first instant at which an
//         earlier one in the list had enough processors; one that a reservation then keeps from
//         starting, because it would not end in time, lets those behind it use the time until it
//         does.
// graham: at every instant at which processors become free the whole list is scanned and whatever
//         fits until it ends starts.
//
// Without reservations these are the same rules and give the same bits: in a strict list starts
// never decrease, so that "on the processors that are free first" is "not before an earlier one".
#pragma once

#include <cstdint>
#include <span>

#include "engine/planning/profile/availability_profile.hpp"

#include "policies/moldable/moldable_problem.hpp"
#include "policies/moldable/task_list.hpp"

namespace schedfarm::policies {

/// `order`: every entry's number once. `free`: processors from `begin` on.
/// REQUIRES: no entry needs more than are free in the end.
/// Cost: a copy of `free`, O(reservations), for each schedule; then strict O(log reservations and
/// entries) for each entry, graham that times the instants at which something fits.
ListSchedule strict_schedule(
    const TaskList& list,
    std::span<const std::uint32_t> order,
    const engine::AvailabilityProfile& free,
    double begin
);
ListSchedule graham_schedule(
    const TaskList& list,
    std::span<const std::uint32_t> order,
    const engine::AvailabilityProfile& free,
    double begin
);

/// On the processors of a problem, around its reservations if it may have any.
ListSchedule strict_schedule(
    const TaskList& list, std::span<const std::uint32_t> order, const MoldableProblem& problem
);
ListSchedule graham_schedule(
    const TaskList& list, std::span<const std::uint32_t> order, const MoldableProblem& problem
);

}  // namespace schedfarm::policies
