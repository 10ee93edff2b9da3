// Workloads of which some jobs arrive when others end, as logs may say
// (engine/simulation/kernel/dependent_jobs.hpp).
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "engine/simulation/workload_model.hpp"

namespace schedfarm::engine {

inline constexpr std::uint64_t no_job = std::numeric_limits<std::uint64_t>::max();

/// Which jobs must have ended before a job arrives.
struct Dependence {
    std::uint64_t preceding = no_job;      ///< its index
    double think_time = -1;                ///< from that end to the arrival; below 0: not known
    std::vector<std::uint64_t> also = {};  ///< further ones; only without a think time
    /// So long ahead of its submit time it may come, were it not for these jobs.
    double earlier = 0;
    /// Likewise under a policy that holds back tasks of arrays (PolicyTraits::throttles_arrays).
    double earlier_task = 0;

    bool is_none() const { return preceding == no_job && also.empty(); }
    /// The same where jobs have other numbers. `number_of`: that of a job; no_job: it has none.
    template <typename NumberOf>
    Dependence renumbered(NumberOf number_of) const {
        Dependence result = *this;
        result.preceding = preceding == no_job ? no_job : number_of(preceding);
        result.also.clear();
        for (const std::uint64_t one : also) {
            if (const std::uint64_t number = number_of(one); number != no_job) {
                result.also.push_back(number);
            }
        }
        return result;
    }
};

/// A job that left while it waited: it is load, and in no observation.
struct LeavingJob {
    Job job;  ///< of any index
    double leaves = 0;
};

class DependentWorkload : public WorkloadModel {
  public:
    const DependentWorkload* dependent() const final { return has_dependences() ? this : nullptr; }
    /// Whether any job may arrive when another ends.
    virtual bool has_dependences() const = 0;
    /// Of a job that next() has given. May name one that it has not: what has not come until the
    /// last job is asked for never does.
    virtual Dependence dependence(std::uint64_t index) const = 0;
    /// Of the time of the jobs that next() has given. Valid as long as the workload.
    virtual std::vector<LeavingJob> leaving() const { return {}; }
};

/// A workload made of another one, whose jobs keep their numbers and their dependences.
class VersionOfWorkload : public DependentWorkload {
  public:
    bool has_dependences() const override { return original_.dependent() != nullptr; }
    Dependence dependence(std::uint64_t index) const override {
        return original_.dependent()->dependence(index);
    }

  protected:
    /// Keeps the reference.
    explicit VersionOfWorkload(const WorkloadModel& original) : original_(original) {}

  private:
    const WorkloadModel& original_;
};

}  // namespace schedfarm::engine
