// First come, first served without an event loop: jobs in order; a job starts at the latest of its
// submission, the start of the job before it and the instant at which it fits. Tested bit for bit
// against the policy in fcfs.cpp on the general kernel.
//
// Cost beside drawing, recording included: O(running jobs) per job; total requests on 32 processors
// about 18 ns, four unordered components on four clusters about 100 ns.
#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "engine/foundation/expect.hpp"
#include "engine/simulation/measurement/recorder.hpp"

#include "policies/job_columns.hpp"
#include "policies/queueing/fcfs_lanes.hpp"
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

/// One replication but for the starts of its jobs: draws them block by block and records what they
/// became. All starts of a block come before its records: taken one job at a time, the work on a
/// record would be thrown away with every wrong guess of the processor about which running jobs
/// end.
class FcfsReplication {
  public:
    explicit FcfsReplication(const Replica& replica)
        : has_arrivals_(replica.setup.experiment.kind.has_arrivals())
        , keeps_backlog_(replica.setup.experiment.kind.keeps_backlog())
        , horizon_(replica.setup.experiment.horizon)
        , jobs_(replica.workload, replica.setup.system.processors())
        , watch_(replica.setup.experiment)
        , recorder_(
              replica.setup.experiment,
              replica.setup.probes,
              replica.setup.system,
              replica.workload.traits().job_classes
          ) {
        SCHEDFARM_EXPECT(
            !keeps_backlog_ || horizon_.backlog > 0,
            "a saturated system was asked for without a backlog"
        );
    }

    /// The jobs that start next, at least one of them; none: the replication has ended.
    std::size_t ready() {
        if (at_ == end_ && !result_) {
            at_ = 0;
            end_ = std::min(jobs_.next_block(), horizon_.jobs - done_);
            for (std::size_t i = 0; has_arrivals_ && i < end_; ++i) {
                submit_[i] = jobs_.submit_time(i);
            }
        }
        return result_ ? 0 : end_ - at_;
    }
    /// Columns of the jobs that are ready.
    FcfsLanes::Jobs jobs() {
        return {&submit_[at_], jobs_.service_times() + at_, jobs_.sizes() + at_, &start_[at_]};
    }
    /// The block whose jobs are ready.
    const JobColumns& block() const { return jobs_; }

    /// The first `count` of the jobs that are ready have their starts.
    void record(std::size_t count) {
        const std::size_t end = at_ + count;
        for (std::size_t i = at_; watch_.is_needed() && i < end; ++i) {
            if (watch_.is_one_too_many(submit_[i], start_[i])) {
                result_ = recorder_.finish_early(overflow_at(i));
                return;
            }
        }
        recorder_.add_all(count, [this](std::size_t i) {
            JobRecord record = jobs_.record(at_ + i);
            record.start_time = start_[at_ + i];
            record.submit_time = keeps_backlog_ ? record.start_time : submit_[at_ + i];
            record.finish_time = record.start_time + record.service_time;
            return record;
        });
        at_ = end;
        done_ += count;
        if (done_ == horizon_.jobs) {
            result_ = recorder_.finish();
        }
    }

    /// REQUIRES: it has ended.
    Observations result() { return *std::move(result_); }

  private:
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

    bool has_arrivals_;
    bool keeps_backlog_;
    Horizon horizon_;
    JobColumns jobs_;
    QueueWatch watch_;
    Recorder recorder_;
    std::optional<Observations> result_;
    std::size_t at_ = 0;
    std::size_t end_ = 0;
    std::uint64_t done_ = 0;
    std::array<double, JobBlock::capacity> submit_{};  // 0 without arrivals
    std::array<double, JobBlock::capacity> start_{};
};

/// The starts of one replication.
template <typename Processors>
class FcfsQueue {
  public:
    FcfsQueue(PlacementRule rule, const SimulationSetup& setup)
        : keeps_backlog_(setup.experiment.kind.keeps_backlog())
        , backlog_(setup.experiment.horizon.backlog)
        , processors_(setup.system, rule)
        , running_(setup.system.processors())
        , joined_(backlog_) {}

    /// `columns`: of the whole block.
    void start(const JobColumns& block, const FcfsLanes::Jobs& columns, std::size_t count) {
        for (std::size_t i = 0; i < count; ++i) {
            columns.start[i] = keeps_backlog_ ? start_saturated(block, i)
                                              : start_submitted(block, i, columns.submit[i]);
        }
    }

