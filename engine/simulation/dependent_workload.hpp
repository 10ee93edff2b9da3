// Workloads of which some jobs arrive when others end, as logs may say
// (engine/simulation/kernel/dependent_jobs.hpp).
#pragma once

#include <cstdint>
#include <limits>

#include "engine/simulation/workload_model.hpp"

namespace schedfarm::engine {

inline constexpr std::uint64_t no_job = std::numeric_limits<std::uint64_t>::max();

/// Which job must have ended before a job arrives.
struct Dependence {
    std::uint64_t preceding = no_job;  ///< its index
    double think_time = -1;            ///< from that end to the arrival; below 0: not known
};

class DependentWorkload : public WorkloadModel {
  public:
    /// Whether any job may arrive when another ends.
    virtual bool has_dependences() const = 0;
    /// Of a job that next() has given. May name one that it has not: what has not come until the
    /// last job is asked for never does.
    virtual Dependence dependence(std::uint64_t index) const = 0;
};

/// The workload, where jobs of it may arrive when others end; else null.
inline const DependentWorkload* dependent(const WorkloadModel& workload) {
    const auto* found = dynamic_cast<const DependentWorkload*>(&workload);
    return found != nullptr && found->has_dependences() ? found : nullptr;
}

/// A workload made of another one, whose jobs keep their numbers and their dependences.
class VersionOfWorkload : public DependentWorkload {
  public:
    bool has_dependences() const override { return dependent(original_) != nullptr; }
    Dependence dependence(std::uint64_t index) const override {
        return dependent(original_)->dependence(index);
    }

  protected:
    /// Keeps the reference.
    explicit VersionOfWorkload(const WorkloadModel& original) : original_(original) {}

  private:
    const WorkloadModel& original_;
};

}  // namespace schedfarm::engine
