#include "app/certify/virtual_farm.hpp"

#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "engine/foundation/expect.hpp"

namespace schedfarm::app {

void run_on_virtual_workers(
    const VirtualFarm& farm,
    const ReplicationRunner& run,
    const ReplicationDuration& duration,
    CellProgress& progress
) {
    SCHEDFARM_EXPECT(farm.workers > 0, "a farm without workers");
    struct Task {
        std::uint32_t replication = 0;
        engine::Observations observations;
    };
    const bool by_index = farm.numbering == Numbering::by_index;
    std::map<std::pair<double, std::uint32_t>, Task> running;  // by finish, then worker
    std::set<std::uint32_t> idle;
    for (std::uint32_t worker = 0; worker < farm.workers; ++worker) {
        idle.insert(worker);
    }
    double now = 0;
    std::uint32_t dispatched = 0;
    std::uint32_t finished = 0;
    while (!progress.finished()) {
        while (!idle.empty()) {
            const auto replication =
                by_index ? progress.next_replication() : std::optional(dispatched++);
            if (!replication) {
                break;
            }
            Task task{*replication, run(*replication)};
            const double seconds = duration(task.observations);
            SCHEDFARM_EXPECT(
                std::isfinite(seconds) && seconds >= 0, "a replication whose metric is no duration"
            );
            const std::uint32_t worker = idle.extract(idle.begin()).value();
            running.emplace(std::pair(now + seconds, worker), std::move(task));
        }
        SCHEDFARM_EXPECT(!running.empty(), "a cell that wants nothing and is not finished");
        auto task = running.extract(running.begin());
        now = task.key().first;
        idle.insert(task.key().second);
        ReplicationOutcome outcome;
        outcome.observations = std::move(task.mapped().observations);
        progress.accept(by_index ? task.mapped().replication : finished++, std::move(outcome));
    }
}

}  // namespace schedfarm::app
