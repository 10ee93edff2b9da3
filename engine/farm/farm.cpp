#include "engine/farm/farm.hpp"

#include "engine/farm/farm_layout.hpp"
#include "engine/farm/master_loop.hpp"
#include "engine/farm/sub_master.hpp"
#include "engine/farm/transport/in_process_transport.hpp"
#include "engine/farm/transport/mpi_transport.hpp"
#include "engine/farm/transport/serialization.hpp"
#include "engine/farm/worker.hpp"
#include "engine/foundation/expect.hpp"

namespace schedfarm::engine {

namespace {

/// Alone in a process there is nobody to be kept waiting.
constexpr MasterLimits nothing_ahead{.bundles_ahead = 0};

/// Tells every rank which rank is what.
void broadcast_layout(const World& world, const std::vector<RankGroup>& groups) {
    ByteWriter writer;
    for (const RankGroup& group : groups) {
        writer.u32(group.sub_master);
        writer.u32(group.workers);
    }
    world.broadcast(writer.take());
}

/// The group that this rank belongs to; absent on one level.
std::optional<RankGroup> receive_group(const World& world) {
    const Bytes bytes = world.broadcast({});
    ByteReader reader(bytes);
    std::optional<RankGroup> own;
    while (reader.remaining() > 0) {
        const RankGroup group{reader.u32(), reader.u32()};
        if (group.sub_master <= world.rank()) {
            own = group;
        }
    }
    return own;
}

}  // namespace

FarmReport run_master(
    const World& world, WorkSource& source, const TaskExecutor& execute, const FarmOptions& options
) {
    SCHEDFARM_EXPECT(world.is_master(), "run_master on a worker");
    if (world.size() == 1) {
        InProcessTransport transport(execute);
        return run_on(transport, source, nothing_ahead, options);
    }
    const std::vector<RankGroup> groups = farm_layout(world.size(), options);
    broadcast_layout(world, groups);
    if (groups.empty()) {
        MpiMasterTransport transport(1, world.size() - 1);
        return run_on(transport, source, {}, options);
    }
    MpiMasterTransport transport(groups);
    return run_on(transport, source, {}, options);
}

void run_worker(const World& world, const TaskExecutor& execute) {
    SCHEDFARM_EXPECT(!world.is_master(), "run_worker on the master");
    const std::optional<RankGroup> group = receive_group(world);
    if (group && group->sub_master == world.rank()) {
        MpiWorkerTransport above(0);
        MpiMasterTransport below(group->sub_master + 1, group->workers);
        serve_group(above, below);
        return;
    }
    MpiWorkerTransport transport(group ? group->sub_master : 0);
    serve(transport, execute);
}

}  // namespace schedfarm::engine
