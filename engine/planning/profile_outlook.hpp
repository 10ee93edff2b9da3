// When a job would start by a plan that is an availability profile; for policies that answer that
// question (Policy::earliest_start).
#pragma once

#include <algorithm>
#include <cstdint>

#include "engine/planning/availability_profile.hpp"
#include "engine/planning/planning_options.hpp"
#include "engine/simulation/policy.hpp"

namespace schedfarm::engine {

/// The first time at which it fits, for an advance reservation none before its own.
inline double start_by(
    const AvailabilityProfile& profile, const Job& job, RunTime run_time, double from
) {
    return profile.earliest_fit(
        job.size, planned_duration(job, run_time), std::max(from, job.fixed_start)
    );
}

class ProfileOutlook final : public StartOutlook {
  public:
    ProfileOutlook(const AvailabilityProfile& profile, RunTime run_time)
        : profile_(profile), run_time_(run_time) {}

    /// Takes the processors at the first times from `from` on at which they are free.
    void reserve(std::uint32_t size, double duration, double from) {
        const double start = profile_.earliest_fit(size, duration, from);
        if (start < AvailabilityProfile::never) {
            profile_.reserve(start, planned_end(start, duration), size);
        }
    }

    double earliest_start(const Job& job, double from) override {
        return start_by(profile_, job, run_time_, from);
    }

  private:
    AvailabilityProfile profile_;
    RunTime run_time_;
};

}  // namespace schedfarm::engine
