// Slack-based backfilling (Talby & Feitelson 1999): every job has a reservation, and a slack by
// which later jobs may push it back from the first one. The reading is in
// docs/decisions/0012-slack-based-backfilling.md.
//
// A newcomer may go to several places of the plan. The plan is the waiting jobs by planned start,
// equal ones by arrival. For each k up to `moves`, the last k jobs of the plan are taken out, the
// newcomer gets its earliest fit, and then the k jobs get theirs in their order; the plan can be
// had if none of them starts later than its latest start. The newcomer takes the plan of least
// cost, the sum of weight × planned start over all waiting jobs; of equal ones that of least k.
// With k = 0 nobody is moved: conservative backfilling.
//
//   weight         1 + p for a job of priority p >= 0, else 1 / (1 − p)
//   slack          slack_factor × measure / weight; measure: the mean wait of the jobs started so
//                  far, or the job's own run time as planned
//   latest start   planned start when it came + slack
#pragma once

#include <cstdint>

#include "engine/foundation/parameters.hpp"
#include "engine/planning/placement.hpp"
#include "engine/planning/planning_options.hpp"
#include "engine/simulation/job.hpp"

namespace schedfarm::policies {

enum class SlackMeasure : std::uint8_t { average_wait, run_time };

struct SlackSettings {
    engine::Simultaneous simultaneous = engine::Simultaneous::batch;
    double slack_factor = 1;
    SlackMeasure measure = SlackMeasure::average_wait;
    std::uint64_t moves = 0;
    engine::RunTime run_time = engine::RunTime::requested;
    engine::PlacementRule placement = engine::PlacementRule::first_fit;
};

constexpr double slack_weight(std::int32_t priority) {
    return priority >= 0 ? 1.0 + priority : 1 / (1.0 - priority);
}

/// Of the parameters of `slack_based`.
SlackSettings slack_settings(const engine::Parameters& parameters);

}  // namespace schedfarm::policies
