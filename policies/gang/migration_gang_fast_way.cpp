// Gang scheduling with migration slice by slice. Where jobs run changes nothing, so that a slice is
// a number of jobs from the front of each class: those whose nodes fit. Tested bit for bit against
// the policy in migration_gang.cpp on the general kernel.
//
// Cost: O(classes) per slice and a few nanoseconds per job that runs in it.
#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "engine/planning/buddy_trees.hpp"
#include "engine/simulation/recorder.hpp"

#include "policies/fast_way_jobs.hpp"
#include "policies/gang/migration_gang.hpp"

namespace schedfarm::policies {

namespace {

using namespace engine;  // NOLINT(google-build-using-namespace)

constexpr double infinity = std::numeric_limits<double>::infinity();

class Simulation {
  public:
    Simulation(
        const GangSettings& settings,
        FillOrder order,
        const BuddyTrees& trees,
        const Experiment& experiment,
        JobColumns& jobs,
        Recorder& recorder
    )
        : order_(order)
        , trees_(trees)
        , grid_(settings, trees)
        , counted_(experiment.horizon.jobs)
        , jobs_(jobs)
        , arriving_(jobs, RunEnd(experiment, Overtaking::possible))
        , recorder_(recorder)
        , queues_(trees.classes())
        , taken_(trees.classes()) {}

    /// Present when the queue grew beyond the limit.
    std::optional<QueueOverflow> run() {
        while (!recorder_.has_all()) {
            if (present_ == 0) {
                wake(arriving_.next_submit());
            }
            const double start = grid_.start();
            if (const auto overflow = join_until(start)) {
                return overflow;
            }
            timers_ += is_timed_ ? 1 : 0;
            slice(start);
            const bool ends_at_once = recorder_.has_all() && last_recorded_ == start;
            if (!ends_at_once && arriving_.are_too_many(waiting_)) {
                return QueueOverflow{.time = start, .jobs_submitted = arriving_.joined()};
            }
        }
        timers_ += last_recorded_ == grid_.start() ? 1U : 0U;
        return join_until(last_recorded_);
    }

    /// Timers that the policy would have seen.
    std::uint64_t timers() const { return timers_; }

  private:
    struct Waiting {
        double remaining = 0;
        std::uint32_t size = 0;
        std::uint32_t slot = 0;
    };
    struct Finished {
        double time = 0;
        std::uint32_t slot = 0;
    };

    // While no job is there the timer of the next slice goes off, but no other is set.
    void wake(double submit) {
        if (is_timed_ && submit <= grid_.start()) {
            return;
        }
        timers_ += is_timed_ ? 1 : 0;
        grid_.go_to(submit);
        is_timed_ = grid_.start() != submit;
        if (is_timed_) {
            grid_.next();
        }
    }

    // Jobs that arrive at `time` itself come before its slice, and those that wait are counted
    // after it.
    std::optional<QueueOverflow> join_until(double time) {
        while (arriving_.next_submit() <= time) {
            const double now = arriving_.next_submit();
            for (; arriving_.next_submit() == now; arriving_.join()) {
                join();
            }
            if (now < time && arriving_.are_too_many(waiting_)) {
                return QueueOverflow{.time = now, .jobs_submitted = arriving_.joined()};
            }
        }
        return {};
    }

    void join() {
        const std::size_t place = arriving_.place();
        const std::uint32_t job_class = BuddyTrees::class_of(jobs_.size(place));
        const double service = jobs_.service_time(place);
        const std::uint32_t slot = unused_slot();
        records_[slot] = jobs_.record(place);
        records_[slot].submit_time = arriving_.next_submit();
        records_[slot].start_time = not_started;
        grid_.arrive(records_[slot].submit_time, service, job_class);
        queues_[job_class].push_back({service, jobs_.size(place), slot});
        ++present_;
        ++waiting_;
    }

    std::uint32_t unused_slot() {
        if (unused_.empty()) {
            records_.emplace_back();
            return static_cast<std::uint32_t>(records_.size() - 1);
        }
        const std::uint32_t slot = unused_.back();
        unused_.pop_back();
        return slot;
    }

    void slice(double start) {
        std::fill(taken_.begin(), taken_.end(), 0);
        choose(start);
        switch_cost_s_ = grid_.cost_s();
        grid_.next();
        is_timed_ = true;
        const double end = grid_.start();
        finished_.clear();
        for (const Share& share : shares_) {
            work(share, start, end);
        }
        if (!finished_.empty()) {
            complete(start);
        }
        for (const Share& share : shares_) {
            suspend(share, start, end);
        }
        shares_.clear();
        if (!finished_.empty()) {
            forget_finished();
        }
    }

    struct Share {
        std::uint32_t job_class = 0;
        std::size_t first = 0;  // in the queue of the class
        std::size_t end = 0;
    };

    void choose(double start) {
        const FillOrder order = order_.of_slice(grid_, start, trees_, [this] {
            std::vector<std::size_t> jobs;
            for (const std::vector<Waiting>& queue : queues_) {
                jobs.push_back(queue.size());
            }
            return jobs;
        });
        const std::uint32_t row_class = grid_.row_class();
        idle_ = trees_.processors();
        if (trees_.is_root(row_class)) {
            take(row_class, 1);
        } else {
            for (const BuddyTrees::Tree& tree : trees_.trees()) {
                const std::uint32_t own = served_class(tree, row_class);
                take(own, std::uint32_t{1} << (tree.top - own));
            }
        }
        const std::uint32_t fillers = trees_.trees().front().top + 1;
        for (std::uint32_t i = 0; i < fillers; ++i) {
            const std::uint32_t one = order == FillOrder::leaves ? i : fillers - 1 - i;
            take(one, idle_ >> one);
        }
    }

