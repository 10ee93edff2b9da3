#include "policies/gang/slot_matrix.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "engine/foundation/expect.hpp"

namespace schedfarm::policies {

using namespace engine;  // NOLINT(google-build-using-namespace)

namespace {

void add_to_ranges(std::uint32_t processor, std::vector<ProcessorRange>& ranges) {
    if (!ranges.empty() && ranges.back().first.value + ranges.back().count == processor) {
        ++ranges.back().count;
    } else {
        ranges.push_back({ProcessorId{processor}, 1});
    }
}

}  // namespace

SlotMatrix::SlotMatrix(BuddyTrees trees, const PackingRule& rule)
    : trees_(std::move(trees)), rule_(rule) {}

std::optional<std::uint32_t> SlotMatrix::idle_node(const Slot& slot, std::uint32_t node_class)
    const {
    const std::uint32_t size = trees_.node_size(node_class);
    if (slot.idle < size) {
        return {};
    }
    for (std::uint32_t node = 0; node < trees_.node_count(node_class); ++node) {
        std::uint32_t idle = 0;
        while (idle < size && !slot.used.contains(node * size + idle)) {
            ++idle;
        }
        if (idle == size) {
            return node;
        }
    }
    return {};
}

bool SlotMatrix::has_room(const Slot& slot, std::uint32_t size) const {
    return rule_.packing == Packing::buddy ? idle_node(slot, BuddyTrees::class_of(size)).has_value()
                                           : slot.idle >= size;
}

SlotMatrix::Slot* SlotMatrix::chosen_slot(std::uint32_t size) {
    Slot* chosen = nullptr;
    for (Slot& slot : slots_) {
        if (has_room(slot, size) && (chosen == nullptr || slot.idle < chosen->idle)) {
            chosen = &slot;
            if (rule_.packing != Packing::best_fit) {
                break;
            }
        }
    }
    return chosen;
}

SlotMatrix::Entry SlotMatrix::node_in(const Slot& slot, JobId id, std::uint32_t size) const {
    const std::uint32_t node_class = BuddyTrees::class_of(size);
    const std::uint32_t first = *idle_node(slot, node_class) * trees_.node_size(node_class);
    Entry entry{id, ProcessorSet(trees_.processors()), {{ProcessorId{first}, size}}};
    for (std::uint32_t i = 0; i < trees_.node_size(node_class); ++i) {
        entry.columns.insert(first + i);
    }
    return entry;
}

SlotMatrix::Entry SlotMatrix::entry_in(const Slot& slot, JobId id, std::uint32_t size) const {
    if (rule_.packing == Packing::buddy) {
        return node_in(slot, id, size);
    }
    Entry entry{id, ProcessorSet(trees_.processors()), {}};
    const std::uint32_t processors = trees_.processors();
    const bool from_right = rule_.packing == Packing::left_right && size > rule_.largest_small;
    // From the right: passes over all idle processors but the last ones.
    std::uint32_t left_out = from_right ? slot.idle - size : 0;
    for (std::uint32_t processor = 0; processor < processors && size > 0; ++processor) {
        if (slot.used.contains(processor)) {
            continue;
        }
        if (left_out > 0) {
            --left_out;
            continue;
        }
        entry.columns.insert(processor);
        add_to_ranges(processor, entry.ranges);
        --size;
    }
    return entry;
}

bool SlotMatrix::place(JobId id, std::uint32_t size) {
    Slot* slot = chosen_slot(size);
    if (slot == nullptr) {
        if (rule_.most_slots > 0 && slots_.size() >= rule_.most_slots) {
            return false;
        }
        const std::uint32_t processors = trees_.processors();
        slot = &slots_.emplace_back(Slot{next_number_++, processors, ProcessorSet(processors), {}});
    }
    slot->entries.push_back(entry_in(*slot, id, size));
    const Entry& entry = slot->entries.back();
    slot->used.insert(entry.columns);
    slot->idle -= entry.columns.count();
    return true;
}

void SlotMatrix::remove(JobId id) {
    for (auto slot = slots_.begin(); slot != slots_.end(); ++slot) {
        const auto entry =
            std::find_if(slot->entries.begin(), slot->entries.end(), [id](const Entry& one) {
                return one.id == id;
            });
        if (entry != slot->entries.end()) {
            slot->used.erase(entry->columns);
            slot->idle += entry->columns.count();
            slot->entries.erase(entry);
            if (slot->entries.empty()) {
                slots_.erase(slot);
            }
            return;
        }
    }
    SCHEDFARM_EXPECT(false, "a job was removed that is in no slot");
}

bool SlotMatrix::unify_once(std::uint64_t& turn) {
    for (auto to = slots_.begin(); to != slots_.end(); ++to) {
        for (auto from = to + 1; from != slots_.end(); ++from) {
            if (to->used.meets(from->used)) {
                continue;
            }
            to->used.insert(from->used);
            to->idle -= trees_.processors() - from->idle;
            std::move(from->entries.begin(), from->entries.end(), std::back_inserter(to->entries));
            turn = turn == from->number ? to->number : turn;
            slots_.erase(from);
            return true;
        }
    }
    return false;
}

void SlotMatrix::unify(std::uint64_t& turn) {
    while (unify_once(turn)) {
    }
}

}  // namespace schedfarm::policies
