// What the verifiers of policies with reservations share: the plan once more as a plain list of
// jobs, and the comparison, instant by instant, of the jobs that start with those that should by
// this list. Checks no more once a job ran longer than planned or for ever, or its request is not
// total; where processors change, only if the plan follows outages: processors are then looked at
// one by one.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "engine/planning/planning_options.hpp"
#include "engine/simulation/job.hpp"
#include "engine/simulation/system.hpp"
#include "engine/simulation/verifiers/schedule_verifier.hpp"

namespace schedfarm::tests {

struct ListedJob {
    static constexpr double never = std::numeric_limits<double>::infinity();

    std::uint64_t index = 0;
    std::uint32_t size = 0;
    std::int32_t priority = 0;
    double submit_time = 0;
    double duration = 0;
    double fixed_start = engine::no_fixed_start;
    double begin = never;      ///< as planned; never: it has no place
    double latest = never;     ///< it was promised not to start later
    double known_end = never;  ///< of what is no job but takes processors
    bool runs = false;
    bool is_reserved = false;  ///< has a reservation, with or without a place
    bool is_booked = false;    ///< has an advance reservation
    std::vector<engine::ProcessorRange> processors = {};  ///< that it runs on, where they change

    bool has_place() const { return begin < never; }
    double end() const;
};

using JobList = std::vector<ListedJob>;

/// Processors that the jobs take at a time.
std::uint64_t in_use(const JobList& jobs, double time);
/// Whether the job fits at its begin beside `jobs`.
bool fits(const JobList& jobs, const ListedJob& wanted, std::uint32_t processors);
/// The first time from `now` on at which the job fits beside `jobs`.
double earliest_begin(
    const JobList& jobs, const ListedJob& wanted, double now, std::uint32_t processors
);

enum class OutageChecks : std::uint8_t { none, followed };

class PlanVerifier : public engine::ScheduleVerifier {
  public:
    PlanVerifier(
        engine::Simultaneous simultaneous,
        engine::RunTime run_time,
        const engine::SystemDescription& system,
        OutageChecks outages = OutageChecks::none
    );

    void observe(const engine::ScheduleStep& step) final;
    void end_of_instant(double time) final;
    void finish() final {}

  protected:
    // As planning_options.hpp has them.
    virtual void arrive(const ListedJob& job) = 0;
    /// Only of policies that take withdrawals; ahead of all other events of the instant.
    virtual void withdraw(std::uint64_t index) { complete(index); }
    virtual void complete(std::uint64_t index) = 0;
    virtual void pass() = 0;
    /// Others are out of order unplanned than before; ahead of all other events of the instant.
    virtual void lose_count() {}

    bool has_outages() const { return !system_.outages.empty(); }
    /// What is out of order by plan, or unplanned and for ever, or held by what runs of the jobs,
    /// as if it were jobs, one for each stretch of time in which the same processors are; planned
    /// outages up to the horizon.
    JobList taken(const JobList& jobs) const;
    /// No plan of the jobs reaches so far: what has no place before has none.
    double horizon(const JobList& jobs) const;
    /// Where the job that starts at this instant runs.
    std::vector<engine::ProcessorRange> processors_of(std::uint64_t index) const;
    /// The job should start now; throws if that is later than it was promised.
    void expect_start(const ListedJob& job);
    double now() const { return now_; }
    std::uint32_t processors() const { return processors_; }

  private:
    void take_events();
    bool is_planned_out(std::uint32_t processor, double time) const;
    bool is_unplanned(std::uint32_t processor) const {
        return is_out_[processor] && !is_planned_out(processor, now_);
    }

    engine::Simultaneous simultaneous_;
    engine::RunTime run_time_;
    engine::SystemDescription system_;
    std::uint32_t processors_;
    bool checks_;
    double now_ = 0;
    std::vector<bool> is_out_;     // of order, by processor
    std::vector<bool> unplanned_;  // the same, beside planned outages, at the last instant

    // Of this instant.
    struct Place {
        std::uint64_t index;
        std::vector<engine::ProcessorRange> processors;
    };
    std::vector<Place> places_;  // of what starts
    JobList arrivals_;
    std::vector<std::uint64_t> completions_;
    std::vector<std::uint64_t> starts_;
    std::vector<std::uint64_t> expected_;
};

}  // namespace schedfarm::tests
