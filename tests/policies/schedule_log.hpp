// Runs jobs on the general kernel under all verifiers and tells when each started.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "tests/policies/cells.hpp"

namespace schedfarm::tests {

using Times = std::vector<double>;
using Jobs = std::vector<GivenJob>;

/// Notes the start times by job index; −1: never started.
class StartTimes final : public ScheduleVerifier {
  public:
    explicit StartTimes(std::size_t jobs) : starts_(jobs, -1) {}

    void observe(const ScheduleStep& step) override {
        if (step.kind == ScheduleStep::Kind::start && step.job->index < starts_.size()) {
            starts_[step.job->index] = step.time;
        }
    }
    void end_of_instant(double /*time*/) override {}
    void finish() override {}

    const Times& starts() const { return starts_; }

  private:
    Times starts_;
};

/// The start times of all jobs of the cell.
inline Times starts_of(const char* policy, const Parameters& parameters, TestCell cell) {
    cell.experiment.kind = ExperimentKind::trace;
    cell.experiment.horizon.jobs = cell.jobs.size();
    StartTimes log(cell.jobs.size());
    run_general({policy_named(policy), parameters}, cell, &log);
    return log.starts();
}

/// The same on one cluster.
inline Times starts_of(
    const char* policy, const Parameters& parameters, std::uint32_t processors, Jobs jobs
) {
    TestCell cell;
    cell.system.clusters = {processors};
    cell.jobs = std::move(jobs);
    return starts_of(policy, parameters, std::move(cell));
}

inline Parameters with_words(std::initializer_list<std::pair<const char*, const char*>> words) {
    Parameters parameters;
    for (const auto& [name, word] : words) {
        parameters.set(name, word);
    }
    return parameters;
}

}  // namespace schedfarm::tests
