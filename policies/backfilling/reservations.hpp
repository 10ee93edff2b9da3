// Backfilling with reservations that stand: a job that is entitled to one keeps it until it starts,
// and gives it up only for an earlier one. The policies that differ in who is entitled are made of
// this: conservative backfilling (every job), k reservations (the first k jobs of the queue),
// selective backfilling (jobs that have waited long for what they ask).
//
// One pass, each step in order of arrival:
//   1. If a job finished, or a reservation was withdrawn, the reservations are compressed job by
//      job: each is given up for the earliest fit if that is earlier. Where one moves, a hole may
//      stay for a job ahead of it: the next finish closes it, or the next that comes early
//      (`compress`).
//   2. Jobs whose reservation begins now start.
//   3. Every other job: one that is entitled gets a reservation at its earliest fit and starts if
//      that is now; any other starts if it delays no reservation.
// An advance reservation (Job::fixed_start) is taken when the job is submitted if its processors
// are free by the plan as it stands then, and is not moved; it does not count among the jobs that
// are entitled. Else it is refused and the job waits like any other. One that lacks processors at
// its time, because another job runs longer than planned, is missed, and goes on as a job with a
// reservation. Both are published.
// A job that still runs at its planned end counts as free in the plan. If a reservation begins and
// the processors are not free for this reason, because the components do not fit, or because
// processors left the machine, then all reservations are made anew in each pass until none lacks
// anything; until then passes are made at arrivals and finishes only.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <vector>

#include "engine/foundation/parameters.hpp"
#include "engine/planning/placement.hpp"
#include "engine/planning/planning_options.hpp"
#include "engine/simulation/policy.hpp"
#include "engine/simulation/system.hpp"

namespace schedfarm::policies {

/// Who is entitled to a reservation: at most so many jobs at a time, and those only whose expansion
/// factor (wait + run time) / run time has reached a threshold.
struct Entitlement {
    std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
    double expansion_factor = 1;
};

/// After which finishes reservations are compressed: all, or those before the planned end.
enum class CompressRule : std::uint8_t { every_finish, early_finish };

struct ReservationSettings {
    engine::Simultaneous simultaneous = engine::Simultaneous::batch;
    engine::RunTime run_time = engine::RunTime::requested;
    engine::PlacementRule placement = engine::PlacementRule::first_fit;
    Entitlement entitlement;
    CompressRule compress = CompressRule::every_finish;
};

/// `simultaneous`, `run_time`, `placement`, `compress`.
std::vector<engine::ParameterDescription> reservation_parameters();
/// Of these parameters.
ReservationSettings reservation_settings(
    const engine::Parameters& parameters, const Entitlement& entitlement
);

/// Plans around planned outages, and plans anew when others begin or end.
/// Cost: a submission O(n) with a small constant for n reservations and running jobs, a finish that
/// comes early or follows a move O(log n) for each reservation and for each that moves O(kinds of
/// jobs), with a small constant, other passes O(waiting jobs).
std::unique_ptr<engine::Policy> make_reservation_policy(
    const ReservationSettings& settings, const engine::SystemDescription& system
);

/// A policy of this kind; its parameters include reservation_parameters().
engine::PolicyDescription describe_reservation_policy(
    const engine::Alternative& alternative,
    const std::function<ReservationSettings(const engine::Parameters&)>& settings_of
);

}  // namespace schedfarm::policies
