// The changes of capacity of one replication in order of time: what is listed, and the failures and
// repairs of nodes, drawn as time goes on. Outages may overlap; a processor changes when the first
// of its outages begins and when the last ends.
// Cost: O(log outages + processors) per beginning and end; memory O(nodes + listed + processors).
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <queue>
#include <span>
#include <utility>
#include <vector>

#include "engine/random/stream.hpp"
#include "engine/simulation/system.hpp"

namespace schedfarm::engine {

class OutageCalendar {
  public:
    static constexpr double never = std::numeric_limits<double>::infinity();

    /// `random` is that of Purpose::outages: outages are the same under every policy and load.
    OutageCalendar(const SystemDescription& system, const Stream& random);

    /// When processors may change next.
    double next() const { return due_.empty() ? never : due_.top().time; }
    bool is_out(std::uint32_t processor) const {
        return processor < reasons_.size() && reasons_[processor] > 0;
    }
    /// Appends the changes due by `time`, in order of processors; they have this time.
    void take(double time, std::vector<CapacityChange>& changes);

  private:
    /// Outages of the same processors, one after the other: drawn for a node, or as listed.
    struct Source {
        Outage first;
        bool is_drawn = false;
        std::uint64_t seen = 0;  // outages that have begun
        Outage now = {};         // the next, or the one under way
    };
    /// The next beginning or end of a source.
    struct Due {
        double time = 0;
        std::size_t source = 0;
        friend bool operator>(const Due& a, const Due& b) {
            return std::pair(a.time, a.source) > std::pair(b.time, b.source);
        }
    };

    void add_nodes(const SystemDescription& system);
    void plan_next(std::size_t source, double from_when);
    void add_change(std::uint32_t processor, double time, std::vector<CapacityChange>& changes)
        const;

    Stream random_;
    std::vector<Source> sources_;
    std::vector<bool> is_under_way_;  // by source
    std::priority_queue<Due, std::vector<Due>, std::greater<>> due_;
    std::vector<std::uint32_t> reasons_;                   // to be out of order, by processor
    std::vector<std::pair<std::uint32_t, bool>> touched_;  // and whether it was out of order before
};

}  // namespace schedfarm::engine
