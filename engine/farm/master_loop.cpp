#include "engine/farm/master_loop.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

#include <fmt/format.h>

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

/// The accounts of a worker's children, as its master keeps them.
void append_overheads(const WorkerTally& tally, std::vector<RankOverhead>& ranks) {
    for (const ChildTally& child : tally.children) {
        RankOverhead& overhead = ranks.emplace_back();
        overhead.rank =
            tally.first_rank + static_cast<std::uint32_t>(&child - tally.children.data());
        overhead.host = tally.host;
        overhead.tasks = child.tasks;
        overhead.busy_seconds = child.busy_seconds;
        overhead.idle_seconds = tally.starved_seconds;
        overhead.dispatch_seconds =
            std::max(0.0, tally.present_seconds - child.busy_seconds - tally.starved_seconds);
    }
}

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
    void give_again(TaskId id) override { source_.give_again(id); }
    std::optional<std::uint64_t> tasks_ready() const override { return source_.tasks_ready(); }

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
        , source_(source, io_seconds_)
        , master_(source_, transport.workers(), limits)
        , heard_s_(transport.workers(), 0) {}

    FarmReport run() {
        const double start_s = transport_.now_s();
        while (!master_.done() && !is_abandoned()) {
            step();
        }
        if (!has_lost_) {
            transport_.finish();
        }
        FarmReport report;
        report.has_lost_ranks = has_lost_;
        report.wall_seconds = transport_.now_s() - start_s;
        report.interrupted = !source_.finished();
        report.ranks = ranks(report.wall_seconds);
        return report;
    }

  private:
    void step() {
        if (!master_.draining() && options_.should_drain && options_.should_drain()) {
            send(master_.drain(transport_.now_s()));
        } else if (const auto received = transport_.receive(tick_seconds)) {
            results_ += received->report.results.size();
            heard_s_[received->worker] = awake_.seconds();
            send(master_.take(received->worker, received->report, transport_.now_s()));
        }
        if (options_.on_tick && since_tick_.seconds() >= tick_seconds) {
            since_tick_ = Stopwatch();
            const TimeAdder adder(io_seconds_);
            options_.on_tick();
        }
        look_for_absent();
        if (transport_.may_lose_workers()) {
            look_for_lost();
        }
    }

    /// Says to the workers that this process is there, and gives up those that do not say so.
    void look_for_lost() {
        const double now_s = awake_.seconds();
        if (now_s - alive_said_s_ < options_.silence_seconds / 5) {
            return;
        }
        alive_said_s_ = now_s;
        for (const std::uint32_t worker : master_.present()) {
            if (now_s - heard_s_[worker] < options_.silence_seconds) {
                transport_.send(worker, {OrderKind::alive, {}});
                continue;
            }
            has_lost_ = true;
            std::vector<AddressedOrder> orders;
            const LostWorker lost = master_.lose(worker, transport_.now_s(), orders);
            if (options_.on_lost) {
                options_.on_lost(lost);
            }
            send(orders);
        }
    }

    /// Ranks that have started, but do not say so: stopped, or on a machine that was cut off.
    void look_for_absent() {
        const double waited_s = since_start_.seconds();
        const RankWait& wait = options_.wait;
        if (waited_s < wait.first_word_seconds || !is_anybody_absent_
            || (is_absence_told_ && waited_s < wait.seconds)) {
            return;
        }
        std::string absent;
        for (const std::uint32_t worker : master_.absent()) {
            absent += fmt::format("{}{}", absent.empty() ? "" : ", ", worker + 1);
        }
        if (!absent.empty() && waited_s >= wait.seconds) {
            const std::string text =
                fmt::format("after {:.0f} s these ranks have not come: {}", waited_s, absent);
            if (results_ == 0) {
                throw RanksMissing(text);
            }
            throw std::runtime_error(text);
        }
        if (!absent.empty() && wait.say) {
            wait.say(fmt::format(
                "after {:.0f} s these ranks have not come: {}; waiting for them", waited_s, absent
            ));
        }
        is_absence_told_ = true;
        is_anybody_absent_ = !absent.empty();
    }

    bool is_abandoned() const {
        return options_.should_abandon && master_.draining() && options_.should_abandon();
    }

    void send(const std::vector<AddressedOrder>& orders) {
        for (const AddressedOrder& addressed : orders) {
            transport_.send(addressed.worker, addressed.order);
        }
    }

    /// This process and all workers.
    std::vector<RankOverhead> ranks(double wall_seconds) const {
        std::vector<RankOverhead> ranks;
        for (const WorkerTally& tally : master_.tallies()) {
            append_overheads(tally, ranks);
        }
        const auto by_rank = [](const RankOverhead& a, const RankOverhead& b) {
            return a.rank < b.rank;
        };
        std::sort(ranks.begin(), ranks.end(), by_rank);
        const bool master_is_worker = !ranks.empty() && ranks.front().rank == 0;
        if (!master_is_worker) {
            ranks.insert(ranks.begin(), RankOverhead())->host = host_name();
        }
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
    TimedSource source_;
    Master master_;
    Stopwatch since_start_;
    Stopwatch since_tick_;
    std::uint64_t results_ = 0;
    AwakeClock awake_;
    std::vector<double> heard_s_;  // by worker, on that clock
    double alive_said_s_ = 0;
    bool has_lost_ = false;
    bool is_absence_told_ = false;
    bool is_anybody_absent_ = true;  // until it is looked
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

}  // namespace schedfarm::engine
