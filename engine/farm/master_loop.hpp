// The loop between a master and its transport, whatever the transport: reports in, orders out, the
// hooks in between, and at the end an account of every rank's time. Real runs, runs in one process
// and runs in virtual time are this loop.
#pragma once

#include "engine/farm/farm.hpp"
#include "engine/farm/master.hpp"
#include "engine/farm/transport/transport.hpp"

namespace schedfarm::engine {

/// Runs until the source is finished or drained and every worker is told to stop. What source and
/// hooks throw goes through. Seconds of the report are those of the transport's clock, except
/// io_seconds, which are of the wall.
FarmReport run_on(
    MasterTransport& transport,
    WorkSource& source,
    const MasterLimits& limits,
    const FarmOptions& options
);

}  // namespace schedfarm::engine
