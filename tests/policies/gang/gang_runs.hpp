// Runs jobs under a gang scheduling policy on the general kernel with all verifiers and tells when
// each completed.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "tests/policies/cells.hpp"
#include "tests/policies/gang/plain_gang.hpp"

namespace schedfarm::tests {

using Times = std::vector<double>;

class FinishTimes final : public ScheduleVerifier {
  public:
    explicit FinishTimes(std::size_t jobs) : finishes_(jobs, -1) {}

    void observe(const ScheduleStep& step) override {
        if (step.kind == ScheduleStep::Kind::completion) {
            finishes_[step.job->index] = step.time;
        }
    }
    void end_of_instant(double /*time*/) override {}
    void finish() override {}

    const Times& finishes() const { return finishes_; }

  private:
    Times finishes_;
};

inline PlainJob plain_job(int submit, int size, int service) {
    PlainJob job;
    job.submit = submit;
    job.size = size;
    job.service = service;
    return job;
}

/// The order of `jobs` is that of submission; all times are multiplied by `factor`.
inline TestCell gang_cell(
    std::uint32_t processors, const std::vector<PlainJob>& jobs, double factor = 1
) {
    TestCell cell;
    cell.system.clusters = {processors};
    cell.experiment.kind = ExperimentKind::trace;
    cell.experiment.horizon.jobs = jobs.size();
    for (const PlainJob& job : jobs) {
        cell.jobs.push_back(
            {.submit_time = factor * job.submit,
             .service_time = factor * job.service,
             .components = {static_cast<std::uint32_t>(job.size)}}
        );
    }
    return cell;
}

inline Times gang_completions(const PolicyUnderTest& policy, const TestCell& cell) {
    FinishTimes log(cell.jobs.size());
    run_general(policy, cell, &log);
    return log.finishes();
}

inline Times gang_completions(
    const PolicyUnderTest& policy,
    std::uint32_t processors,
    const std::vector<PlainJob>& jobs,
    double factor = 1
) {
    return gang_completions(policy, gang_cell(processors, jobs, factor));
}

inline PolicyUnderTest gang_policy(
    const char* name, double cycle_s, double cost_s, const char* word = "", const char* value = ""
) {
    Parameters parameters;
    parameters.set("timeplexing_cycle_s", cycle_s);
    parameters.set("switch_cost_s", cost_s);
    if (*word != '\0') {
        parameters.set(word, value);
    }
    return {policy_named(name), parameters};
}

/// With the slices and readings of the reference's cycle, all times multiplied by `factor`.
inline PolicyUnderTest gang_policy(
    const char* name, const PlainCycle& cycle, const char* word, const char* value, int factor = 1
) {
    const auto words = [](bool is_first, const char* first, const char* second) {
        return is_first ? first : second;
    };
    PolicyUnderTest made =
        gang_policy(name, factor * cycle.cycle, factor * cycle.cost, word, value);
    Value::List quanta;
    Value::List classes;
    for (const PlainSlice& slice : cycle.slices) {
        quanta.emplace_back(factor * slice.quantum);
        classes.emplace_back(slice.row);
    }
    made.parameters.set("quanta_s", quanta);
    made.parameters.set("quanta_classes", classes);
    made.parameters.set("switch_paid", words(cycle.only_changes_pay, "row_change", "every_slice"));
    made.parameters.set("switch_place", words(cycle.is_longer_by_costs, "outside", "inside"));
    made.parameters.set("mid_slice", words(cycle.refills, "refill", "idle"));
    if (std::string_view(name).starts_with("push_")) {
        made.parameters.set("root_slice", words(cycle.root_first, "first", "in_turn"));
    }
    if (std::string_view(name) != "migration_gang") {  // its grid never stops
        made.parameters.set("after_empty", words(cycle.starts_at_top, "top", "next"));
    }
    return made;
}

}  // namespace schedfarm::tests
