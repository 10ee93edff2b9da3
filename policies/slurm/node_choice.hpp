// Which nodes a job gets: cons_tres of Slurm 22.05 (select/cons_tres/job_test.c, _eval_nodes), and
// what of each node is free.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "policies/slurm/jobs.hpp"

namespace schedfarm::policies::slurm {

/// The request for some of the nodes that it wants.
Request of_nodes(Request request, std::uint32_t nodes, std::uint32_t cpus);

/// What of each node is free.
class FreeNodes {
  public:
    /// All of it. The nodes outlive it.
    explicit FreeNodes(const std::vector<Node>& nodes);

    void take(const Holding& holding);
    void give(const Holding& holding);

    /// Nodes on which nothing runs.
    const NodeSet& idle() const { return idle_; }

    /// Those of which something is free.
    NodeSet partly_free() const;

    /// CPUs that a node offers a job; 0: the job cannot run on it.
    std::uint32_t offer(std::size_t node, const Request& request) const;

    /// Whether every job has its nodes whole.
    bool is_whole() const { return shared_nodes_ == 0; }

    /// The nodes that the job gets of the candidates: free nodes form runs of neighbours of one
    /// weight; the run that suffices with the fewest CPUs is taken, else the largest and then the
    /// best for what is left. Nothing where they do not suffice. Cost: O(nodes), of whole nodes of
    /// one kind O(nodes / 64 + runs).
    std::optional<Holding> choose(const Request& request, const NodeSet& candidates) const;
    /// The same whatever features it asks for.
    std::optional<Holding> choose_any(const Request& request, const NodeSet& candidates) const;

    /// The same of whole nodes that are all idle; REQUIRES: nodes of one kind.
    std::optional<Holding> choose_idle(const Request& request, const NodeSet& idle) const;
    /// Whether all nodes have as much of everything and the same weight, and whole ones are wanted.
    bool serves_idle(const Request& request) const {
        return request.whole_nodes && are_alike_ && request.wanted_nodes <= request.nodes;
    }
    /// How many of them a job of whole nodes needs.
    std::uint32_t nodes_for(const Request& request) const;

  private:
    std::optional<Holding> choose_counted(const Request& request, const NodeSet& candidates) const;
    static std::uint32_t idle_offer(const Node& node, const Request& request);
    void count_cpus(const Holding& holding, int sign);
    std::uint32_t left_by_partition(std::size_t node, std::uint32_t free, const Request& request)
        const;
    Share share(std::size_t node, std::uint32_t cpus, const Request& request) const;

    const std::vector<Node>& nodes_;
    NodeSet idle_;
    std::vector<Share> free_;
    std::vector<std::uint32_t> jobs_;  ///< on each node that is shared
    std::size_t shared_nodes_ = 0;
    /// Of each node, of partitions with a limit on that.
    std::map<std::uint32_t, std::vector<std::uint32_t>> used_by_partition_;
    bool are_alike_ = true;  ///< the nodes
};

}  // namespace schedfarm::policies::slurm
