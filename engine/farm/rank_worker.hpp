// A rank other than 0: its children execute, and it fetches orders for all of them in one message
// and sends their results together, so that the master takes one report where it would take one per
// child.
#pragma once

#include <cstdint>

#include "engine/farm/transport/socket_transport.hpp"

namespace schedfarm::engine {

/// Says hello to rank 0, then passes orders and results on until it says stop. `first_rank`: that
/// of the first child. Throws WorkerBroken when a child can execute nothing more, and
/// std::runtime_error when the master, once heard, is silent for so long. REQUIRES: MPI is
/// initialized.
void serve_master_over_mpi(
    ChildrenTransport& children, std::uint32_t first_rank, double silence_seconds
);

}  // namespace schedfarm::engine
