// First come, first served without an event loop: jobs in order; a job starts at the latest of its
// submission, the start of the job before it and the instant at which it fits. Tested bit for bit
// against the policy in fcfs.cpp on the general kernel.
//
// Cost beside drawing, recording included: O(running jobs) per job; total requests on 32 processors
// about 18 ns, four unordered components on four clusters about 100 ns.
#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "engine/foundation/expect.hpp"
#include "engine/simulation/measurement/recorder.hpp"

#include "policies/job_columns.hpp"
#include "policies/specialised_simulators.hpp"

namespace schedfarm::policies {

namespace {

using namespace engine;  // NOLINT(google-build-using-namespace)

/// All processors as one pool: total requests.
class Pool {
  public:
    using Held = std::uint32_t;

    Pool(const SystemDescription& system, PlacementRule /*rule*/) : free_(system.processors()) {}

    bool take(const JobColumns& jobs, std::size_t i, Held& held) {
        held = jobs.size(i);
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
        : placer_(rule), free_(system.clusters), idle_(system.processors()) {}

    bool take(const JobColumns& jobs, std::size_t i, Held& held) {
        if (jobs.size(i) > idle_) {
            return false;
        }
        const auto shares = placer_.place(jobs.request(i), free_);
        if (shares.empty()) {
            return false;
        }
        held = unused_row();
        for (const ClusterShare& share : shares) {
            free_[share.cluster.value] -= share.count;
            idle_ -= share.count;
            counts_[held * free_.size() + share.cluster.value] = share.count;
        }
        return true;
    }
    void give_back(Held held) {
        for (std::size_t cluster = 0; cluster < free_.size(); ++cluster) {
            std::uint32_t& count = counts_[held * free_.size() + cluster];
            free_[cluster] += count;
            idle_ += count;
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
    std::uint32_t idle_;
    std::vector<std::uint32_t> counts_;
    std::vector<Held> unused_;
};

/// Watches the number of waiting jobs. Jobs start in order, so that more than `limit` wait when job
/// j comes exactly where job j − limit starts later; the last `limit` starts are kept.
class QueueWatch {
  public:
    explicit QueueWatch(const Experiment& experiment) {
        const Horizon& horizon = experiment.horizon;
        if (experiment.kind.has_arrivals() && horizon.queue_limit < horizon.jobs) {
            limit_ = horizon.queue_limit;
        }
    }

    /// Whether there is a limit that can be passed at all.
    bool is_needed() const { return limit_ > 0; }

    /// Adds the next job and says whether too many wait when it comes. REQUIRES: is_needed().
    bool is_one_too_many(double submit, double start) {
        if (starts_.size() < limit_) {
            starts_.push_back(start);
            return false;
        }
        const bool result = starts_[oldest_] > submit;
        starts_[oldest_] = start;
        oldest_ = oldest_ + 1 == limit_ ? 0 : oldest_ + 1;
        return result;
    }

  private:
    std::uint64_t limit_ = 0;
    std::vector<double> starts_;
    std::size_t oldest_ = 0;
};

/// One replication, block by block: first the start times of a block, then its records. Taken one
/// job at a time, the work on a record would be thrown away with every wrong guess of the processor
/// about which running jobs end.
template <typename Processors>
class FcfsSimulation {
  public:
    FcfsSimulation(
        const Experiment& experiment,
        const SystemDescription& system,
        PlacementRule rule,
        WorkloadModel& workload
    )
        : keeps_backlog_(experiment.kind.keeps_backlog())
        , starts_with_all_(experiment.kind.starts_with_all())
        , horizon_(experiment.horizon)
        , jobs_(workload, system.processors())
        , processors_(system, rule)
        , running_(system.processors())
        , joined_(horizon_.backlog)
        , watch_(experiment) {
        SCHEDFARM_EXPECT(
            !keeps_backlog_ || horizon_.backlog > 0,
            "a saturated system was asked for without a backlog"
        );
    }

    Observations run(Recorder& recorder) {
        for (std::uint64_t done = 0; done < horizon_.jobs;) {
            const std::size_t count = std::min(jobs_.next_block(), horizon_.jobs - done);
            if (keeps_backlog_) {
                find_starts_saturated(count);
            } else {
                find_starts(count);
            }
            for (std::size_t i = 0; watch_.is_needed() && i < count; ++i) {
                if (watch_.is_one_too_many(submit_[i], start_[i])) {
                    return recorder.finish_early(overflow_at(i));
                }
            }
            for (std::size_t i = 0; i < count; ++i) {
                JobRecord record = jobs_.record(i);
                record.submit_time = submit_[i];
                record.start_time = start_[i];
                record.finish_time = record.start_time + record.service_time;
                recorder.add(record);
            }
            done += count;
        }
        return recorder.finish();
    }

  private:
    void find_starts(std::size_t count) {
        for (std::size_t i = 0; i < count; ++i) {
            submit_[i] = starts_with_all_ ? 0 : jobs_.submit_time(i);
            if (submit_[i] > now_) {
                advance_to(submit_[i]);
            }
            start(i);
        }
    }

    // Job number joined_ and later join the queue in a further batch of the same instant, when jobs
    // without service have ended. Submit times are not observed.
    void find_starts_saturated(std::size_t count) {
        for (std::size_t i = 0; i < count; ++i) {
            const bool joins_now = jobs_.index(i) == joined_;
            if (joins_now) {
                advance_to(now_);
            }
            if (start(i) || joins_now) {
                joined_ = horizon_.backlog + jobs_.index(i);
            }
            submit_[i] = now_;
        }
    }

    // The replication ends when all jobs of the instant have come, of which job i is one.
    QueueOverflow overflow_at(std::size_t i) {
        const double time = submit_[i];
        std::uint64_t submitted = jobs_.index(i) + 1;
        for (; submitted < horizon_.jobs; ++submitted) {
            if (++i == jobs_.count()) {
                jobs_.next_block();
                i = 0;
            }
            if (jobs_.submit_time(i) > time) {
                break;
            }
        }
        return {.time = time, .jobs_submitted = submitted};
    }

    // Time moves on to `time`, and what has finished by then leaves.
    void advance_to(double time) {
        now_ = time;
        while (running_.next_finish() <= now_) {
            processors_.give_back(running_.pop());
        }
    }

    // Starts a job now or, if it does not fit, at the first end of a job at which it does; jobs
    // without service that started now are among those that end. Whether it had to wait.
    bool start(std::size_t i) {
        bool waited = false;
        typename Processors::Held held{};
        while (!processors_.take(jobs_, i, held)) {
            const double next = running_.next_finish();
            SCHEDFARM_EXPECT(
                next < std::numeric_limits<double>::infinity(),
                "job " + std::to_string(jobs_.index(i)) + " does not fit on the empty system"
            );
            advance_to(next);
            waited = true;
        }
        running_.add(now_ + jobs_.service_time(i), held);
        start_[i] = now_;
        return waited;
    }

    bool keeps_backlog_;
    bool starts_with_all_;
    Horizon horizon_;
    JobColumns jobs_;
    Processors processors_;
    RunningJobs<typename Processors::Held> running_;
    double now_ = 0;
    std::uint64_t joined_;  // saturated: jobs that have joined the queue
    QueueWatch watch_;
    std::array<double, JobBlock::capacity> submit_{};
    std::array<double, JobBlock::capacity> start_{};
};

template <typename Processors>
Observations simulated_fcfs(
    PlacementRule rule, const SimulationSetup& setup, WorkloadModel& workload
) {
    Recorder recorder(setup.experiment, setup.probes, setup.system, workload.traits().job_classes);
    return FcfsSimulation<Processors>(setup.experiment, setup.system, rule, workload).run(recorder);
}

}  // namespace

std::optional<Observations> simulate_fcfs(
    PlacementRule rule, const SimulationSetup& setup, WorkloadModel& workload
) {
    if (!is_plain(setup.system, workload, most_running)) {
        return std::nullopt;
    }
    return workload.traits().structure == RequestStructure::total
               ? simulated_fcfs<Pool>(rule, setup, workload)
               : simulated_fcfs<Clusters>(rule, setup, workload);
}

}  // namespace schedfarm::policies