    void take(std::uint32_t job_class, std::uint32_t most) {
        const std::size_t first = taken_[job_class];
        const std::size_t end = std::min(queues_[job_class].size(), first + most);
        if (end > first) {
            idle_ -= static_cast<std::uint32_t>(end - first) * trees_.node_size(job_class);
            taken_[job_class] = end;
            shares_.push_back({job_class, first, end});
        }
    }

    void work(const Share& share, double start, double end) {
        std::vector<Waiting>& queue = queues_[share.job_class];
        for (std::size_t i = share.first; i < share.end; ++i) {
            const double finish = start + (queue[i].remaining + switch_cost_s_);
            queue[i].remaining = finish - end;
            if (records_[queue[i].slot].start_time == not_started) {
                records_[queue[i].slot].start_time = start;
                --waiting_;
            }
            if (finish <= end) {
                finished_.push_back({finish, queue[i].slot});
            }
        }
    }

    // The general kernel records jobs in the order of their ends, equal ends in that of their
    // starts.
    void complete(double start) {
        std::stable_sort(
            finished_.begin(),
            finished_.end(),
            [](const Finished& a, const Finished& b) { return a.time < b.time; }
        );
        for (const Finished& one : finished_) {
            JobRecord& record = records_[one.slot];
            record.finish_time = one.time;
            recorder_.add_occupation(start, one.time, record.size, record.job_class);
            if (record.index < counted_) {
                recorder_.add(record);
                last_recorded_ = one.time;
            }
            unused_.push_back(one.slot);
        }
        present_ -= finished_.size();
    }

    void suspend(const Share& share, double start, double end) {
        const std::vector<Waiting>& queue = queues_[share.job_class];
        for (std::size_t i = share.first; i < share.end; ++i) {
            if (queue[i].remaining > 0) {
                recorder_.add_occupation(
                    start, end, queue[i].size, records_[queue[i].slot].job_class
                );
            }
        }
    }

    // Jobs that did not run may have no service to receive.
    void forget_finished() {
        for (std::size_t job_class = 0; job_class < queues_.size(); ++job_class) {
            std::vector<Waiting>& queue = queues_[job_class];
            const auto ran_end = queue.begin() + static_cast<std::ptrdiff_t>(taken_[job_class]);
            const auto left = std::remove_if(queue.begin(), ran_end, [](const Waiting& job) {
                return job.remaining <= 0;
            });
            queue.erase(left, ran_end);
        }
    }

    static constexpr double not_started = -infinity;

    SliceOrder order_;
    BuddyTrees trees_;
    SliceGrid grid_;         // at the slice that starts next
    std::uint64_t counted_;  // jobs with smaller numbers are
    JobColumns& jobs_;
    ArrivingJobs arriving_;
    Recorder& recorder_;

    bool is_timed_ = false;  // the policy would have a timer pending for that slice
    std::uint64_t timers_ = 0;
    double last_recorded_ = -infinity;  // the finish that was recorded last
    std::uint64_t present_ = 0;
    std::uint64_t waiting_ = 0;                 // present and never started
    std::vector<std::vector<Waiting>> queues_;  // by class: the jobs present, in order of arrival
    std::vector<JobRecord> records_;            // by slot
    std::vector<std::uint32_t> unused_;

    // Of a slice.
    double switch_cost_s_ = 0;
    std::vector<std::size_t> taken_;  // by class
    std::vector<Share> shares_;
    std::vector<Finished> finished_;
    std::uint32_t idle_ = 0;
};

class MigrationFastWay final : public FastWay {
  public:
    MigrationFastWay(GangSettings settings, FillOrder order, SystemDescription system)
        : settings_(std::move(settings)), order_(order), system_(std::move(system)) {}

    Observations run(const Experiment& experiment, const ProbeSet& probes, WorkloadModel& workload)
        override {
        const std::uint32_t processors = system_.processors();
        Recorder recorder(
            experiment, probes, system_, workload.traits().job_classes, RecordFeed::at_completion
        );
        JobColumns jobs(workload, processors);
        Simulation simulation(
            settings_, order_, BuddyTrees(processors), experiment, jobs, recorder
        );
        const auto overflow = simulation.run();
        if (overflow) {
            return recorder.finish_early(*overflow);
        }
        Observations result = recorder.finish();
        result.events += simulation.timers();
        return result;
    }

  private:
    GangSettings settings_;
    FillOrder order_;
    SystemDescription system_;
};

}  // namespace

std::unique_ptr<FastWay> make_migration_fast_way(
    const GangSettings& settings, FillOrder order, const FastWayContext& context
) {
    const bool has_arrivals =
        context.experiment == ExperimentKind::open || context.experiment == ExperimentKind::trace;
    const bool is_total = context.workload->structure == RequestStructure::total;
    if (!has_arrivals || !is_total || settings.mid_slice == MidSlice::refill
        || !is_served_by_fast_ways(context)) {
        return nullptr;
    }
    return std::make_unique<MigrationFastWay>(settings, order, context.system);
}

}  // namespace schedfarm::policies
