// What the verifiers of gang scheduling without migration check beside policies/gang_verifier.hpp:
// a job stays on its node, no two jobs of a class are bound to one, and what begins in a slice pays
// for the rest of the switch. When a slice began is inferred from what is paid; where switches cost
// nothing any instant at which nothing ran before passes for a beginning.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <vector>

#include "policies/bound_jobs.hpp"
#include "policies/gang.hpp"
#include "policies/gang_verifier.hpp"

namespace schedfarm::policies {

class BoundGangVerifier : public GangVerifier {
  public:
    BoundGangVerifier(const GangSettings& settings, const engine::BuddyTrees& trees)
        : GangVerifier(trees)
        , settings_(settings)
        , quanta_(GangQuanta(settings, trees).of_cycle(0))
        , starts_(trees.trees().size() + 1, -std::numeric_limits<double>::infinity()) {}

  protected:
    /// Jobs whose slices begin and end together.
    virtual std::size_t group_of(std::uint32_t job_class, std::uint32_t processor) const = 0;

    void begin(const engine::ScheduleStep& step, const Watched& before) override;

    bool is_in(const Watched& job, const SlicePart& part) const;
    bool runs_in(const SlicePart& part) const;
    /// A job that is bound to these nodes and does not run though its processors are idle, or waits
    /// though one of these nodes is free: its index.
    std::optional<std::uint64_t> neglected(const SlicePart& part) const;

    double start_of_slice(std::size_t group) const { return starts_[group]; }
    double switch_cost_s() const { return settings_.switch_cost_s; }
    /// Whether the time is as long after the start of the group's slice as the quantum of a row.
    /// True for quanta that change from day to day; is_expiry() also where switches cost nothing.
    bool is_expiry(double time, std::size_t group, std::uint32_t row_class) const;
    bool is_within(double time, std::size_t group, std::uint32_t row_class) const;

  private:
    std::uint32_t node_of(const Watched& job) const {
        return trees().is_root(job.job_class) ? 0 : job.first >> job.job_class;
    }
    bool is_idle(std::uint32_t job_class, std::uint32_t node) const;
    bool has_free_node(const SlicePart& part) const;

    GangSettings settings_;
    std::vector<double> quanta_;
    std::vector<double> starts_;  // of the slices, by group
};

/// Checks that the running jobs are those of one row, all of them, that no slice outlasts its
/// quantum and that jobs are suspended at its end only.
std::unique_ptr<engine::ScheduleVerifier> make_vanilla_verifier(
    const GangSettings& settings, const engine::BuddyTrees& trees
);

/// Checks for each tree that the jobs of the largest class that runs and what idle processors can
/// run below it do run, that no slice outlasts its quantum and that jobs are suspended at its end
/// or when its own class has finished; and that jobs of the root class are alone.
std::unique_ptr<engine::ScheduleVerifier> make_push_down_verifier(
    const GangSettings& settings, const engine::BuddyTrees& trees
);

}  // namespace schedfarm::policies