  private:
    double start_submitted(const JobColumns& block, std::size_t i, double submit) {
        if (submit > now_) {
            advance_to(submit);
        }
        start(block, i);
        return now_;
    }

    // Job number joined_ and later join the queue in a further batch of the same instant, when jobs
    // without service have ended. Submit times are not observed.
    double start_saturated(const JobColumns& block, std::size_t i) {
        const bool joins_now = block.index(i) == joined_;
        if (joins_now) {
            advance_to(now_);
        }
        if (start(block, i) || joins_now) {
            joined_ = backlog_ + block.index(i);
        }
        return now_;
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
    bool start(const JobColumns& block, std::size_t i) {
        bool waited = false;
        typename Processors::Held held{};
        while (!processors_.take(block, i, held)) {
            const double next = running_.next_finish();
            SCHEDFARM_EXPECT(
                next < std::numeric_limits<double>::infinity(),
                "job " + std::to_string(block.index(i)) + " does not fit on the empty system"
            );
            advance_to(next);
            waited = true;
        }
        running_.add(now_ + block.service_time(i), held);
        return waited;
    }

    bool keeps_backlog_;
    std::uint64_t backlog_;
    Processors processors_;
    RunningJobs<typename Processors::Held> running_;
    double now_ = 0;
    std::uint64_t joined_;  // saturated: jobs that have joined the queue
};

template <typename Processors>
Observations simulated_alone(PlacementRule rule, const Replica& replica) {
    FcfsReplication replication(replica);
    FcfsQueue<Processors> queue(rule, replica.setup);
    while (const std::size_t count = replication.ready()) {
        queue.start(replication.block(), replication.jobs(), count);
        replication.record(count);
    }
    return replication.result();
}

/// REQUIRES: no more replicas than lanes; for all of them the same system and total requests.
std::vector<Observations> simulated_in_lanes(std::span<const Replica> replicas) {
    static constexpr std::array<double, JobBlock::capacity> no_times{};
    static constexpr std::array<std::uint32_t, JobBlock::capacity> no_sizes{};
    std::array<double, JobBlock::capacity> unused{};
    std::deque<FcfsReplication> replications(replicas.begin(), replicas.end());
    FcfsLanes lanes(replicas.front().setup.system.processors());
    for (std::size_t count = JobBlock::capacity; count > 0;) {
        std::array<FcfsLanes::Jobs, FcfsLanes::most_lanes> jobs;
        jobs.fill({no_times.data(), no_times.data(), no_sizes.data(), unused.data()});
        count = 0;
        for (std::size_t lane = 0; lane < replications.size(); ++lane) {
            if (const std::size_t ready = replications[lane].ready()) {
                jobs[lane] = replications[lane].jobs();
                count = count == 0 ? ready : std::min(count, ready);
            }
        }
        lanes.start_next(jobs, count);
        for (FcfsReplication& replication : replications) {
            if (replication.ready() > 0) {
                replication.record(count);
            }
        }
    }
    std::vector<Observations> results;
    for (FcfsReplication& replication : replications) {
        results.push_back(replication.result());
    }
    return results;
}

bool has_total_requests(const WorkloadModel& workload) {
    return workload.traits().structure == RequestStructure::total;
}

bool can_be_side_by_side(const SystemDescription& system, const WorkloadModel& workload) {
    return is_plain(system, workload, most_running) && has_total_requests(workload);
}

std::vector<Observations> simulate_side_by_side(std::span<const Replica> replicas) {
    std::vector<Observations> results;
    while (results.size() < replicas.size()) {
        const auto rest = replicas.subspan(results.size());
        const auto next = rest.first(std::min(rest.size(), FcfsLanes::lanes()));
        for (Observations& result : simulated_in_lanes(next)) {
            results.push_back(std::move(result));
        }
    }
    return results;
}

}  // namespace

std::optional<Observations> simulate_fcfs(
    PlacementRule rule, const SimulationSetup& setup, WorkloadModel& workload
) {
    if (!is_plain(setup.system, workload, most_running)) {
        return std::nullopt;
    }
    const Replica replica{setup, workload};
    return has_total_requests(workload) ? simulated_alone<Pool>(rule, replica)
                                        : simulated_alone<Clusters>(rule, replica);
}

GroupSimulator fcfs_group_simulator() {
    return {can_be_side_by_side, simulate_side_by_side};
}

}  // namespace schedfarm::policies
