// What the gang scheduling policies without migration share: the jobs, settings and quanta that
// they keep, and most of their description.
//
// A job waits in the queue of its class until it is bound to a free node of the trees, and stays on
// it until it completes; meanwhile it runs or is suspended as the slices want. A node has at most
// one job of its class; nodes of several classes overlap, and jobs that are bound to them run at
// other times.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <span>
#include <vector>

#include "engine/foundation/parameters.hpp"
#include "engine/planning/buddy_trees.hpp"
#include "engine/simulation/kernel/actions.hpp"
#include "engine/simulation/kernel/switch.hpp"
#include "engine/simulation/policy.hpp"

#include "policies/gang/gang.hpp"

namespace schedfarm::policies {

/// Which free node a queued job is bound to: the leftmost, or the one in whose subtree the fewest
/// jobs are bound (Wang, Papaefthymiou & Squillante 1997, section 3).
enum class NodeAssignment : std::uint8_t { first_fit, weight };

class BoundJobs {
  public:
    BoundJobs(const engine::BuddyTrees& trees, NodeAssignment assignment);

    void arrive(engine::JobId id, std::uint32_t job_class, std::uint32_t size);
    /// REQUIRES: the job arrived and has not left.
    void leave(engine::JobId id);

    /// Jobs of the class in the system.
    std::uint32_t present(std::uint32_t job_class) const { return present_[job_class]; }
    /// Whether a job is bound to these nodes, or one waits and a node is not bound.
    bool has_work(const SlicePart& part) const;
    /// Runs the bound jobs whose processors are all idle, then queued jobs, first come first
    /// served, on nodes that are neither bound nor busy. Each works after `delay`.
    void serve(const SlicePart& part, double delay, engine::Switch& change);
    /// Suspends what runs on these nodes.
    void suspend(const SlicePart& part, engine::Switch& change);
    /// Whether a job runs on one of these nodes.
    bool has_running(const SlicePart& part) const;

  private:
    struct Bound {
        engine::JobId id;
        engine::ProcessorRange processors;
    };
    struct Place {
        std::uint32_t job_class = 0;
        std::uint32_t node = 0;
        std::uint32_t size = 0;  // of the job
    };

    bool has_unbound(const SlicePart& part) const;
    void bind(engine::JobId id, std::uint32_t job_class, std::uint32_t node);
    void run(std::uint32_t job_class, std::uint32_t node, double delay, engine::Switch& change);

    engine::BuddyTrees trees_;
    NodeAssignment assignment_;
    engine::BuddyNodes nodes_;
    std::vector<std::deque<engine::JobId>> queues_;  // by class
    std::vector<Place> places_;                      // by slot of the job
    std::vector<std::vector<Bound>> at_;             // by class and node
    engine::NodeSet running_;                        // nodes whose job runs
    std::vector<std::uint32_t> present_;             // by class
    std::vector<std::uint32_t> active_;              // by class: that run
};

/// Where a rotation goes on that had nothing to serve: after the slice that it served last, or at
/// the beginning of a cycle.
enum class AfterEmpty : std::uint8_t { next, top };

struct BoundGangSettings {
    GangSettings gang = {};
    NodeAssignment assignment = NodeAssignment::first_fit;
    AfterEmpty after_empty = AfterEmpty::next;
};

BoundGangSettings bound_gang_settings(const engine::Parameters& given);

class BoundGang : public engine::Policy {
  public:
    BoundGang(const BoundGangSettings& settings, const engine::BuddyTrees& trees)
        : settings_(settings)
        , trees_(trees)
        , quanta_(settings.gang, trees)
        , jobs_(trees, settings.assignment) {}

    void react(const engine::EventBatch& events, engine::Actions& actions) final;

  protected:
    /// Serves and suspends jobs, which is carried out afterwards; completions are taken out of the
    /// jobs already and arrivals into them.
    virtual void decide(std::span<const engine::Timer> timers, engine::Actions& actions) = 0;

    BoundGangSettings settings_;
    engine::BuddyTrees trees_;
    GangQuanta quanta_;
    BoundJobs jobs_;
    engine::Switch change_;  // of this instant
};

/// All but the policy's texts, its factory and its verifier.
engine::PolicyDescription bound_gang_description();

/// The same with a factory; `Gang` is made from settings and trees.
template <typename Gang>
engine::PolicyDescription bound_gang_description() {
    engine::PolicyDescription description = bound_gang_description();
    description.make = [](const engine::Parameters& given, const engine::PolicyContext& context) {
        return std::make_unique<Gang>(
            bound_gang_settings(given), engine::BuddyTrees(context.system.processors())
        );
    };
    return description;
}

}  // namespace schedfarm::policies
