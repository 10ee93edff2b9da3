// Places the components of a rigid job on free processors, cluster by cluster (Bucur & Epema 2000,
// sections 2.2 and 2.3). Pure: the answer depends on the request, the free processors and the rule.
//
//   total      any processors; the rule makes no difference, clusters are used in order.
//   ordered    component i on cluster i; the rule makes no difference.
//   unordered  components in decreasing order, each on a cluster of its own: First Fit takes the
//              lowest-numbered unused cluster with enough free processors, Best Fit the one with
//              the fewest, Worst Fit the one with the most; ties: lowest number.
//   grouped    the largest component left goes to an unused cluster with enough free processors,
//              and the rest in decreasing order follow it there as far as they fit; the cluster is
//              the one that takes the most components so, ties as the rule says; and so on until
//              none is left. First Fit Decreasing: each component, in decreasing order, goes to the
//              lowest-numbered cluster with enough processors left. (Of unordered requests the two
//              First Fits are one.)
//
// For total, ordered and unordered requests the answer is exact: the job is placed if and only if
// it fits at all (unordered: the i-th largest component needs i clusters that can hold it). Grouped
// requests are a bin-packing problem; the greedy answer is the definition. Either places every job
// that fits as an unordered one, and every job that fits on one cluster.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "engine/simulation/job.hpp"
#include "engine/simulation/kernel/machine.hpp"

namespace schedfarm::engine {

enum class PlacementRule : std::uint8_t { first_fit, best_fit, worst_fit, first_fit_decreasing };

class Placer {
  public:
    explicit Placer(PlacementRule rule) : rule_(rule) {}

    /// Where the job goes: one share per cluster used, in a buffer that the next call overwrites;
    /// empty: it does not fit. `free[c]` are the free processors of cluster c.
    /// REQUIRES: the job has at least one processor. Cost: O(components × clusters), grouped
    /// O(components × clusters²); no allocation once the largest job and system were seen.
    std::span<const ClusterShare> place(const Job& job, std::span<const std::uint32_t> free);

  private:
    bool place_total(std::uint32_t size, std::span<const std::uint32_t> free);
    bool place_ordered(const Job& job, std::span<const std::uint32_t> free);
    bool place_unordered(const Job& job, std::span<const std::uint32_t> free);
    bool place_grouped(const Job& job, std::span<const std::uint32_t> free);
    bool place_decreasing(const Job& job, std::span<const std::uint32_t> free);

    void sort_components(const Job& job);
    void rank_clusters(std::span<const std::uint32_t> free);
    std::uint64_t rank(std::size_t cluster, std::uint32_t free) const;
    std::size_t joined_by(std::uint32_t free) const;

    PlacementRule rule_;
    std::vector<ClusterShare> shares_;
    std::vector<std::uint32_t> components_;  // still to be placed, decreasing
    std::vector<std::uint32_t> room_;        // by cluster; 0 once used, if used once only
    std::vector<std::uint64_t> ranks_;       // by cluster
};

}  // namespace schedfarm::engine
