// Slurm 22.05's scheduler between two instants: its queue, what runs, and its two passes. It knows
// no simulator; policies/slurm/slurm.cpp tells it what happens and carries out what it decides.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <vector>

#include "policies/slurm/jobs.hpp"
#include "policies/slurm/limits.hpp"
#include "policies/slurm/node_choice.hpp"

namespace schedfarm::policies::slurm {

struct Start {
    std::uint64_t id = 0;
    Holding holding = {};
    std::int64_t let_go = 0;  ///< WaitingJob::let_go
    bool leaves = false;      ///< in place of a start
};

/// What a pass decides.
struct Decisions {
    std::vector<Start> starts = {};
    std::vector<std::uint64_t> victims = {};  ///< running jobs that are sent away and queue again
    std::uint32_t tested = 0;                 ///< jobs that backfill looked for nodes for
};

class Scheduler {
  public:
    /// The settings and the usage outlive it; nullptr: nothing was used.
    explicit Scheduler(const Settings& settings, const Usage* usage = nullptr);

    void submit(WaitingJob job);
    /// A waiting job leaves.
    void withdraw(std::uint64_t id);
    /// The job as it was.
    RunningJob end(std::uint64_t id);
    /// A job that runs already.
    void begin(RunningJob job);

    /// In any order.
    std::vector<WaitingJob>& waiting() { return waiting_; }
    /// By the ends of their limits.
    const std::vector<RunningJob>& running() const { return running_; }

    /// What running jobs have still to run counts from now on, in limits on minutes.
    void recompute(std::int64_t now) { limits_.recompute(now, running_); }
    /// A waiting job that limits will never let run, since what was used does not come back.
    const WaitingJob* used_up() const;

    /// Nodes that are still clearing up after a job: free, but nothing starts on them.
    void set_completing(NodeSet nodes) { completing_ = std::move(nodes); }
    void set_usable(NodeSet nodes) { usable_ = std::move(nodes); }

    /// Strictly in order within a partition (job_scheduler.c, _schedule). `full`: however deep.
    Decisions main_pass(std::int64_t now, bool full);

    /// Conservative backfilling on limits, planned anew (sched/backfill, _attempt_backfill).
    Decisions backfill_pass(std::int64_t now);

  private:
    enum class Outcome : std::uint8_t { started, planned, passed_over, table_full };

    /// Starts the job or sends others away for it. Whether it blocks those behind it; nothing: it
    /// has started. `blocked` nodes are of jobs that wait before it.
    std::optional<bool> blocks(
        const WaitingJob& job, const NodeSet& blocked, std::int64_t now, Decisions& decisions
    );
    /// Puts the waiting jobs into Slurm's order; the places of those that may start, of an array
    /// that of its first task.
    std::vector<std::uint32_t> queue(std::int64_t now);
    void put_before_victims(std::vector<std::uint32_t>& order) const;
    bool array_admits(const WaitingJob& job, std::int64_t now);
    std::uint32_t next_task(std::uint64_t array, const std::vector<char>& gone) const;

    /// By others' reservations, of some of the time.
    struct Reserved {
        NodeSet nodes;
        std::int64_t first_end = 0;  ///< 0: there is none
    };
    Reserved reserved_for_others(
        const WaitingJob& job, std::int64_t from, std::int64_t until, std::int64_t now
    ) const;
    Held held(const WaitingJob& job, const Holding& holding) const;
    /// Whether as many licences are free as it asks for (license_job_test).
    bool has_licences(const WaitingJob& job) const;
    void hold_licences(const RunningJob& job, int sign);
    void start(
        const WaitingJob& job,
        Holding holding,
        std::int64_t now,
        std::int64_t limit,
        Decisions& decisions
    );
    void send_away(
        const WaitingJob& job, const std::vector<std::uint64_t>& victims, Decisions& decisions
    );
    /// Of the entries behind this place what a pass plans shows in nothing but in what it starts.
    std::size_t end_of_shown_plans(const std::vector<std::uint32_t>& order) const;
    bool no_reservation(const WaitingJob& job, std::int64_t now) const;
    /// Its partition's nodes that are in order, or those of its reservation.
    NodeSet usable_by(const WaitingJob& job) const;
    struct Plan;
    struct Tries;
    Outcome backfill(WaitingJob& job, Plan& plan, bool every_try);
    void remove_waiting(const std::vector<Start>& starts);

    const Settings& settings_;
    FreeNodes empty_;  ///< nothing runs
    FreeNodes free_;
    LimitLedger limits_;
    std::vector<std::uint32_t> free_licences_;
    std::vector<WaitingJob> waiting_;
    std::vector<RunningJob> running_;
    NodeSet completing_;
    NodeSet usable_;
    std::set<std::uint64_t> full_arrays_;           ///< over their %N in the last pass
    std::vector<std::uint64_t> leaving_;            ///< running jobs that were sent away
    std::vector<std::uint64_t> waits_for_victims_;  ///< since the last main pass
};

}  // namespace schedfarm::policies::slurm
