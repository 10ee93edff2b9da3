// What a backfill pass has planned: windows in time, each with the nodes that nobody has planned
// in it. Slurm's node_space table (sched/backfill, _add_reservation), with its limited length.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "policies/slurm/node_set.hpp"

namespace schedfarm::policies::slurm {

struct Window {
    std::int64_t begin = 0;
    std::int64_t end = 0;
    NodeSet nodes;
    std::size_t count = 0;  ///< of the nodes
    bool rises = false;     ///< the next window offers a node that this one does not
};

class Windows {
  public:
    /// One window from `begin` to `end`, both multiples of the resolution.
    Windows(std::int64_t begin, std::int64_t end, std::int64_t resolution, NodeSet nodes)
        : resolution_(resolution)
        , planned_from_(nodes.size(), never)
        , windows_{{begin, end, nodes, nodes.count()}} {}

    /// Entries of the table; those of joined windows are not used again.
    std::size_t entries() const { return entries_; }

    /// Plans the nodes from `begin` to `end`, for one resolution at least.
    void plan(std::int64_t begin, std::int64_t end, const NodeSet& nodes);

    /// Whether some of the nodes are planned at some time within.
    bool planned(std::int64_t begin, std::int64_t end, const NodeSet& nodes) const;

    /// The place of the first window that ends after that time, looked for from a place on.
    std::size_t first_that_ends_after(std::int64_t time, std::size_t first = 0) const;

    /// Whether so many of the nodes as needed are planned by nobody from the first of the windows
    /// to a time: then these are left of them, else some.
    bool keep_open(NodeSet& nodes, std::size_t first, std::int64_t until, std::size_t needed) const;

    /// The end of the first window from that place on whose successor offers one of the nodes that
    /// it does not itself, looked for until one window begins after `until`; 0: there is none.
    std::int64_t later(const NodeSet& nodes, std::size_t first, std::int64_t until) const;

    /// The end of the second window that begins after `until`, unless it is the last; 0 then. Since
    /// 24.11 the next try where `later` knows none.
    std::int64_t behind(std::int64_t until) const;

    /// When the first plan on the node begins; `never`: there is none.
    std::int64_t planned_from(std::size_t node) const { return planned_from_[node]; }
    static constexpr std::int64_t never = std::numeric_limits<std::int64_t>::max();

  private:
    void split(std::size_t k, std::int64_t time);

    std::int64_t resolution_;
    std::vector<std::int64_t> planned_from_;  ///< of each node
    std::vector<Window> windows_;
    std::size_t entries_ = 1;
};

}  // namespace schedfarm::policies::slurm
