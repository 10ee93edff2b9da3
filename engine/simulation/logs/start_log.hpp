// Which processors jobs got at their starts, where they get them by name: what a job log says of
// them. An observer like the verifiers, so that the general kernel must run; it keeps less than a
// segment log does of jobs that are suspended and resumed. One replication.
#pragma once

#include "engine/simulation/kernel/processor_ranges.hpp"
#include "engine/simulation/verifiers/schedule_verifier.hpp"

namespace schedfarm::engine {

class StartLog final : public ScheduleVerifier {
  public:
    void observe(const ScheduleStep& step) override;
    void end_of_instant(double /*time*/) override {}
    void finish() override {}

    /// By index in the workload, up to the last job that started by name; of a job that was cut,
    /// those of its last start. Empty where processors are given by number.
    const JobProcessors& held() const { return held_; }
    /// Whether a job has gone on, after a pause or a cut, on others than at first.
    bool has_moved() const { return has_moved_; }

  private:
    JobProcessors held_;
    bool has_moved_ = false;
};

}  // namespace schedfarm::engine
