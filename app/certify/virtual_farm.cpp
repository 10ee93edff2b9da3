#include "app/certify/virtual_farm.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <queue>
#include <utility>
#include <vector>

#include "engine/foundation/expect.hpp"

namespace schedfarm::app {

namespace {

struct RunningTask {
    double finish = 0;
    std::uint32_t worker = 0;
    std::uint32_t replication = 0;
    engine::Observations observations;
};

struct FinishesLater {
    bool operator()(const RunningTask& a, const RunningTask& b) const {
        return a.finish != b.finish ? a.finish > b.finish : a.worker > b.worker;
    }
};

class VirtualTime {
  public:
    VirtualTime(
        const VirtualFarm& farm,
        const ReplicationRunner& run,
        const ReplicationDuration& duration,
        CellProgress& progress
    )
        : farm_(farm), run_(run), duration_(duration), progress_(progress) {
        for (std::uint32_t worker = 0; worker < farm.workers; ++worker) {
            idle_.push(worker);
        }
    }

    void run() {
        while (!progress_.finished()) {
            dispatch();
            SCHEDFARM_EXPECT(!running_.empty(), "a cell that wants nothing and is not finished");
            finish_next();
        }
    }

  private:
    std::optional<std::uint32_t> next_replication() {
        return farm_.numbering == Numbering::by_index ? progress_.next_replication()
                                                      : std::optional(dispatched_++);
    }

    void dispatch() {
        while (!idle_.empty()) {
            const auto replication = next_replication();
            if (!replication) {
                return;
            }
            engine::Observations observations = run_(*replication);
            const double duration = duration_(observations);
            SCHEDFARM_EXPECT(
                std::isfinite(duration) && duration >= 0,
                "a replication whose metric is no duration"
            );
            running_.push_back({now_ + duration, idle_.top(), *replication, std::move(observations)}
            );
            std::push_heap(running_.begin(), running_.end(), FinishesLater());
            idle_.pop();
        }
    }

    void finish_next() {
        std::pop_heap(running_.begin(), running_.end(), FinishesLater());
        RunningTask task = std::move(running_.back());
        running_.pop_back();
        now_ = task.finish;
        idle_.push(task.worker);
        ReplicationOutcome outcome;
        outcome.observations = std::move(task.observations);
        const std::uint32_t number =
            farm_.numbering == Numbering::by_index ? task.replication : finished_++;
        progress_.accept(number, std::move(outcome));
    }

    const VirtualFarm& farm_;
    const ReplicationRunner& run_;
    const ReplicationDuration& duration_;
    CellProgress& progress_;
    double now_ = 0;
    std::uint32_t dispatched_ = 0;
    std::uint32_t finished_ = 0;
    std::priority_queue<std::uint32_t, std::vector<std::uint32_t>, std::greater<>> idle_;
    std::vector<RunningTask> running_;  // a heap, the next to finish in front
};

}  // namespace

void run_on_virtual_workers(
    const VirtualFarm& farm,
    const ReplicationRunner& run,
    const ReplicationDuration& duration,
    CellProgress& progress
) {
    SCHEDFARM_EXPECT(farm.workers > 0, "a farm without workers");
    VirtualTime(farm, run, duration, progress).run();
}

}  // namespace schedfarm::app
