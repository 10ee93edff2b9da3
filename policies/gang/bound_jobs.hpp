// The jobs of gang scheduling without migration: a job waits in the queue of its class until it is
// bound to a free node of the trees, and stays on it until it completes; meanwhile it runs or is
// suspended as the slices want. A node has at most one job of its class; nodes of several classes
// overlap, and jobs that are bound to them run at other times.
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "engine/foundation/parameters.hpp"
#include "engine/planning/buddy_trees.hpp"
#include "engine/simulation/switch.hpp"

#include "policies/gang/gang.hpp"

namespace schedfarm::policies {

/// Which free node a queued job is bound to: the leftmost, or the one in whose subtree the fewest
/// jobs are bound (Wang, Papaefthymiou & Squillante 1997, section 3).
enum class NodeAssignment : std::uint8_t { first_fit, weight };

std::vector<engine::ParameterDescription> bound_gang_parameters();
NodeAssignment node_assignment(const engine::Parameters& given);

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

}  // namespace schedfarm::policies
