#include "engine/farm/master_loop.hpp"

#include <algorithm>

#include "engine/farm/stopwatch.hpp"
#include "engine/farm/worker.hpp"

namespace schedfarm::engine {

namespace {

constexpr double tick_seconds = 0.1;

/// Adds the time from its construction to its destruction to a sum.
class TimeAdder {
  public:
    explicit TimeAdder(double& sum) : sum_(sum) {}
    TimeAdder(const TimeAdder&) = delete;
    TimeAdder& operator=(const TimeAdder&) = delete;
    ~TimeAdder() { sum_ += stopwatch_.seconds(); }

  private:
    double& sum_;
    Stopwatch stopwatch_;
};

/// A source and the time spent in it.
class TimedSource final : public WorkSource {
  public:
    TimedSource(WorkSource& source, double& seconds) : source_(source), seconds_(seconds) {}

    std::optional<Task> next_task() override {
        const TimeAdder adder(seconds_);
        return source_.next_task();
    }
    void accept(const TaskResult& result) override {
        const TimeAdder adder(seconds_);
        source_.accept(result);
    }
    bool finished() const override { return source_.finished(); }
    std::optional<std::uint64_t> tasks_ready() const override { return source_.tasks_ready(); }
    bool awaits_others() const override { return source_.awaits_others(); }

  private:
    WorkSource& source_;
    double& seconds_;
};

class Loop {
  public:
    Loop(
        MasterTransport& transport,
        WorkSource& source,
        const MasterLimits& limits,
        const FarmOptions& options
    )
        : transport_(transport)
        , options_(options)
        , group_sizes_(transport.group_sizes())
        , source_(source, io_seconds_)
        , master_(
              source_,
              group_sizes_.empty() ? std::vector<std::uint32_t>(transport.workers(), 1)
                                   : group_sizes_,
              limits
          ) {}

    FarmReport run() {
        const double start_s = transport_.now_s();
        while (!master_.done() || farewells_ < group_sizes_.size()) {
            step();
        }
        transport_.finish();
        FarmReport report;
        report.wall_seconds = transport_.now_s() - start_s;
        report.interrupted = master_.draining() && !source_.finished();
        report.ranks = ranks(report.wall_seconds);
        return report;
    }

  private:
    void step() {
        if (!master_.draining() && options_.should_drain && options_.should_drain()) {
            send(master_.drain(transport_.now_s()));
        } else if (const auto received = transport_.receive(tick_seconds)) {
            take(*received);
        }
        if (options_.on_tick && since_tick_.seconds() >= tick_seconds) {
            since_tick_ = Stopwatch();
            const TimeAdder adder(io_seconds_);
            options_.on_tick();
        }
    }

    void take(const ReceivedReport& received) {
        const WorkerReport& report = received.report;
        if (report.kind == ReportKind::farewell) {
            ++farewells_;
            behind_sub_masters_.insert(
                behind_sub_masters_.end(), report.ranks.begin(), report.ranks.end()
            );
        } else {
            send(master_.take(received.worker, report, transport_.now_s()));
        }
    }

    void send(const std::vector<AddressedOrder>& orders) {
        for (const AddressedOrder& addressed : orders) {
            transport_.send(addressed.worker, addressed.order);
        }
    }

    /// This process and every rank below it.
    std::vector<RankOverhead> ranks(double wall_seconds) const {
        std::vector<RankOverhead> ranks = behind_sub_masters_;
        if (group_sizes_.empty()) {
            std::uint32_t worker = 0;
            for (const WorkerTally& tally : master_.tallies()) {
                ranks.push_back(overhead_of(tally, transport_.rank_of(worker++)));
            }
        }
        const bool master_is_worker = transport_.rank_of(0) == 0;
        if (!master_is_worker) {
            RankOverhead& own = ranks.emplace_back();
            own.host = host_name();
        }
        std::sort(ranks.begin(), ranks.end(), [](const RankOverhead& a, const RankOverhead& b) {
            return a.rank < b.rank;
        });
        RankOverhead& own = ranks.front();
        own.io_seconds = io_seconds_;
        own.idle_seconds = transport_.waited_seconds();
        own.dispatch_seconds =
            std::max(0.0, wall_seconds - own.busy_seconds - own.idle_seconds - own.io_seconds);
        return ranks;
    }

    MasterTransport& transport_;
    const FarmOptions& options_;
    double io_seconds_ = 0;
    std::vector<std::uint32_t> group_sizes_;
    TimedSource source_;
    Master master_;
    Stopwatch since_tick_;
    std::size_t farewells_ = 0;
    std::vector<RankOverhead> behind_sub_masters_;
};

}  // namespace

FarmReport run_on(
    MasterTransport& transport,
    WorkSource& source,
    const MasterLimits& limits,
    const FarmOptions& options
) {
    return Loop(transport, source, limits, options).run();
}

RankOverhead overhead_of(const WorkerTally& tally, std::uint32_t rank) {
    RankOverhead overhead;
    overhead.rank = rank;
    overhead.host = tally.host;
    overhead.tasks = tally.tasks;
    overhead.busy_seconds = tally.busy_seconds;
    overhead.idle_seconds = tally.starved_seconds;
    overhead.dispatch_seconds =
        std::max(0.0, tally.present_seconds - tally.busy_seconds - tally.starved_seconds);
    return overhead;
}

}  // namespace schedfarm::engine
