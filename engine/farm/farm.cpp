#include "engine/farm/farm.hpp"

#include <algorithm>
#include <memory>

#include "engine/farm/in_process_transport.hpp"
#include "engine/farm/master.hpp"
#include "engine/farm/mpi_transport.hpp"
#include "engine/farm/stopwatch.hpp"
#include "engine/farm/worker.hpp"
#include "engine/foundation/expect.hpp"

namespace schedfarm::engine {

namespace {

constexpr double tick_seconds = 0.1;

/// Calls the master's hooks between messages.
class Ticker {
  public:
    explicit Ticker(const FarmOptions& options) : options_(options) {}

    bool should_drain() const { return options_.should_drain && options_.should_drain(); }

    void tick_if_due() {
        if (since_tick_.seconds() >= tick_seconds) {
            since_tick_ = Stopwatch();
            if (options_.on_tick) {
                options_.on_tick();
            }
        }
    }

  private:
    const FarmOptions& options_;
    Stopwatch since_tick_;
};

struct MasterTime {
    double wall_seconds = 0;
    double waiting_seconds = 0;
};

MasterTime drive(Master& master, MasterTransport& transport, const FarmOptions& options) {
    MasterTime time;
    const double start_s = transport.now_s();
    Ticker ticker(options);
    while (!master.done()) {
        std::vector<AddressedOrder> orders;
        if (!master.draining() && ticker.should_drain()) {
            orders = master.drain(transport.now_s());
        } else {
            const double before_s = transport.now_s();
            const auto received = transport.receive(tick_seconds);
            const double now_s = transport.now_s();
            time.waiting_seconds += now_s - before_s;
            if (received) {
                orders = master.take(received->worker, received->report, now_s);
            }
        }
        for (const AddressedOrder& addressed : orders) {
            transport.send(addressed.worker, addressed.order);
        }
        ticker.tick_if_due();
    }
    transport.finish();
    time.wall_seconds = transport.now_s() - start_s;
    return time;
}

RankOverhead overhead_of(const WorkerTally& tally, std::uint32_t rank) {
    RankOverhead overhead;
    overhead.rank = rank;
    overhead.host = tally.host;
    overhead.tasks = tally.tasks;
    overhead.busy_seconds = tally.busy_seconds;
    overhead.idle_seconds = std::max(0.0, tally.present_seconds - tally.busy_seconds);
    return overhead;
}

FarmReport report_of(
    const Master& master, const MasterTransport& transport, const MasterTime& time
) {
    FarmReport report;
    report.wall_seconds = time.wall_seconds;
    const bool master_is_worker = transport.rank_of(0) == 0;
    if (!master_is_worker) {
        RankOverhead own;
        own.host = host_name();
        own.busy_seconds = time.wall_seconds - time.waiting_seconds;
        own.idle_seconds = time.waiting_seconds;
        report.ranks.push_back(own);
    }
    std::uint32_t worker = 0;
    for (const WorkerTally& tally : master.tallies()) {
        report.ranks.push_back(overhead_of(tally, transport.rank_of(worker++)));
    }
    return report;
}

/// Alone in a process there is nobody to be kept waiting: one task at a time.
constexpr MasterLimits one_at_a_time{.bundles_ahead = 0, .bundle_tasks = 1};

}  // namespace

FarmReport run_master(
    const World& world, WorkSource& source, const TaskFunction& execute, const FarmOptions& options
) {
    SCHEDFARM_EXPECT(world.is_master(), "run_master on a worker");
    std::unique_ptr<MasterTransport> transport;
    if (world.size() == 1) {
        transport = std::make_unique<InProcessTransport>(execute);
    } else {
        transport = std::make_unique<MpiMasterTransport>();
    }
    const MasterLimits limits = world.size() == 1 ? one_at_a_time : MasterLimits{};
    Master master(source, transport->workers(), limits);
    const MasterTime time = drive(master, *transport, options);
    FarmReport report = report_of(master, *transport, time);
    report.interrupted = master.draining() && !source.finished();
    return report;
}

void run_worker(const World& world, const TaskFunction& execute) {
    SCHEDFARM_EXPECT(!world.is_master(), "run_worker on the master");
    MpiWorkerTransport transport;
    serve(transport, execute);
}

}  // namespace schedfarm::engine
