// First come, first served without an event loop: jobs in order; a job starts at the latest of its
// submission, the start of the job before it and the instant at which it fits. Tested bit for bit
// against the policy in fcfs.cpp on the general kernel.
//
// Cost per job: O(running jobs) with a small constant; total requests about 15 ns beside drawing
// and recording.
#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engine/foundation/expect.hpp"
#include "engine/simulation/recorder.hpp"

#include "policies/fast_way_jobs.hpp"
#include "policies/fast_ways.hpp"

namespace schedfarm::policies {

namespace {

using namespace engine;  // NOLINT(google-build-using-namespace)

/// All processors as one pool: total requests.
class Pool {
  public:
    using Held = std::uint32_t;

    Pool(const SystemDescription& system, PlacementRule /*rule*/) : free_(system.processors()) {}

    bool take(const JobColumns& jobs, Held& held) {
        held = jobs.size();
        const bool fits = held <= free_;
        free_ -= fits ? held : 0;
        return fits;
    }
    void give_back(Held held) { free_ += held; }

  private:
    std::uint32_t free_;
};

/// Processors by cluster: what a job holds is a row of counts.
class Clusters {
  public:
    using Held = std::uint32_t;  ///< number of the row

    Clusters(const SystemDescription& system, PlacementRule rule)
        : placer_(rule), free_(system.clusters) {}

    bool take(const JobColumns& jobs, Held& held) {
        const auto shares = placer_.place(jobs.job(), free_);
        if (shares.empty()) {
            return false;
        }
        held = unused_row();
        for (const ClusterShare& share : shares) {
            free_[share.cluster.value] -= share.count;
            counts_[held * free_.size() + share.cluster.value] = share.count;
        }
        return true;
    }
    void give_back(Held held) {
        for (std::size_t cluster = 0; cluster < free_.size(); ++cluster) {
            std::uint32_t& count = counts_[held * free_.size() + cluster];
            free_[cluster] += count;
            count = 0;
        }
        unused_.push_back(held);
    }

  private:
    Held unused_row() {
        if (unused_.empty()) {
            unused_.push_back(static_cast<Held>(counts_.size() / free_.size()));
            counts_.resize(counts_.size() + free_.size());
        }
        const Held row = unused_.back();
        unused_.pop_back();
        return row;
    }

    Placer placer_;
    std::vector<std::uint32_t> free_;
    std::vector<std::uint32_t> counts_;
    std::vector<Held> unused_;
};

template <typename Processors>
class Schedule {
  public:
    Schedule(const SystemDescription& system, PlacementRule rule)
        : processors_(system, rule), running_(system.processors()) {}

    /// Time moves on to `time`, and what has finished by then leaves.
    void advance_to(double time) {
        now_ = time;
        while (running_.next_finish() <= now_) {
            processors_.give_back(running_.pop());
        }
    }
    double now() const { return now_; }

    /// Starts a job now or, if it does not fit, at the first end of a job at which it does; jobs
    /// without service that started now are among those that end. Whether it had to wait.
    bool start(const JobColumns& jobs) {
        bool waited = false;
        typename Processors::Held held{};
        while (!processors_.take(jobs, held)) {
            wait(jobs);
            waited = true;
        }
        running_.add(now_ + jobs.service_time(), held);
        return waited;
    }

  private:
    void wait(const JobColumns& jobs) {
        const double next = running_.next_finish();
        SCHEDFARM_EXPECT(
            next < std::numeric_limits<double>::infinity(),
            "job " + std::to_string(jobs.index()) + " does not fit on the empty system"
        );
        advance_to(std::max(now_, next));
    }

    Processors processors_;
    RunningJobs<typename Processors::Held> running_;
    double now_ = 0;
};

void record(Recorder& recorder, const JobColumns& jobs, double submit_time, double start_time) {
    JobRecord record = jobs.record();
    record.submit_time = submit_time;
    record.start_time = start_time;
    record.finish_time = start_time + record.service_time;
    recorder.add(record);
}

template <typename Processors>
class FcfsFastWay final : public FastWay {
  public:
    FcfsFastWay(PlacementRule rule, SystemDescription system)
        : rule_(rule), system_(std::move(system)) {}

    Observations run(const Experiment& experiment, const ProbeSet& probes, WorkloadModel& workload)
        override {
        Recorder recorder(experiment, probes, system_, workload.traits().job_classes);
        JobColumns jobs(workload, system_.processors());
        Schedule<Processors> schedule(system_, rule_);
        switch (experiment.kind) {
            case ExperimentKind::saturated:
                run_saturated(experiment.horizon, jobs, schedule, recorder);
                break;
            case ExperimentKind::offline:
                run_offline(experiment.horizon, jobs, schedule, recorder);
                break;
            default:
                run_arrivals(experiment.horizon, jobs, schedule, recorder);
        }
        return recorder.finish();
    }

  private:
    static void run_arrivals(
        const Horizon& horizon, JobColumns& jobs, Schedule<Processors>& schedule, Recorder& recorder
    ) {
        for (std::uint64_t job = 0; job < horizon.jobs; ++job) {
            jobs.advance();
            const double submit = jobs.submit_time();
            if (submit > schedule.now()) {
                schedule.advance_to(submit);
            }
            schedule.start(jobs);
            record(recorder, jobs, submit, schedule.now());
        }
    }

    static void run_offline(
        const Horizon& horizon, JobColumns& jobs, Schedule<Processors>& schedule, Recorder& recorder
    ) {
        for (std::uint64_t job = 0; job < horizon.jobs; ++job) {
            jobs.advance();
            schedule.start(jobs);
            record(recorder, jobs, 0, schedule.now());
        }
    }

    // Job number `joined` and later join the queue in a further batch of the same instant, when
    // jobs without service have ended. Submit times are not observed.
    static void run_saturated(
        const Horizon& horizon, JobColumns& jobs, Schedule<Processors>& schedule, Recorder& recorder
    ) {
        SCHEDFARM_EXPECT(horizon.backlog > 0, "a saturated system was asked for without a backlog");
        std::uint64_t joined = horizon.backlog;
        for (std::uint64_t job = 0; job < horizon.jobs; ++job) {
            jobs.advance();
            const bool joins_now = job == joined;
            if (joins_now) {
                schedule.advance_to(schedule.now());
            }
            if (schedule.start(jobs) || joins_now) {
                joined = horizon.backlog + job;
            }
            record(recorder, jobs, schedule.now(), schedule.now());
        }
    }

    PlacementRule rule_;
    SystemDescription system_;
};

}  // namespace

std::unique_ptr<FastWay> make_fcfs_fast_way(PlacementRule rule, const FastWayContext& context) {
    if (context.experiment == ExperimentKind::bin_filling) {
        return make_bin_filling_fast_way(rule, context);
    }
    if (!is_served_by_fast_ways(context)) {
        return nullptr;
    }
    if (context.workload->structure == RequestStructure::total) {
        return std::make_unique<FcfsFastWay<Pool>>(rule, context.system);
    }
    return std::make_unique<FcfsFastWay<Clusters>>(rule, context.system);
}

}  // namespace schedfarm::policies
