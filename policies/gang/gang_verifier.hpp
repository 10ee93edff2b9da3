// What holds of every gang schedule on buddy trees: a job runs on an aligned node of its class, no
// two running jobs on overlapping nodes, first dispatch is first come first served in a class, and
// the service received is the service required, without what switches cost. With the slices that
// the policy announces, a job also runs only in one whose row serves it
// (engine/simulation/verifiers/slice_verifier.hpp).
// Cost: O(jobs present) per step.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "engine/planning/buddy_trees.hpp"
#include "engine/simulation/verifiers/schedule_verifier.hpp"
#include "engine/simulation/verifiers/slice_verifier.hpp"

namespace schedfarm::policies {

class GangVerifier : public engine::ScheduleVerifier {
  public:
    explicit GangVerifier(engine::BuddyTrees trees) : trees_(std::move(trees)) {}

    void observe(const engine::ScheduleStep& step) override;
    void end_of_instant(double /*time*/) override {}
    void finish() override {}

  protected:
    struct Watched {
        engine::JobId id;
        std::uint64_t index = 0;
        std::uint32_t job_class = 0;
        double left = 0;          ///< service still to be received
        double since = 0;         ///< the last start or resume
        double paid = 0;          ///< of switches, in this stretch or the next
        std::uint32_t first = 0;  ///< processor of the node of the last stretch
        bool has_started = false;
        bool is_running = false;
    };

    // What else is to be checked of a job.
    virtual void arrive(const engine::ScheduleStep& /*step*/, const Watched& /*job*/) {}
    /// A job begins a stretch; `before` is what was known of it until now.
    virtual void begin(const engine::ScheduleStep& /*step*/, const Watched& /*before*/) {}
    /// A job ends a stretch, by suspension or completion.
    virtual void end(const engine::ScheduleStep& /*step*/, const Watched& /*job*/) {}

    static void expect(bool holds, double time, std::uint64_t job, const char* problem);
    const engine::BuddyTrees& trees() const { return trees_; }
    /// The tree of a processor, by number.
    std::size_t tree_of(std::uint32_t processor) const;
    /// In order of arrival.
    const std::vector<Watched>& present() const { return present_; }

  private:
    void start(const engine::ScheduleStep& step, Watched& job);
    void stop(const engine::ScheduleStep& step, Watched& job);
    void check_node(const engine::ScheduleStep& step, const Watched& job) const;

    engine::BuddyTrees trees_;
    std::vector<Watched> present_;
};

/// Whether the slice of a row, named by its class, serves a job of a class; `first` is its first
/// processor.
using RowServes = bool (*)(
    const engine::BuddyTrees& trees, std::uint32_t row, std::uint32_t job_class, std::uint32_t first
);

/// Whether a slice of a fixed grid serves a class: the root class has slices of its own, which go
/// to others where it has no job.
inline bool grid_serves(
    const engine::BuddyTrees& trees,
    std::uint32_t row,
    std::uint32_t job_class,
    std::uint32_t /*first*/
) {
    return !trees.is_root(job_class) || row == job_class;
}

std::unique_ptr<engine::ScheduleVerifier> make_gang_verifier(
    const engine::BuddyTrees& trees, RowServes serves, engine::Resumed resumed
);

}  // namespace schedfarm::policies
