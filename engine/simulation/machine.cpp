#include "engine/simulation/machine.hpp"

#include <algorithm>
#include <string>

#include "engine/foundation/expect.hpp"

namespace schedfarm::engine {

namespace {

using Flags = std::vector<std::uint64_t>;  // a bit per processor

constexpr std::uint32_t word_bits = 64;

std::size_t words_of(std::uint32_t processors) {
    return processors / word_bits + 1;
}

bool has(std::uint32_t processor, const Flags& flags) {
    return ((flags[processor / word_bits] >> (processor % word_bits)) & 1U) != 0;
}

/// Calls `action` with every word that holds processors of the range, and their bits in it.
template <typename Words, typename Action>
void for_words(const ProcessorRange& range, Words& words, Action action) {
    const std::uint32_t end = range.first.value + range.count;
    for (std::uint32_t at = range.first.value; at < end;) {
        const std::uint32_t bit = at % word_bits;
        const std::uint32_t bits = std::min(word_bits - bit, end - at);
        action(words[at / word_bits], (~std::uint64_t{0} >> (word_bits - bits)) << bit);
        at += bits;
    }
}

bool has_any(const ProcessorRange& range, const Flags& flags) {
    std::uint64_t found = 0;
    for_words(range, flags, [&found](std::uint64_t word, std::uint64_t bits) {
        found |= word & bits;
    });
    return found != 0;
}

void set_all(const ProcessorRange& range, Flags& flags) {
    for_words(range, flags, [](std::uint64_t& word, std::uint64_t bits) { word |= bits; });
}

void clear_all(const ProcessorRange& range, Flags& flags) {
    for_words(range, flags, [](std::uint64_t& word, std::uint64_t bits) { word &= ~bits; });
}

bool is_in_one(const ProcessorRange& range, const std::vector<std::uint32_t>& cluster_of) {
    return range.count > 0
           && cluster_of[range.first.value] == cluster_of[range.first.value + range.count - 1];
}

}  // namespace

Machine::Machine(const SystemDescription& system)
    : total_(system.clusters)
    , free_(system.clusters)
    , leaving_(system.clusters.size(), 0)
    , busy_(words_of(system.processors()), 0)
    , out_of_order_(words_of(system.processors()), 0)
    , processors_(system.processors())
    , free_total_(processors_)
    , is_plain_(free_.size() == 1) {
    for (std::uint32_t cluster = 0; cluster < total_.size(); ++cluster) {
        cluster_of_.insert(cluster_of_.end(), total_[cluster], cluster);
    }
}

void Machine::reset() {
    free_ = total_;
    std::fill(leaving_.begin(), leaving_.end(), 0);
    std::fill(busy_.begin(), busy_.end(), 0);
    std::fill(out_of_order_.begin(), out_of_order_.end(), 0);
    free_total_ = processors_;
    leaving_total_ = 0;
    is_plain_ = free_.size() == 1;
    use_ = Use::undecided;
}

bool Machine::is_free(ProcessorId processor) const {
    SCHEDFARM_EXPECT(
        use_ != Use::by_count,
        "processor " + std::to_string(processor.value)
            + " was asked for by name (this machine is used by count)"
    );
    check_range(processor, 1);
    return !has(processor.value, busy_) && !has(processor.value, out_of_order_);
}

void Machine::decide_use(Use wanted) {
    SCHEDFARM_EXPECT(
        use_ == Use::undecided,
        "processors were taken both by count and by name (which ones are free is then unknown). "
        "Use one of the two throughout?"
    );
    use_ = wanted;
}

void Machine::take(std::span<const ClusterShare> shares) {
    use(Use::by_count);
    for (const ClusterShare& share : shares) {
        SCHEDFARM_EXPECT(
            share.cluster.value < free_.size() && share.count <= free_[share.cluster.value],
            std::to_string(share.count) + " processors of cluster "
                + std::to_string(share.cluster.value) + " are not free"
        );
        free_[share.cluster.value] -= share.count;
        free_total_ -= share.count;
    }
}

void Machine::give_back(std::span<const ClusterShare> shares) {
    for (const ClusterShare& share : shares) {
        free_[share.cluster.value] += share.count;
        free_total_ += share.count;
        if (leaving_total_ != 0) {
            absorb(share.cluster.value);
        }
    }
}

// Lets free processors of a cluster go out of order as far as some are still to leave.
void Machine::absorb(std::uint32_t cluster) {
    const std::uint32_t now = std::min(free_[cluster], leaving_[cluster]);
    free_[cluster] -= now;
    free_total_ -= now;
    leaving_[cluster] -= now;
    leaving_total_ -= now;
}

void Machine::refuse_range(ProcessorId first, std::uint32_t count) const {
    SCHEDFARM_EXPECT(
        false,
        "processors " + std::to_string(first.value) + " + " + std::to_string(count)
            + " reach beyond the machine's " + std::to_string(processors_)
    );
}

void Machine::take(const ProcessorRange& range) {
    if (is_in_one(range, cluster_of_) && !has_any(range, busy_) && !has_any(range, out_of_order_)) {
        set_all(range, busy_);
        free_[cluster_of_[range.first.value]] -= range.count;
        free_total_ -= range.count;
        return;
    }
    for (std::uint32_t p = range.first.value; p < range.first.value + range.count; ++p) {
        take_one(p);
    }
}

void Machine::take_one(std::uint32_t processor) {
    SCHEDFARM_EXPECT(
        !has(processor, busy_) && !has(processor, out_of_order_),
        "processor " + std::to_string(processor) + " is not free"
    );
    set_all({ProcessorId{processor}, 1}, busy_);
    --free_[cluster_of_[processor]];
    --free_total_;
}

void Machine::give_back(const ProcessorRange& range) {
    clear_all(range, busy_);
    if (is_in_one(range, cluster_of_) && !has_any(range, out_of_order_)) {
        free_[cluster_of_[range.first.value]] += range.count;
        free_total_ += range.count;
        return;
    }
    for (std::uint32_t p = range.first.value; p < range.first.value + range.count; ++p) {
        if (!has(p, out_of_order_)) {
            ++free_[cluster_of_[p]];
            ++free_total_;
        }
    }
}

void Machine::change_capacity(const CapacityChange& change) {
    check_range(ProcessorId{change.first_processor}, change.count);
    is_plain_ = false;
    const bool down = change.kind == CapacityChange::Kind::down;
    for (std::uint32_t p = change.first_processor; p < change.first_processor + change.count; ++p) {
        SCHEDFARM_EXPECT(
            has(p, out_of_order_) != down,
            "processor " + std::to_string(p) + " is already " + (down ? "out of order" : "in order")
        );
        if (down) {
            set_all({ProcessorId{p}, 1}, out_of_order_);
        } else {
            clear_all({ProcessorId{p}, 1}, out_of_order_);
        }
        const std::uint32_t cluster = cluster_of_[p];
        if (use_ == Use::by_count && down) {
            ++leaving_[cluster];
            ++leaving_total_;
            absorb(cluster);
        } else if (use_ == Use::by_count && leaving_[cluster] > 0) {
            --leaving_[cluster];
            --leaving_total_;
        } else if (!has(p, busy_)) {
            free_[cluster] += down ? -1U : 1U;
            free_total_ += down ? -1U : 1U;
        }
    }
}

}  // namespace schedfarm::engine
