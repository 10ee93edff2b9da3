// What a backfill pass has planned: windows in time, each with the nodes that nobody has planned
// in it. Slurm's node_space table (sched/backfill, _add_reservation), with its limited length.
#pragma once

#include <cstdint>
#include <vector>

#include "policies/slurm/node_set.hpp"

namespace schedfarm::policies::slurm {

struct Window {
    std::int64_t begin = 0;
    std::int64_t end = 0;
    NodeSet nodes;
};

class Windows {
  public:
    /// One window from `begin` to `end`, both multiples of the resolution.
    Windows(std::int64_t begin, std::int64_t end, std::int64_t resolution, NodeSet nodes)
        : resolution_(resolution), windows_{{begin, end, std::move(nodes)}} {}

    const std::vector<Window>& in_order() const { return windows_; }
    /// Entries of the table; those of joined windows are not used again.
    std::size_t entries() const { return entries_; }

    /// Plans the nodes from `begin` to `end`, for one resolution at least.
    void plan(std::int64_t begin, std::int64_t end, const NodeSet& nodes);

    /// Whether some of the nodes are planned at some time within.
    bool planned(std::int64_t begin, std::int64_t end, const NodeSet& nodes) const;

  private:
    void split(std::size_t k, std::int64_t time);

    std::int64_t resolution_;
    std::vector<Window> windows_;
    std::size_t entries_ = 1;
};

}  // namespace schedfarm::policies::slurm
