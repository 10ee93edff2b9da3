// Options by name: what comes first at one instant, which every policy has to which it matters
// (docs/background/simultaneous-events.md names the exceptions), and which run times plans believe.
// Simulators differ in them without saying so.
//
// At one instant (`simultaneous`):
//   batch         all finishes and submissions are taken, then the policy looks once;
//   finish_first  the policy looks after every event, finishes before submissions;
//   submit_first  the same, submissions before finishes.
//   finish_by_finish
//                 as finish_first, and a job holds its processors until its own finish is taken
//                 (EASY only).
// Finishes come in the order in which the jobs started, submissions in the order of the workload.
// While a finish of the instant is yet to be taken, the job's processors count as busy; where the
// policy plans ahead, up to the planned end: when that is the instant itself, as free, but for the
// last of these words.
#pragma once

#include <cstdint>

#include "engine/foundation/parameters.hpp"
#include "engine/simulation/job.hpp"
#include "engine/simulation/policy.hpp"

namespace schedfarm::engine {

enum class Simultaneous : std::uint8_t { batch, finish_first, submit_first, finish_by_finish };

/// `simultaneous`.
ParameterDescription simultaneous_parameter();
Simultaneous simultaneous(const Parameters& parameters);

/// What a plan takes for a job's run time. A workload without estimates requests the actual one.
enum class RunTime : std::uint8_t { requested, actual };

/// `name`: requested or actual; `meaning` says whose run time it is.
ParameterDescription run_time_parameter(const char* name, const char* meaning);
RunTime run_time(const Parameters& parameters, const char* name);

inline double planned_duration(const Job& job, RunTime source) {
    return source == RunTime::requested ? job.estimate : job.service_time;
}

/// Takes the events of an instant in the order chosen: `planner` is told finish(id) and
/// submit(id), and pass() looks at the queue. An instant with neither gets one pass.
template <typename Planner>
void take_events(Simultaneous order, const EventBatch& events, Planner& planner) {
    const auto finishes = [&](auto&& after) {
        for (const JobId id : events.completions) {
            planner.finish(id);
            after();
        }
    };
    const auto submissions = [&](auto&& after) {
        for (const JobId id : events.arrivals) {
            planner.submit(id);
            after();
        }
    };
    const auto pass = [&planner] {
        planner.pass();
    };
    const auto nothing = [] {
    };
    if (order == Simultaneous::batch || events.completions.size() + events.arrivals.size() == 0) {
        finishes(nothing);
        submissions(nothing);
        pass();
    } else if (order == Simultaneous::submit_first) {
        submissions(pass);
        finishes(pass);
    } else {
        finishes(pass);
        submissions(pass);
    }
}

}  // namespace schedfarm::engine
