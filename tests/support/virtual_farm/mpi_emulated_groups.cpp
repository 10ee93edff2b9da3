#include <memory>
#include <queue>
#include <utility>

#include "engine/farm/master_loop.hpp"
#include "engine/farm/sub_master.hpp"
#include "engine/farm/transport/backoff.hpp"

#include "tests/support/virtual_farm/mpi_emulated_workers.hpp"

namespace schedfarm::engine {

namespace {

constexpr BackoffLimits group_waits{.looks = 20};
constexpr int group_master_rank = 0;

/// Sub-masters of one rank, each with virtual workers of its own.
class EmulatedGroups {
  public:
    EmulatedGroups(std::uint32_t groups, std::uint32_t group_workers, const TaskDuration& duration)
        : duration_(duration), rank_(mpi_rank()) {
        for (std::uint32_t i = 0; i < groups; ++i) {
            groups_.push_back(std::make_unique<Group>(group_workers, rank_));
        }
    }

    void run() {
        for (std::uint32_t group = 0; group < groups_.size(); ++group) {
            send_up(group, {ReportKind::hello, "virtual", {}, {}});
            for (std::uint32_t worker = 0; worker < groups_[group]->workers.size(); ++worker) {
                reports_.push({0, group, worker, {ReportKind::hello, "virtual", {}, {}}});
            }
        }
        Backoff backoff(group_waits);
        while (farewells_ < groups_.size()) {
            if (static_cast<unsigned>(take_order()) | static_cast<unsigned>(take_report())) {
                backoff = Backoff(group_waits);
            } else {
                report_what_is_due();
                backoff.wait();
            }
        }
    }

  private:
    struct Group {
        Group(std::uint32_t count, std::uint32_t rank)
            : machine(count), workers(count, VirtualWorker(rank)) {}

        SubMaster machine;
        std::vector<VirtualWorker> workers;
        bool said_farewell = false;
    };

    /// A worker's report at the time it falls due.
    struct Due {
        double at_s = 0;
        std::uint32_t group = 0;
        std::uint32_t worker = 0;
        WorkerReport report;
    };
    struct Later {
        bool operator()(const Due& a, const Due& b) const { return a.at_s > b.at_s; }
    };

    static void send_up(std::uint32_t group, const WorkerReport& report) {
        send_and_wait(encode(report), group_master_rank, static_cast<int>(group));
    }

    bool take_order() {
        const auto message = receive_if_there(group_master_rank, MPI_ANY_TAG);
        if (!message) {
            return false;
        }
        const auto group = static_cast<std::uint32_t>(message->tag);
        give(group, groups_[group]->machine.take_order(decode_order(message->bytes), now_s()));
        return true;
    }

    bool take_report() {
        if (reports_.empty() || reports_.top().at_s > now_s()) {
            return false;
        }
        const Due due = reports_.top();
        reports_.pop();
        Group& group = *groups_[due.group];
        give(due.group, group.machine.take_report(due.worker, due.report, now_s()));
        return true;
    }

    void give(std::uint32_t index, const std::vector<AddressedOrder>& orders) {
        Group& group = *groups_[index];
        for (const auto& [worker, order] : orders) {
            for (TimedReport& timed : group.workers[worker].work(order, now_s(), duration_, {})) {
                reports_.push({timed.at_s, index, worker, std::move(timed.report)});
            }
        }
        report_if_due(index);
        if (group.machine.done() && !std::exchange(group.said_farewell, true)) {
            say_farewell(index);
        }
    }

    void report_if_due(std::uint32_t group) {
        if (const auto report = groups_[group]->machine.report_if_due(now_s())) {
            send_up(group, *report);
        }
    }

    void report_what_is_due() {
        for (std::uint32_t group = 0; group < groups_.size(); ++group) {
            report_if_due(group);
        }
    }

    void say_farewell(std::uint32_t group) {
        RankOverhead own;
        own.rank = rank_;
        own.host = "virtual";
        WorkerReport farewell{ReportKind::farewell, {}, {}, {own}};
        for (const WorkerTally& tally : groups_[group]->machine.tallies()) {
            farewell.ranks.push_back(overhead_of(tally, rank_));
        }
        send_up(group, farewell);
        ++farewells_;
    }

    double now_s() const { return clock_.seconds(); }

    const TaskDuration& duration_;
    std::uint32_t rank_ = 0;
    Stopwatch clock_;
    std::vector<std::unique_ptr<Group>> groups_;
    std::priority_queue<Due, std::vector<Due>, Later> reports_;
    std::size_t farewells_ = 0;
};

}  // namespace

void impersonate_groups(
    std::uint32_t groups, std::uint32_t group_workers, const TaskDuration& duration
) {
    EmulatedGroups(groups, group_workers, duration).run();
}

}  // namespace schedfarm::engine
