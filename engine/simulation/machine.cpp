#include "engine/simulation/machine.hpp"

#include <algorithm>
#include <string>

#include "engine/foundation/expect.hpp"

namespace schedfarm::engine {

namespace {

using Flags = std::vector<bool>;  // by processor

bool has_any(const ProcessorRange& range, const Flags& flags) {
    const auto begin = flags.begin() + static_cast<std::ptrdiff_t>(range.first.value);
    const auto end = begin + static_cast<std::ptrdiff_t>(range.count);
    return std::find(begin, end, true) != end;
}

void set_all(const ProcessorRange& range, Flags& flags, bool value) {
    std::fill_n(flags.begin() + static_cast<std::ptrdiff_t>(range.first.value), range.count, value);
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
    , busy_(system.processors(), false)
    , out_of_order_(system.processors(), false)
    , processors_(system.processors())
    , free_total_(processors_) {
    for (std::uint32_t cluster = 0; cluster < total_.size(); ++cluster) {
        cluster_of_.insert(cluster_of_.end(), total_[cluster], cluster);
    }
}

void Machine::reset() {
    free_ = total_;
    std::fill(leaving_.begin(), leaving_.end(), 0);
    std::fill(busy_.begin(), busy_.end(), false);
    std::fill(out_of_order_.begin(), out_of_order_.end(), false);
    free_total_ = processors_;
    leaving_total_ = 0;
    use_ = Use::undecided;
}

bool Machine::is_free(ProcessorId processor) const {
    SCHEDFARM_EXPECT(
        use_ != Use::by_count,
        "processor " + std::to_string(processor.value)
            + " was asked for by name (this machine is used by count)"
    );
    check_range(processor, 1);
    return !busy_[processor.value] && !out_of_order_[processor.value];
}

void Machine::use(Use wanted) {
    SCHEDFARM_EXPECT(
        use_ == wanted || use_ == Use::undecided,
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

void Machine::check_range(ProcessorId first, std::uint32_t count) const {
    SCHEDFARM_EXPECT(
        first.value < processors_ && count <= processors_ - first.value,
        "processors " + std::to_string(first.value) + " + " + std::to_string(count)
            + " reach beyond the machine's " + std::to_string(processors_)
    );
}

void Machine::take(std::span<const ProcessorRange> processors) {
    use(Use::by_name);
    for (const ProcessorRange& range : processors) {
        check_range(range.first, range.count);
        if (is_in_one(range, cluster_of_) && !has_any(range, busy_)
            && !has_any(range, out_of_order_)) {
            set_all(range, busy_, true);
            free_[cluster_of_[range.first.value]] -= range.count;
            free_total_ -= range.count;
            continue;
        }
        for (std::uint32_t p = range.first.value; p < range.first.value + range.count; ++p) {
            take_one(p);
        }
    }
}

void Machine::take_one(std::uint32_t processor) {
    SCHEDFARM_EXPECT(
        !busy_[processor] && !out_of_order_[processor],
        "processor " + std::to_string(processor) + " is not free"
    );
    busy_[processor] = true;
    --free_[cluster_of_[processor]];
    --free_total_;
}

void Machine::give_back(std::span<const ProcessorRange> processors) {
    for (const ProcessorRange& range : processors) {
        set_all(range, busy_, false);
        if (is_in_one(range, cluster_of_) && !has_any(range, out_of_order_)) {
            free_[cluster_of_[range.first.value]] += range.count;
            free_total_ += range.count;
            continue;
        }
        for (std::uint32_t p = range.first.value; p < range.first.value + range.count; ++p) {
            if (!out_of_order_[p]) {
                ++free_[cluster_of_[p]];
                ++free_total_;
            }
        }
    }
}

void Machine::change_capacity(const CapacityChange& change) {
    check_range(ProcessorId{change.first_processor}, change.count);
    const bool down = change.kind == CapacityChange::Kind::down;
    for (std::uint32_t p = change.first_processor; p < change.first_processor + change.count; ++p) {
        SCHEDFARM_EXPECT(
            out_of_order_[p] != down,
            "processor " + std::to_string(p) + " is already " + (down ? "out of order" : "in order")
        );
        out_of_order_[p] = down;
        const std::uint32_t cluster = cluster_of_[p];
        if (use_ == Use::by_count && down) {
            ++leaving_[cluster];
            ++leaving_total_;
            absorb(cluster);
        } else if (use_ == Use::by_count && leaving_[cluster] > 0) {
            --leaving_[cluster];
            --leaving_total_;
        } else if (!busy_[p]) {
            free_[cluster] += down ? -1U : 1U;
            free_total_ += down ? -1U : 1U;
        }
    }
}

}  // namespace schedfarm::engine
