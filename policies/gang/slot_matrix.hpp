// The matrix of gang scheduling after Ousterhout (1982): a row is a slot of time, a column a
// processor, and a cell belongs to one job at most. A job has its columns in one slot and keeps
// them; it changes its slot only when two slots are unified. The packing schemes are those of
// Feitelson (1996).
//
// A slot appears when a job finds no room in the others and vanishes with its last job. Slots stand
// in the order in which they appeared; a number that is never given twice names each.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "engine/planning/buddy_trees.hpp"
#include "engine/planning/processor_set.hpp"
#include "engine/simulation/job.hpp"
#include "engine/simulation/kernel/machine.hpp"

namespace schedfarm::policies {

/// Which slot and which of its idle processors a job gets.
enum class Packing : std::uint8_t {
    first_fit,   ///< the first slot with enough; the lowest-numbered
    best_fit,    ///< the slot with the fewest that suffice, ties first; the lowest-numbered
    left_right,  ///< the first slot with enough; small jobs the lowest, large ones the highest
    buddy,       ///< the first slot with an idle node of the job's class; the leftmost, whole
};

struct PackingRule {
    Packing packing = Packing::first_fit;
    std::uint32_t largest_small = 16;  ///< processors of a small job, for left_right
    std::uint32_t most_slots = 0;      ///< 0: as many as are needed
};

class SlotMatrix {
  public:
    struct Entry {
        engine::JobId id;
        engine::ProcessorSet columns;                ///< buddy: of the whole node
        std::vector<engine::ProcessorRange> ranges;  ///< on which the job runs
    };
    struct Slot {
        std::uint64_t number = 0;
        std::uint32_t idle = 0;  ///< columns
        engine::ProcessorSet used;
        std::vector<Entry> entries;
    };

    SlotMatrix(engine::BuddyTrees trees, const PackingRule& rule);

    const std::vector<Slot>& slots() const { return slots_; }

    /// False: no slot has room, and there are as many as may be. REQUIRES: 1 ≤ size ≤ processors.
    /// Cost: O(slots · processors / 64), for buddy O(slots · nodes of the class).
    [[nodiscard]] bool place(engine::JobId id, std::uint32_t size);
    /// REQUIRES: the job is placed.
    void remove(engine::JobId id);
    /// Moves the jobs of a slot to an earlier one in which their columns are idle, the first such
    /// pair of slots first, until there is none. `turn`, the number of a slot, follows its jobs.
    void unify(std::uint64_t& turn);

  private:
    bool has_room(const Slot& slot, std::uint32_t size) const;
    std::optional<std::uint32_t> idle_node(const Slot& slot, std::uint32_t node_class) const;
    Slot* chosen_slot(std::uint32_t size);
    Entry entry_in(const Slot& slot, engine::JobId id, std::uint32_t size) const;
    Entry node_in(const Slot& slot, engine::JobId id, std::uint32_t size) const;
    bool unify_once(std::uint64_t& turn);

    engine::BuddyTrees trees_;
    PackingRule rule_;
    std::uint64_t next_number_ = 1;
    std::vector<Slot> slots_;
};

}  // namespace schedfarm::policies
