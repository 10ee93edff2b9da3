// The processors of the simulated machine: how many of each cluster are free and, where processors
// are named, which are. A machine is used by count or by name, not both; the first take() decides.
// By name processors may go out of order: they are neither free nor can they be taken; a busy one
// leaves when it is given back.
// Cost: O(shares) per allocation by count; O(processors / 64) per allocation by name.
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
    /// False for a processor that is held by a job or out of order.
    /// REQUIRES: the machine is used by name.
    bool is_free(ProcessorId processor) const;

    /// REQUIRES: enough free processors in every cluster.
    void take(std::span<const ClusterShare> shares);
    void give_back(std::span<const ClusterShare> shares);
    /// REQUIRES: every processor is free.
    void take(std::span<const ProcessorRange> processors) {
        use(Use::by_name);
        for (const ProcessorRange& range : processors) {
            check_range(range.first, range.count);
            std::uint64_t& busy = busy_[range.first.value / word_bits];
            const std::uint64_t bits = bits_of(range);
            if (bits == 0 || (busy & bits) != 0 || !is_plain_) {
                take(range);
                continue;
            }
            busy |= bits;
            free_.front() -= range.count;
            free_total_ -= range.count;
        }
    }
    void give_back(std::span<const ProcessorRange> processors) {
        for (const ProcessorRange& range : processors) {
            const std::uint64_t bits = bits_of(range);
            if (bits == 0 || !is_plain_) {
                give_back(range);
                continue;
            }
            busy_[range.first.value / word_bits] &= ~bits;
            free_.front() += range.count;
            free_total_ += range.count;
        }
    }

    /// Names, in place of what is in `named`, as many processors of each cluster as the shares say:
    /// the free ones with the lowest numbers. REQUIRES: used by name, and as many are free.
    void name_free(std::span<const ClusterShare> shares, std::vector<ProcessorRange>& named) const;

    /// Takes processors out of order, or puts them back in order; the machine is used by name then.
    /// REQUIRES: all are in that state's opposite.
    void change_capacity(const CapacityChange& change);

    /// Empties the machine and puts every processor in order.
    void reset();

  private:
    enum class Use : std::uint8_t { undecided, by_count, by_name };

    static constexpr std::uint32_t word_bits = 64;

    /// Of the processors within their word; 0 where they are in several.
    static std::uint64_t bits_of(const ProcessorRange& range) {
        const std::uint32_t bit = range.first.value % word_bits;
        return range.count - 1 >= word_bits - bit
                   ? 0
                   : (~std::uint64_t{0} >> (word_bits - range.count)) << bit;
    }
    void take(const ProcessorRange& range);
    void give_back(const ProcessorRange& range);
    void use(Use wanted) {
        if (use_ != wanted) [[unlikely]] {
            decide_use(wanted);
        }
    }
    void decide_use(Use wanted);
    void check_range(ProcessorId first, std::uint32_t count) const {
        if (first.value >= processors_ || count > processors_ - first.value) [[unlikely]] {
            refuse_range(first, count);
        }
    }
    [[noreturn]] void refuse_range(ProcessorId first, std::uint32_t count) const;
    void check_free(const ClusterShare& share) const;
    void take_one(std::uint32_t processor);

    std::vector<std::uint32_t> total_;
    std::vector<std::uint32_t> free_;
    std::vector<std::uint32_t> cluster_of_;    // by processor
    std::vector<std::uint64_t> busy_;          // a bit per processor; used only by name
    std::vector<std::uint64_t> out_of_order_;  // a bit per processor
    std::uint32_t processors_ = 0;
    std::uint32_t free_total_ = 0;
    bool is_plain_;  // one cluster, whose processors have always been in order
    Use use_ = Use::undecided;
};

}  // namespace schedfarm::engine
