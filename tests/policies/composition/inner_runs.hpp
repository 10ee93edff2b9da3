// Policies inside policies, and what becomes of each job under one.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "tests/policies/schedule_log.hpp"

namespace schedfarm::tests {

inline Choice choice(const std::string& name, const Parameters& given = {}) {
    return {name, with_defaults(policy_named(name).alternative.parameters, given)};
}

inline Value::List numbers(const std::vector<std::uint32_t>& values) {
    Value::List list;
    for (const std::uint32_t value : values) {
        list.emplace_back(std::int64_t{value});
    }
    return list;
}

inline Value::List choices(const std::vector<Choice>& inner) {
    Value::List policies;
    for (const Choice& policy : inner) {
        policies.emplace_back(policy);
    }
    return policies;
}

/// What became of each job: every step but arrivals and bindings, with its time.
class Steps final : public ScheduleVerifier {
  public:
    using OfJob = std::vector<std::tuple<ScheduleStep::Kind, double, double>>;

    void observe(const ScheduleStep& step) override {
        if (step.job != nullptr && step.kind != ScheduleStep::Kind::arrival
            && step.kind != ScheduleStep::Kind::bind) {
            steps_[step.job->index].emplace_back(step.kind, step.time, step.amount);
        }
    }
    void end_of_instant(double /*time*/) override {}
    void finish() override {}

    const std::map<std::uint64_t, OfJob>& of_jobs() const { return steps_; }

  private:
    std::map<std::uint64_t, OfJob> steps_;
};

inline std::map<std::uint64_t, Steps::OfJob> steps_of(
    const Choice& policy, const SystemDescription& system, const Jobs& jobs
) {
    TestCell cell;
    cell.system = system;
    cell.jobs = jobs;
    cell.experiment.kind = ExperimentKind::trace;
    cell.experiment.horizon.jobs = jobs.size();
    Steps steps;
    run_general({policy_named(policy.name), policy.parameters}, cell, &steps);
    return steps.of_jobs();
}

/// Whether it does within another policy what it does alone: what is drawn depends on the numbers
/// of the jobs.
inline bool can_be_inner(const PolicyDescription& policy) {
    const Parameters defaults = with_defaults(policy.alternative.parameters);
    return !policy.traits(defaults).draws && policy.alternative.name != "slurm";
}

}  // namespace schedfarm::tests
