// Which nodes a job gets that starts (Esbaugh 2010, sections 3.4 and 4.2). Between equals the node
// of the lowest number.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/planning/processor_set.hpp"

namespace schedfarm::policies {

enum class Allocator : std::uint8_t {
    first_free,    ///< the lowest numbers
    intelligent,   ///< those on which the fewest jobs of other types have started
    memory_aware,  ///< those on which the memory of all jobs suffices, or soon does
};

/// Of nodes with room: that with the least, with the most, or of the lowest number.
enum class MemoryFit : std::uint8_t { best, worst, first };

struct NodeRule {
    Allocator allocator = Allocator::first_free;
    MemoryFit first_stage = MemoryFit::best;
    MemoryFit second_stage = MemoryFit::worst;
    bool as_printed = false;  ///< with the slips of the thesis's listing (appendix B)
};

/// A job that has started and is to go on on its nodes.
struct BoundJob {
    const engine::ProcessorSet* nodes = nullptr;
    std::size_t type = 0;
    double memory = 0;  ///< on each of them
    double left = 0;    ///< time to run
};

/// The job that starts, and where it may.
struct NodeWish {
    const engine::ProcessorSet& candidates;
    std::uint32_t size = 0;  ///< at most so many as there are
    std::size_t type = 0;
    double memory = 0;
};

class NodeChoice {
  public:
    /// `capacity`: memory of a node; 0: as if jobs needed none.
    NodeChoice(NodeRule rule, std::uint32_t nodes, double capacity)
        : rule_(rule), nodes_(nodes), capacity_(capacity), by_node_(nodes) {}

    /// Cost: O(nodes · log nodes + nodes of the bound jobs).
    engine::ProcessorSet choose(const NodeWish& job, const std::vector<BoundJob>& bound);

  private:
    struct Candidate {
        std::uint32_t node = 0;
        double key = 0;  ///< the least is taken first
    };

    void sort();
    void rank_by_neighbours(const NodeWish& job);
    void rank_by_memory(const NodeWish& job);
    void rank_by_fit(std::vector<std::uint32_t>& nodes, MemoryFit fit);
    double time_until_fit(std::uint32_t node, double memory);
    double assigned(std::uint32_t node) const;

    NodeRule rule_;
    std::uint32_t nodes_;
    double capacity_;
    std::vector<std::vector<BoundJob>> by_node_;
    std::vector<Candidate> ranked_;
    std::vector<std::uint32_t> chosen_;  // in order of choice
    std::vector<std::uint32_t> fitting_;
    std::vector<std::uint32_t> rest_;
    std::vector<BoundJob> leaving_;
};

}  // namespace schedfarm::policies
