// The general kernel: time, events, the jobs in the system and the machine, and the carrying out
// and checking of every action. An experiment (simulator.cpp) drives it: it moves
// time on, lets jobs arrive and has the policy react. Nothing here knows an experiment's rules.
// Cost: O(log running jobs) per event, no allocation per job once the largest backlog was seen.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/simulation/kernel/actions.hpp"
#include "engine/simulation/kernel/event_queue.hpp"
#include "engine/simulation/kernel/job_store.hpp"
#include "engine/simulation/kernel/machine.hpp"
#include "engine/simulation/kernel/outage_calendar.hpp"
#include "engine/simulation/kernel/resident_memory.hpp"
#include "engine/simulation/kernel/simulator.hpp"
#include "engine/simulation/kernel/timer_table.hpp"
#include "engine/simulation/measurement/recorder.hpp"
#include "engine/simulation/verifiers/schedule_verifier.hpp"

namespace schedfarm::engine {

class Kernel final : public Actions {
  public:
    /// `recorder` may be null. The references must outlive the kernel.
    Kernel(
        const SimulationSetup& setup,
        const WorkloadTraits& workload,
        Policy& policy,
        Recorder* recorder,
        std::span<ScheduleVerifier* const> verifiers
    );

    // For the experiment.
    /// Infinity when nothing is planned.
    double next_event_time();
    /// Moves time on and puts the events due into the batch. REQUIRES: no event lies between.
    void advance_to(double time);
    /// A job arrives now.
    JobId admit(const Job& job);
    /// The jobs that have ended since the last reaction, without those that were cut.
    std::span<const JobId> ended() const { return std::span(completions_).first(ended_); }
    /// Ends a running job now. REQUIRES: its completion is due now or never.
    void complete(JobId id);
    /// A waiting job leaves now. REQUIRES: the policy takes withdrawals.
    void withdraw(JobId id);
    /// Hands the batch to the policy, then forgets the completed jobs and those that left.
    void react();
    /// Indices of the jobs that the policy had leave in its last reaction.
    std::span<const std::uint64_t> left() const { return left_; }
    /// Tells the recorder of the processors that are held now and, if no job is left, the verifiers
    /// that all is over.
    void finish();
    std::uint64_t jobs_in_system() const { return store_.size(); }
    /// Jobs that have started, less those that were cut and wait again.
    std::uint64_t started() const { return started_; }
    /// Counted jobs that have completed.
    std::uint64_t counted_completed() const { return counted_completed_; }
    /// Adds the events that are nobody's arrival or completion, and what was published, in the
    /// order of SimulationSetup::published. After an overflow: NaN for each. Called once.
    void add_own_observations(Observations& result);

    // For the policy.
    double now() const override { return now_; }
    const Machine& machine() const override { return machine_; }
    const Job& job(JobId id) const override { return store_.at(id).job; }
    JobState state(JobId id) const override { return store_.at(id).state; }
    void start(JobId id, std::span<const ClusterShare> shares) override;
    void start_on(JobId id, std::span<const ProcessorRange> processors) override;
    void suspend(JobId id) override;
    void delay(JobId id, double duration) override;
    void carry_out(const Switch& change) override;
    void load(JobId id, std::span<const ProcessorRange> processors, double duration) override;
    double cut_load(JobId id) override;
    void set_resident_memory(
        JobId id, std::span<const ProcessorRange> processors, double amount_per_processor
    ) override;
    void leave(JobId id) override;
    void count_wait_from(JobId id, double time) override;
    void set_timer(double time, Timer timer) override;
    void cancel_timer(Timer timer) override;
    void announce(const Announcement& said) override;

  private:
    JobEntry& startable(JobId id);
    [[noreturn]] void refuse(JobId id, const char* problem) const;
    [[noreturn]] static void refuse_processors(const JobEntry& entry, std::uint32_t given);
    [[noreturn]] static void refuse_delay(const JobEntry& entry, double duration);
    void choose_size(JobEntry& entry, std::uint32_t processors) const;
    void hold(JobEntry& entry, std::span<const ClusterShare> shares);
    void hold(JobEntry& entry, std::span<const ProcessorRange> processors);
    void give_back(JobEntry& entry);
    /// Where the completion of a job that runs is kept.
    enum class Planned : std::uint8_t { in_queue, in_list };

    void run(JobId id, JobEntry& entry, Planned planned);
    void take_off(JobId id);
    void add_service(JobId id, JobEntry& entry, double duration);
    bool is_counted(const JobEntry& entry) const { return entry.job.index < counted_; }
    void record(const JobEntry& entry, double finish);
    void plan(JobId id, const JobEntry& entry, EventKind kind);
    void forget_plan(JobEntry& entry);
    void expect_preemptive(const char* action) const;

    bool is_stale(const Event& event) const;
    void drop_stale();
    void take_event(const Event& event);
    void change_capacity();
    void change_capacity(const CapacityChange& change);
    void cut_jobs_out_of_order();
    void cut(JobId id);
    void end(JobId id, JobEntry& entry);
    void end_early(JobId id, JobEntry& entry);
    JobEntry& waiting(JobId id, const char* problem);
    bool add_published(std::string_view name, double value);
    void publish(const Observation& seen, std::optional<JobId> job);
    ScheduleStep announced(const Announcement& said) const;
    void watch_progress();
    std::string named(JobId id) const;
    [[gnu::always_inline]] void tell(
        ScheduleStep::Kind kind, JobId id, const JobEntry& entry, double amount = 0
    ) const {
        if (!verifiers_.empty()) [[unlikely]] {
            notify_verifiers(step(kind, id, entry, amount));
        }
    }
    ScheduleStep step(ScheduleStep::Kind kind, JobId id, const JobEntry& entry, double amount)
        const;
    void notify_verifiers(const ScheduleStep& step) const;
    void tell_inner_timers() const;

    const SimulationSetup& setup_;
    Policy& policy_;
    Recorder* recorder_;
    std::span<ScheduleVerifier* const> verifiers_;
    bool records_at_start_;
    bool names_counted_;           // for what is taken by count: whose it is counts in an outage
    std::uint64_t counted_;        // jobs with smaller numbers are
    std::uint64_t most_recorded_;  // starts

    double now_ = 0;
    EventQueue events_;
    std::size_t stale_events_ = 0;  // in the queue
    EventList switched_;            // completions of jobs that came with a switch
    JobStore store_;
    Machine machine_;
    OutageCalendar outages_;
    ResidentMemory memory_;
    TimerTable timers_;
    std::vector<double> published_;
    std::uint64_t other_events_ = 0;  // timers, ends of loading, changes of capacity
    std::uint64_t started_ = 0;
    std::uint64_t counted_completed_ = 0;
    std::uint64_t active_ = 0;  // jobs running or loading
    std::uint32_t out_ = 0;     // processors out of order
    double out_area_ = 0;       // processors × time, up to the last change
    double out_since_ = 0;
    std::vector<ProcessorRange> named_;  // of an action

    // The batch being put together.
    std::vector<JobId> completions_;
    std::size_t ended_ = 0;  // of these; those behind were cut
    std::vector<JobId> arrivals_;
    std::vector<JobId> withdrawals_;
    std::vector<std::uint64_t> left_;
    std::vector<JobId> loads_finished_;
    std::vector<Timer> timers_due_;
    std::vector<CapacityChange> capacity_changes_;

    // Against policies that only ever set timers.
    std::uint64_t actions_ = 0;
    std::uint64_t actions_seen_ = 0;
    std::uint64_t idle_reactions_ = 0;
    double last_reaction_ = 0;
};

}  // namespace schedfarm::engine
