// A farm in virtual time: P workers, every task takes as long as its own result says. The worst
// case for averaging what finishes first, because run time and result are one and the same
// (Heidelberger 1988). Ends of one instant are taken in the order of the workers.
#pragma once

#include <cstdint>
#include <functional>

#include "engine/simulation/measurement/observations.hpp"

#include "app/run/cell_progress.hpp"

namespace schedfarm::app {

/// Under which number a result enters the estimate.
enum class Numbering : std::uint8_t {
    by_index,   ///< its replication index: the product's way
    by_finish,  ///< the order in which results come in: the biased way, shown to be so
};

struct VirtualFarm {
    std::uint32_t workers = 1;
    Numbering numbering = Numbering::by_index;
};

using ReplicationRunner = std::function<engine::Observations(std::uint32_t replication)>;
using ReplicationDuration = std::function<double(const engine::Observations&)>;

/// Runs replications until the progress is finished; by_index: those that it asks for, by_finish:
/// 0, 1, 2, … without a pause. REQUIRES: durations are finite and not negative. Costs O(log P) per
/// replication beside the replication itself.
void run_on_virtual_workers(
    const VirtualFarm& farm,
    const ReplicationRunner& run,
    const ReplicationDuration& duration,
    CellProgress& progress
);

}  // namespace schedfarm::app
