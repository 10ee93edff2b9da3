// What the verifiers of policies with reservations share: the plan once more as a plain list of
// jobs, and the comparison, instant by instant, of the jobs that start with those that should by
// this list. Checks no more once a job ran longer than planned or for ever, or its request is not
// total; nothing where processors change.
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
    double begin = never;   ///< as planned; never: it has no place
    double latest = never;  ///< it was promised not to start later
    bool runs = false;
    bool is_booked = false;  ///< has an advance reservation

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

class PlanVerifier : public engine::ScheduleVerifier {
  public:
    PlanVerifier(
        engine::Simultaneous simultaneous,
        engine::RunTime run_time,
        const engine::SystemDescription& system
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

    /// The job should start now; throws if that is later than it was promised.
    void expect_start(const ListedJob& job);
    double now() const { return now_; }
    std::uint32_t processors() const { return processors_; }

  private:
    void take_events();

    engine::Simultaneous simultaneous_;
    engine::RunTime run_time_;
    std::uint32_t processors_;
    bool checks_;
    double now_ = 0;

    // Of this instant.
    JobList arrivals_;
    std::vector<std::uint64_t> completions_;
    std::vector<std::uint64_t> starts_;
    std::vector<std::uint64_t> expected_;
};

}  // namespace schedfarm::tests
