// A slice begins and ends all its jobs at once, so that a list of the running jobs in no order and
// the earliest end among them are less work than a queue of events. Tested bit for bit against the
// general kernel (engine/simulation/kernel.hpp), whose order of events and sums it keeps.
//
// Cost: O(1) per start and suspension, O(running jobs) per slice and completion.
#include "policies/gang/gang_fast_way.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "engine/foundation/expect.hpp"
#include "engine/simulation/actions.hpp"
#include "engine/simulation/fast_way.hpp"
#include "engine/simulation/job_stream.hpp"
#include "engine/simulation/recorder.hpp"
#include "engine/simulation/run_end.hpp"
#include "engine/simulation/timer_table.hpp"

#include "policies/fast_way_jobs.hpp"

namespace schedfarm::policies {

namespace {

using namespace engine;  // NOLINT(google-build-using-namespace)

constexpr double infinity = std::numeric_limits<double>::infinity();

class GangKernel final : public Actions {
  public:
    GangKernel(
        const SystemDescription& system,
        const Experiment& experiment,
        Policy& policy,
        Recorder& recorder
    )
        : machine_(system)
        , counted_(experiment.horizon.jobs)
        , end_(experiment, Overtaking::possible)
        , policy_(policy)
        , recorder_(recorder) {}

    /// Present when too many jobs wait.
    std::optional<QueueOverflow> run(WorkloadModel& workload) {
        JobStream jobs(workload);
        while (!recorder_.has_all()) {
            const double arrival = next_arrival(jobs);
            const double next = std::min({arrival, timers_.next(), next_end()});
            SCHEDFARM_EXPECT(next < infinity, "jobs wait, but no timer is set");
            if (next > now_ && end_.is_too_much(admitted_, admitted_ - started_)) {
                return QueueOverflow{.time = now_, .jobs_submitted = admitted_};
            }
            now_ = next;
            complete();
            ring();
            while (next_arrival(jobs) <= now_) {
                admit(jobs.take());
            }
            react();
        }
        return {};
    }

    std::uint64_t timers_gone_off() const { return timers_gone_off_; }

    double now() const override { return now_; }
    const Machine& machine() const override { return machine_; }  // always free
    const Job& job(JobId id) const override { return entries_[id.value].job; }
    JobState state(JobId id) const override {
        const Entry& entry = entries_[id.value];
        return entry.at != nowhere ? JobState::running
               : entry.has_started ? JobState::suspended
                                   : JobState::waiting;
    }
    double remaining_service(JobId id) const override {
        const Entry& entry = entries_[id.value];
        return entry.at == nowhere ? entry.remaining : running_[entry.at].end - now_;
    }

    void start_on(JobId id, std::span<const ProcessorRange> /*processors*/) override {
        Entry& entry = entries_[id.value];
        const double end = now_ + entry.remaining;
        entry.at = static_cast<std::uint32_t>(running_.size());
        running_.push_back({.end = end, .order = order_++, .slot = id.value});
        next_end_ = std::min(next_end_, end);
        entry.held_since = now_;
        if (!entry.has_started) {
            entry.has_started = true;
            entry.record.start_time = now_;
            ++started_;
            if (entry.record.index < counted_) {
                recorder_.add_start(now_);
            }
        }
    }
    void suspend(JobId id) override {
        Entry& entry = entries_[id.value];
        const double end = running_[entry.at].end;
        entry.remaining = end - now_;
        is_next_end_known_ = is_next_end_known_ && end > next_end_;
        take_off(entry);
        recorder_.add_occupation(entry.held_since, now_, entry.record.size, entry.record.job_class);
    }
    void delay(JobId id, double duration) override {
        SCHEDFARM_EXPECT(entries_[id.value].at == nowhere, "a running job was delayed");
        entries_[id.value].remaining += duration;
    }
    void set_timer(double time, Timer timer) override { timers_.set(time, timer); }
    void cancel_timer(Timer timer) override { timers_.cancel(timer); }

    void start(JobId /*id*/, std::span<const ClusterShare> /*shares*/) override { refuse(); }
    void start_moldable(JobId /*id*/, std::span<const ClusterShare> /*shares*/) override {
        refuse();
    }
    void load(
        JobId /*id*/, std::span<const ProcessorRange> /*processors*/, double /*duration*/
    ) override {
        refuse();
    }
    double cut_load(JobId /*id*/) override {
        refuse();
        return 0;
    }
    void set_resident_memory(
        JobId /*id*/, std::span<const ProcessorRange> /*processors*/, double /*amount*/
    ) override {
        refuse();
    }
    void publish(std::string_view /*name*/, double /*value*/) override { refuse(); }
    void publish_of(JobId /*id*/, std::string_view /*name*/, double /*value*/) override {
        refuse();
    }

  private:
    static constexpr std::uint32_t nowhere = ~std::uint32_t{0};

    struct Entry {
        Job job;
        JobRecord record;
        double remaining = 0;
        double held_since = 0;
        std::uint32_t at = nowhere;  // among the running jobs
        bool has_started = false;
    };
    struct Running {
        double end = 0;
        std::uint64_t order = 0;  // of the starts
        std::uint32_t slot = 0;
    };

