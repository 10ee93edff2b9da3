#include "engine/farm/farm.hpp"

#include "engine/farm/master_loop.hpp"
#include "engine/farm/rank_worker.hpp"
#include "engine/farm/transport/in_process_transport.hpp"
#include "engine/farm/transport/mpi_transport.hpp"
#include "engine/farm/transport/socket_transport.hpp"
#include "engine/foundation/expect.hpp"

namespace schedfarm::engine {

namespace {

/// Alone in a process there is nobody to be kept waiting.
constexpr MasterLimits nothing_ahead{.bundles_ahead = 0};

}  // namespace

FarmReport run_master(
    const World& world, WorkSource& source, const Workers& workers, const FarmOptions& options
) {
    SCHEDFARM_EXPECT(world.is_master(), "run_master on a worker");
    if (world.size() > 1) {
        MpiMasterTransport transport(world.size() - 1);
        return run_on(transport, source, {}, options);
    }
    if (workers.server != nullptr) {
        ChildrenTransport transport(*workers.server, 1, options.on_overdue);
        return run_on(transport, source, {}, options);
    }
    InProcessTransport transport(workers.execute);
    return run_on(transport, source, nothing_ahead, options);
}

void run_worker(
    const World& world,
    WorkerServer& server,
    const OnOverdueTask& on_overdue,
    double silence_seconds
) {
    SCHEDFARM_EXPECT(!world.is_master(), "run_worker on the master");
    const std::uint32_t first_rank = 1 + (world.rank() - 1) * server.workers();
    ChildrenTransport children(server, first_rank, on_overdue);
    serve_master_over_mpi(children, first_rank, silence_seconds);
}

}  // namespace schedfarm::engine
