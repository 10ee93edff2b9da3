#include "engine/simulation/verifiers/dependency_verifier.hpp"

#include <algorithm>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include "engine/simulation/kernel/job_stream.hpp"

namespace schedfarm::engine {

namespace {

class DependencyVerifier final : public ScheduleVerifier {
  public:
    DependencyVerifier(
        WorkloadModel& workload,
        const DependentWorkload& dependences,
        std::uint64_t counted,
        const PolicyTraits& policy
    )
        : throttles_arrays_(policy.throttles_arrays) {
        JobStream jobs(workload);
        for (std::uint64_t i = 0; i < counted; ++i) {
            jobs_.emplace_back().submit = jobs.take().submit_time;
        }
        for (std::uint64_t i = 0; i < counted; ++i) {
            jobs_[i].dependence = dependences.dependence(i);
        }
    }

    void observe(const ScheduleStep& step) override {
        if (step.job == nullptr || step.job->index >= jobs_.size()) {
            return;
        }
        Known& job = jobs_[step.job->index];
        if (step.kind == ScheduleStep::Kind::arrival && !job.has_arrived) {
            job.has_arrived = true;
            expect_arrival(step, job);
        }
        if (step.kind == ScheduleStep::Kind::completion && !step.is_cut) {
            job.end = step.time;
        }
    }
    void end_of_instant(double /*time*/) override {}
    void finish() override {}

  private:
    struct Known {
        double submit = 0;
        Dependence dependence;
        bool has_arrived = false;  // an outage may bring it again
        std::optional<double> end = {};
    };

    void expect_arrival(const ScheduleStep& step, const Known& job) const {
        std::vector<std::uint64_t> preceding = job.dependence.also;
        preceding.push_back(job.dependence.preceding);
        std::erase_if(preceding, [this](std::uint64_t one) { return one >= jobs_.size(); });
        double last_end = 0;
        for (const std::uint64_t one : preceding) {
            const auto& end = jobs_[one].end;
            if (!end) {
                throw ScheduleError(fmt::format(
                    "job {} at time {}: it arrived before job {} had ended",
                    step.job->index,
                    step.time,
                    one
                ));
            }
            last_end = std::max(last_end, *end);
        }
        const auto& [before, think_time, also, earlier, earlier_task] = job.dependence;
        const double ahead =
            std::max(preceding.empty() ? 0 : earlier, throttles_arrays_ ? earlier_task : 0);
        const double arrival = !preceding.empty() && think_time >= 0
                                   ? last_end + think_time
                                   : std::max(last_end, job.submit - ahead);
        if (step.time != arrival || step.job->submit_time != arrival) {
            throw ScheduleError(fmt::format(
                "job {} at time {}: it should have arrived at {}",
                step.job->index,
                step.time,
                arrival
            ));
        }
    }

    bool throttles_arrays_;
    std::vector<Known> jobs_;
};

}  // namespace

std::unique_ptr<ScheduleVerifier> make_dependency_verifier(
    WorkloadModel& workload, std::uint64_t counted, const PolicyTraits& policy
) {
    const DependentWorkload* const dependences = workload.dependent();
    return dependences == nullptr
               ? nullptr
               : std::make_unique<DependencyVerifier>(workload, *dependences, counted, policy);
}

}  // namespace schedfarm::engine
