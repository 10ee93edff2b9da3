// The course that gang scheduling on a fixed grid of slices takes, whichever jobs it chooses
// (policies/gang/slice_grid.hpp): at the end of a slice whatever runs is suspended, at the start of
// the next the machine is filled, and with mid_slice: refill also at arrivals and completions in
// between. There are no slices while there is no job.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/planning/buddy_trees.hpp"
#include "engine/simulation/kernel/actions.hpp"
#include "engine/simulation/policy.hpp"

#include "policies/gang/gang.hpp"
#include "policies/gang/slice_grid.hpp"

namespace schedfarm::policies {

class GridGang : public engine::Policy {
  public:
    void react(const engine::EventBatch& events, engine::Actions& actions) final;

  protected:
    GridGang(const GangSettings& settings, const engine::BuddyTrees& trees);

    const engine::BuddyTrees& trees() const { return trees_; }
    /// At the slice of now, also while nothing runs in it.
    const SliceGrid& grid() const { return grid_; }

    /// Starts or resumes a job of this size on the first processors of a node; it works when the
    /// switch at the start of the slice is over.
    void run(engine::JobId id, std::uint32_t size, engine::TreeNode at) {
        const engine::ProcessorId first{at.node * trees_.node_size(at.node_class)};
        const engine::ProcessorRange range{first, size};
        change_.start_on(id, {&range, 1}, delay_);
        running_.push_back({id, at});
    }

  private:
    struct Running {
        engine::JobId id;
        engine::TreeNode at;
    };

    virtual void arrive(engine::JobId id, std::uint32_t size, std::uint32_t job_class) = 0;
    virtual void complete(engine::JobId id, engine::TreeNode at) = 0;
    /// A slice starts; every processor is idle.
    virtual void begin(double now) = 0;
    /// Runs jobs on what is idle.
    virtual void fill() = 0;

    void take_events(const engine::EventBatch& events, const engine::Actions& actions);
    void decide(bool slice_is_over, engine::Actions& actions);
    void end_slice();
    void begin_slice(engine::Actions& actions);
    void refill(double now);
    void set_timer(engine::Actions& actions);

    bool refills_;
    engine::BuddyTrees trees_;
    SliceGrid grid_;
    std::vector<Running> running_;
    engine::Switch change_;  // of this instant
    double delay_ = 0;       // of a job that starts now
    std::uint64_t jobs_ = 0;
    bool is_timed_ = false;  // for the end of the slice
};

}  // namespace schedfarm::policies