    static void refuse() { SCHEDFARM_EXPECT(false, "gang scheduling does no such thing"); }

    double next_arrival(JobStream& jobs) const {
        const bool comes =
            end_.needs_more(admitted_)
            || (end_.admits_more(admitted_) && !recorder_.has_all() && jobs.has_next());
        return comes ? jobs.next_submit() : infinity;
    }
    double next_end() {
        if (!is_next_end_known_) {
            next_end_ = infinity;
            for (const Running& one : running_) {
                next_end_ = std::min(next_end_, one.end);
            }
            is_next_end_known_ = true;
        }
        return next_end_;
    }

    void take_off(Entry& entry) {
        running_[entry.at] = running_.back();
        entries_[running_[entry.at].slot].at = entry.at;
        running_.pop_back();
        entry.at = nowhere;
    }

    // Equal ends in the order of their starts.
    void complete() {
        if (next_end() > now_) {
            return;
        }
        ended_.clear();
        for (const Running& one : running_) {
            if (one.end <= now_) {
                ended_.push_back(one);
            }
        }
        std::sort(ended_.begin(), ended_.end(), [](const Running& a, const Running& b) {
            return a.order < b.order;
        });
        for (const Running& one : ended_) {
            Entry& entry = entries_[one.slot];
            take_off(entry);
            entry.record.finish_time = now_;
            recorder_.add_occupation(
                entry.held_since, now_, entry.record.size, entry.record.job_class
            );
            if (entry.record.index < counted_) {
                recorder_.add(entry.record);
            }
            completions_.push_back(JobId{one.slot});
        }
        is_next_end_known_ = false;
    }

    void ring() {
        timers_.take(now_, timers_due_);
        timers_gone_off_ += timers_due_.size();
    }

    void admit(const Job& job) {
        auto slot = static_cast<std::uint32_t>(entries_.size());
        if (unused_.empty()) {
            entries_.emplace_back();
        } else {
            slot = unused_.back();
            unused_.pop_back();
        }
        const double service =
            job.moldable == nullptr ? job.service_time : job.moldable->times[job.size - 1];
        entries_[slot] = {
            .job = job,
            .record =
                {.index = job.index,
                 .submit_time = job.submit_time,
                 .service_time = service,
                 .size = job.size,
                 .job_class = job.job_class,
                 .weight = job.weight},
            .remaining = service};
        arrivals_.push_back(JobId{slot});
        ++admitted_;
    }

    void react() {
        policy_.react(
            {.completions = completions_,
             .arrivals = arrivals_,
             .loads_finished = {},
             .timers = timers_due_},
            *this
        );
        for (const JobId id : completions_) {
            unused_.push_back(id.value);
        }
        completions_.clear();
        arrivals_.clear();
        timers_due_.clear();
    }

    Machine machine_;
    std::uint64_t counted_;  // jobs with smaller numbers are
    RunEnd end_;
    Policy& policy_;
    Recorder& recorder_;

    double now_ = 0;
    std::vector<Entry> entries_;
    std::vector<std::uint32_t> unused_;
    std::vector<Running> running_;
    std::uint64_t order_ = 0;
    double next_end_ = infinity;
    bool is_next_end_known_ = true;
    TimerTable timers_;
    std::uint64_t timers_gone_off_ = 0;
    std::uint64_t admitted_ = 0;
    std::uint64_t started_ = 0;

    // The batch being put together.
    std::vector<Running> ended_;
    std::vector<JobId> completions_;
    std::vector<JobId> arrivals_;
    std::vector<Timer> timers_due_;
};

using MakePolicy = std::function<std::unique_ptr<Policy>()>;

class GangFastWay final : public FastWay {
  public:
    GangFastWay(MakePolicy make, SystemDescription system)
        : make_(std::move(make)), system_(std::move(system)) {}

    Observations run(const Experiment& experiment, const ProbeSet& probes, WorkloadModel& workload)
        override {
        Recorder recorder(
            experiment, probes, system_, workload.traits().job_classes, RecordFeed::at_completion
        );
        const std::unique_ptr<Policy> policy = make_();
        GangKernel kernel(system_, experiment, *policy, recorder);
        if (const auto overflow = kernel.run(workload)) {
            return recorder.finish_early(*overflow);
        }
        Observations result = recorder.finish();
        result.events += kernel.timers_gone_off();
        return result;
    }

  private:
    MakePolicy make_;
    SystemDescription system_;
};

bool is_served(const FastWayContext& context) {
    const bool has_arrivals =
        context.experiment == ExperimentKind::open || context.experiment == ExperimentKind::trace;
    const bool is_total = context.workload->structure == RequestStructure::total;
    return has_arrivals && is_total && is_served_by_fast_ways(context);
}

}  // namespace

void add_gang_fast_way(PolicyDescription& description) {
    description.make_fast_way = [make = description.make](
                                    const Parameters& given, const FastWayContext& context
                                ) -> std::unique_ptr<FastWay> {
        if (!is_served(context)) {
            return nullptr;
        }
        const PolicyContext made_for{
            .system = context.system, .random = Stream(0, Purpose::policy, 0)};
        return std::make_unique<GangFastWay>(
            [make, given, made_for] { return make(given, made_for); }, context.system
        );
    };
}

}  // namespace schedfarm::policies
