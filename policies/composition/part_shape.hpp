// Where a part lies on the machine that it is a part of. Pure.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/simulation/kernel/machine.hpp"
#include "engine/simulation/system.hpp"

namespace schedfarm::policies {

/// Some processors of each cluster, none of most: the part has the machine's clusters.
class PartShape {
  public:
    /// The machine's processors `first`, first + 1, … of a cluster.
    struct Piece {
        std::uint32_t first = 0;
        std::uint32_t count = 0;
    };

    /// One piece for each cluster, in order.
    explicit PartShape(std::vector<Piece> pieces) : pieces_(std::move(pieces)) {}

    std::uint32_t processors() const;
    /// All of them, as the machine numbers them.
    std::vector<engine::ProcessorRange> all() const;
    /// Of a processor of the machine. REQUIRES: it lies in the part.
    engine::ClusterId cluster_of(engine::ProcessorId outer) const;
    /// How many of these processors of the machine are on each cluster, in their order. REQUIRES:
    /// they lie in the part.
    std::vector<engine::ClusterShare> shares_of(std::span<const engine::ProcessorRange> outer
    ) const;
    /// The part as a machine of its own, with what changes on it.
    engine::SystemDescription system(const engine::SystemDescription& whole) const;
    /// Appends the machine's processors to `out`.
    void add_outer(const engine::ProcessorRange& range, std::vector<engine::ProcessorRange>& out)
        const;
    /// Appends what of the machine's processors lies in the part, as processors of the part.
    void add_inner(const engine::ProcessorRange& range, std::vector<engine::ProcessorRange>& out)
        const;

  private:
    std::vector<Piece> pieces_;
};

/// Cuts parts off a machine, one after the other, each from the front of what is left.
class PartCutter {
  public:
    explicit PartCutter(const engine::SystemDescription& system) : left_(system.clusters) {}

    /// `count` processors, over as many clusters as it takes. REQUIRES: as many are left.
    PartShape processors(std::uint32_t count);
    /// The next `count` clusters, whole. REQUIRES: none was cut into, and as many are left.
    PartShape clusters(std::uint32_t count);

  private:
    std::vector<std::uint32_t> left_;  // by cluster
    std::uint32_t next_ = 0;           // processor
    std::size_t cluster_ = 0;
};

}  // namespace schedfarm::policies
