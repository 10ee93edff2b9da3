// The processors of the simulated machine: how many of each cluster are free and, for policies that
// name processors, which job holds which. Memory is tracked per processor where it is modelled.
// Cost: O(shares) per allocation by count; O(processors) per allocation by name.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/simulation/job.hpp"
#include "engine/simulation/system.hpp"

namespace schedfarm::engine {

/// `count` interchangeable processors of a cluster.
struct ClusterShare {
    ClusterId cluster;
    std::uint32_t count = 0;
    friend bool operator==(const ClusterShare&, const ClusterShare&) = default;
};

/// Processors first, first + 1, …, first + count − 1.
struct ProcessorRange {
    ProcessorId first;
    std::uint32_t count = 0;
    friend bool operator==(const ProcessorRange&, const ProcessorRange&) = default;
};

/// Free processors by cluster. Policies read it; only the simulator changes it.
class Machine {
  public:
    explicit Machine(const SystemDescription& system);

    std::size_t cluster_count() const { return free_.size(); }
    std::uint32_t processors() const { return processors_; }
    std::uint32_t processors(ClusterId cluster) const { return total_[cluster.value]; }
    std::uint32_t free_processors() const { return free_total_; }
    std::uint32_t free_processors(ClusterId cluster) const { return free_[cluster.value]; }
    std::span<const std::uint32_t> free_by_cluster() const { return free_; }
    /// False for a processor that is held by a job started on named processors or is out of order.
    bool is_free(ProcessorId processor) const;

    /// REQUIRES: enough free processors in every cluster.
    void take(std::span<const ClusterShare> shares);
    void give_back(std::span<const ClusterShare> shares);
    /// REQUIRES: every processor is free. A machine is used by count or by name, not both.
    void take(std::span<const ProcessorRange> processors);
    void give_back(std::span<const ProcessorRange> processors);

    /// Empties the machine.
    void reset();

  private:
    void check_range(const ProcessorRange& range) const;
    void count_range(const ProcessorRange& range, bool taken);

    std::vector<std::uint32_t> total_;
    std::vector<std::uint32_t> free_;
    std::vector<std::uint32_t> first_processor_;  // of each cluster, and one past the last
    std::vector<bool> busy_;                      // by processor; used only by name
    std::uint32_t processors_ = 0;
    std::uint32_t free_total_ = 0;
};

}  // namespace schedfarm::engine
