#include "engine/simulation/kernel/machine.hpp"

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
    std::fill(busy_.begin(), busy_.end(), 0);
    std::fill(out_of_order_.begin(), out_of_order_.end(), 0);
    free_total_ = processors_;
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
        "Use one of the two throughout."
    );
    use_ = wanted;
}

void Machine::check_free(const ClusterShare& share) const {
    SCHEDFARM_EXPECT(
        share.cluster.value < free_.size() && share.count <= free_[share.cluster.value],
        std::to_string(share.count) + " processors of cluster "
            + std::to_string(share.cluster.value) + " are not free"
    );
}

void Machine::take(std::span<const ClusterShare> shares) {
    use(Use::by_count);
    for (const ClusterShare& share : shares) {
        check_free(share);
        free_[share.cluster.value] -= share.count;
        free_total_ -= share.count;
    }
}

void Machine::give_back(std::span<const ClusterShare> shares) {
    for (const ClusterShare& share : shares) {
        free_[share.cluster.value] += share.count;
        free_total_ += share.count;
    }
}

void Machine::name_free(std::span<const ClusterShare> shares, std::vector<ProcessorRange>& named)
    const {
    named.clear();
    for (const ClusterShare& share : shares) {
        check_free(share);
        const auto of_cluster =
            std::lower_bound(cluster_of_.begin(), cluster_of_.end(), share.cluster.value);
        auto p = static_cast<std::uint32_t>(of_cluster - cluster_of_.begin());
        const std::size_t own = named.size();  // ranges end with their cluster
        for (std::uint32_t left = share.count; left > 0; ++p) {
            if (!is_free(ProcessorId{p})) {
                continue;
            }
            --left;
            if (named.size() > own && named.back().first.value + named.back().count == p) {
                ++named.back().count;
            } else {
                named.push_back({ProcessorId{p}, 1});
            }
        }
    }
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
    use(Use::by_name);
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
        if (!has(p, busy_)) {
            free_[cluster_of_[p]] += down ? -1U : 1U;
            free_total_ += down ? -1U : 1U;
        }
    }
}

}  // namespace schedfarm::engine
