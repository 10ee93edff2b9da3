// Moldable jobs given one by one, and what becomes of them under a policy, with all verifiers.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/simulation/kernel/simulator.hpp"
#include "engine/simulation/logs/job_log.hpp"
#include "engine/simulation/verifiers/schedule_verifier.hpp"

#include "tests/policies/cells.hpp"

namespace schedfarm::tests {

inline constexpr std::array moldable_policies = {
    "demt", "moldable_gang", "moldable_sequential", "moldable_list", "moldable_shelves"};

struct GivenMoldable {
    std::vector<double> times;  ///< on 1, 2, … processors; of a rigid job the one time
    double weight = 1;
    double submit_time = 0;
    std::uint32_t rigid = 0;  ///< processors of a rigid job
};

class GivenMoldables final : public WorkloadModel {
  public:
    explicit GivenMoldables(std::vector<GivenMoldable> jobs) : jobs_(std::move(jobs)) {
        traits_.max_size = 1;
        for (const GivenMoldable& job : jobs_) {
            times_.push_back({job.times});
            traits_.max_size = std::max(traits_.max_size, job.rigid);
        }
    }

    const WorkloadTraits& traits() const override { return traits_; }

    void next(JobBlock& block) override {
        block = JobBlock{};
        block.first_index = next_;
        for (; next_ < jobs_.size(); ++next_, ++block.count) {
            const GivenMoldable& job = jobs_[next_];
            block.submit_time.push_back(job.submit_time);
            block.service_time.push_back(job.times.front());
            block.size.push_back(std::max(job.rigid, 1U));
            block.components.push_back(block.size.back());
            block.weight.push_back(job.weight);
            block.moldable.push_back(job.rigid > 0 ? nullptr : &times_[next_]);
        }
    }

  private:
    std::vector<GivenMoldable> jobs_;
    std::deque<MoldableTimes> times_;
    WorkloadTraits traits_;
    std::size_t next_ = 0;
};

struct MoldableRun {
    JobLog log;
    Observations observations;  ///< off-line: makespan, weighted_completion, what is published
};

inline MoldableRun run_moldable(
    std::string_view name,
    const Parameters& given,
    std::uint32_t processors,
    const std::vector<GivenMoldable>& jobs,
    ExperimentKind kind = ExperimentKind::offline
) {
    const PolicyUnderTest policy(policy_named(name), given);
    const SystemDescription system{.clusters = {processors}};
    GivenMoldables workload(jobs);
    const PolicyContext context{system, Stream(5, Purpose::policy, 0)};
    const auto machine = make_machine_verifier(system);
    const auto own = make_own_verifier(*policy.description, policy.parameters, context);
    const std::vector<ScheduleVerifier*> verifiers{machine.get(), own.get()};
    MoldableRun run;
    const SimulationSetup setup{
        .system = system,
        .experiment = {.kind = kind, .horizon = {.jobs = jobs.size()}},
        .probes = {.requests = {}, .job_log = &run.log},
        .policy_traits = policy.description->traits(policy.parameters),
        .published = policy.description->observations(policy.parameters, system)};
    const auto scheduler = policy.description->make(policy.parameters, context);
    run.observations = simulate(setup, workload, *scheduler, verifiers);
    return run;
}

inline Parameters moldable_settings(const std::vector<std::pair<std::string, Value>>& values) {
    Parameters given;
    for (const auto& [name, value] : values) {
        given.set(name, value);
    }
    return given;
}

}  // namespace schedfarm::tests
