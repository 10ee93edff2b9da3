// The stop rule of a cell: precision targets, caps, budgets and instability, looked at on the
// checkpoints of the ordered prefix. Pure functions of the prefix (core-hours excepted).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "engine/statistics/stop_rule.hpp"

#include "app/campaign/plan/plan.hpp"
#include "app/run/rules/cell_decision.hpp"

namespace schedfarm::app {

class CellProgress;

/// limits with max lowered to the budgets in replications and, where every replication submits
/// horizon.jobs, in jobs; min is no larger.
engine::ReplicationLimits effective_limits(const Cell& cell);

/// The state before any replication: one checkpoint is wanted.
CellDecision first_decision(const Cell& cell);

/// A target beside the cell's own: the paired difference with another cell.
struct ExtraTarget {
    std::string metric;
    ComparedCells cells;
    engine::PrecisionTarget target;
    std::vector<double> values;  ///< as many as the checkpoint
};

/// Whether some value does not exist, as that of a class of which a replication has no job.
bool lacks_a_value(std::span<const double> values);

/// Decides at a checkpoint. REQUIRES: the cell's prefix reaches it, and it is a checkpoint of
/// effective_limits().
CellDecision decide_at(
    const CellProgress& cell, std::uint64_t checkpoint, std::span<const ExtraTarget> extra = {}
);

/// How far to dispatch beyond an undecided checkpoint: as far as the prediction reaches, in whole
/// checkpoints, so that little is computed in vain.
std::uint64_t speculation_limit(
    std::uint64_t checkpoint, std::uint64_t predicted, const engine::ReplicationLimits& limits
);

}  // namespace schedfarm::app
