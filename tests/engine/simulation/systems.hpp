// Workloads and policies for tests of the simulator: jobs given one by one, policies written as a
// lambda, a first-come first-served policy, and the log of a schedule as lines of text.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "engine/simulation/kernel/actions.hpp"
#include "engine/simulation/kernel/simulator.hpp"
#include "engine/simulation/policy.hpp"
#include "engine/simulation/verifiers/schedule_verifier.hpp"
#include "engine/simulation/workload_model.hpp"

namespace schedfarm::tests {

using namespace engine;  // NOLINT(google-build-using-namespace)

struct GivenJob {
    double submit_time = 0;
    std::uint32_t size = 1;
    double service_time = 1;
    std::uint32_t job_class = 0;
    const MoldableTimes* moldable = nullptr;
};

/// Total requests as listed, in blocks of `block_size`.
class GivenWorkload final : public WorkloadModel {
  public:
    explicit GivenWorkload(std::vector<GivenJob> jobs, std::size_t block_size = 3)
        : jobs_(std::move(jobs)), block_size_(block_size) {
        for (const GivenJob& job : jobs_) {
            traits_.max_size = std::max(traits_.max_size, job.size);
            traits_.job_classes = std::max(traits_.job_classes, job.job_class + 1);
        }
    }

    const WorkloadTraits& traits() const override { return traits_; }

    void next(JobBlock& block) override {
        block = JobBlock{};
        block.first_index = next_;
        block.count = std::min(block_size_, jobs_.size() - next_);
        for (std::size_t i = 0; i < block.count; ++i) {
            const GivenJob& job = jobs_[next_++];
            block.submit_time.push_back(job.submit_time);
            block.service_time.push_back(job.service_time);
            block.size.push_back(job.size);
            block.components.push_back(job.size);
            block.job_class.push_back(job.job_class);
            block.moldable.push_back(job.moldable);
        }
    }

  private:
    std::vector<GivenJob> jobs_;
    std::size_t block_size_;
    std::size_t next_ = 0;
    WorkloadTraits traits_;
};

class LambdaPolicy final : public Policy {
  public:
    using Reaction = std::function<void(const EventBatch&, Actions&)>;
    explicit LambdaPolicy(Reaction reaction) : reaction_(std::move(reaction)) {}
    void react(const EventBatch& events, Actions& actions) override { reaction_(events, actions); }

  private:
    Reaction reaction_;
};

/// One queue, one cluster, by count.
class FirstComeFirstServed final : public Policy {
  public:
    void react(const EventBatch& events, Actions& actions) override {
        queue_.insert(queue_.end(), events.arrivals.begin(), events.arrivals.end());
        while (!queue_.empty()
               && actions.job(queue_.front()).size <= actions.machine().free_processors()) {
            const JobId id = queue_.front();
            queue_.pop_front();
            const ClusterShare share{ClusterId{0}, actions.job(id).size};
            actions.start(id, {&share, 1});
        }
    }

    std::size_t waiting() const { return queue_.size(); }

  private:
    std::deque<JobId> queue_;
};

/// "<time> <what> <job index>" for every step.
class ScheduleLog final : public ScheduleVerifier {
  public:
    void observe(const ScheduleStep& step) override {
        constexpr std::array<const char*, 11> names = {
            "arrival",
            "start",
            "suspend",
            "resume",
            "delay",
            "load",
            "load_cut",
            "load_finished",
            "completion",
            "memory",
            "capacity"};
        const char* name = names.at(static_cast<std::size_t>(step.kind));
        const std::string job = step.job != nullptr ? fmt::format(" {}", step.job->index) : "";
        lines_.push_back(fmt::format("{} {}{}", step.time, name, job));
    }
    void end_of_instant(double /*time*/) override {}
    void finish() override { lines_.emplace_back("end"); }
    const std::vector<std::string>& lines() const { return lines_; }

  private:
    std::vector<std::string> lines_;
};

using Lines = std::vector<std::string>;

inline SimulationSetup setup_of(
    std::uint32_t processors, std::uint64_t jobs, ExperimentKind kind = ExperimentKind::open
) {
    SimulationSetup setup;
    setup.system.clusters = {processors};
    setup.experiment.kind = kind;
    setup.experiment.horizon.jobs = jobs;
    return setup;
}

/// A schedule under the machine verifier.
struct Run {
    Observations observations;
    Lines lines;
};

inline Run run(const SimulationSetup& setup, std::vector<GivenJob> jobs, Policy& policy) {
    GivenWorkload workload(std::move(jobs));
    ScheduleLog log;
    const auto verifier = make_machine_verifier(setup.system);
    const std::array<ScheduleVerifier*, 2> verifiers = {verifier.get(), &log};
    Run result;
    result.observations = simulate(setup, workload, policy, verifiers);
    result.lines = log.lines();
    return result;
}

inline Run run(
    const SimulationSetup& setup, std::vector<GivenJob> jobs, LambdaPolicy::Reaction reaction
) {
    LambdaPolicy policy(std::move(reaction));
    return run(setup, std::move(jobs), policy);
}

/// The lines that are not arrivals.
inline Lines without_arrivals(Lines lines) {
    std::erase_if(lines, [](const std::string& line) {
        return line.find("arrival") != std::string::npos;
    });
    return lines;
}

}  // namespace schedfarm::tests
