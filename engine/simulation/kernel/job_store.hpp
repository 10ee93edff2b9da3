// The jobs in the system, in slots that are used again after a job has left: memory is bounded by
// the largest number of jobs present. Slots live in chunks, so references stay valid while a job is
// in the system; components lie in the chunk too, so that a job costs no allocation.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "engine/foundation/expect.hpp"
#include "engine/simulation/job.hpp"
#include "engine/simulation/kernel/actions.hpp"
#include "engine/simulation/kernel/machine.hpp"

namespace schedfarm::engine {

/// A job and what the simulator knows of its way so far, in three cache lines, of which a switch of
/// jobs touches only the first.
struct alignas(64) JobEntry {
    double remaining = 0;  ///< unless running: service still to be received
    double end = 0;        ///< running: completion; loading: end of the phase
    double held_since = 0;
    double added = 0;           ///< by delays
    std::uint32_t size = 0;     ///< processors held when running
    std::uint32_t version = 0;  ///< of its pending event; never goes back, over all uses of a slot
    std::uint32_t share_count = 0;
    std::uint32_t range_count = 0;  // held by name; else share_count shares are held
    union Only {                    // where there is one
        Only() : range() {}
        ProcessorRange range;
        ClusterShare share;  // unless processors are held by name
    } only;
    JobState state = JobState::finished;
    bool present = false;
    bool has_started = false;
    bool load_is_finished = false;
    bool is_listed = false;  ///< its completion is with those of switched jobs
    std::uint16_t cuts = 0;  ///< how often an outage has cut the job so far

    double first_start = 0;
    Job job;
    struct Several {
        std::vector<ClusterShare> shares;
        std::vector<ProcessorRange> ranges;
    };
    std::unique_ptr<Several> several = {};  // once there were

    /// Required, without delays; moldable: on the processors chosen.
    double service() const {
        return has_started && job.moldable != nullptr ? job.moldable->times[size - 1]
                                                      : job.service_time;
    }
    std::span<const ClusterShare> held_shares() const {
        if (share_count == 1 && range_count == 0) {
            return {&only.share, 1};
        }
        return {share_count == 0 ? nullptr : several->shares.data(), share_count};
    }
    std::span<const ProcessorRange> held_processors() const {
        return {range_count <= 1 ? &only.range : several->ranges.data(), range_count};
    }
    /// With the processors held by name, if any are, already.
    void hold(std::span<const ClusterShare> shares) {
        share_count = static_cast<std::uint32_t>(shares.size());
        if (share_count == 1 && range_count == 0) {
            only.share = shares.front();
        } else {
            make_several().shares.assign(shares.begin(), shares.end());
        }
    }
    void hold(std::span<const ProcessorRange> processors) {
        range_count = static_cast<std::uint32_t>(processors.size());
        if (range_count == 1) {
            only.range = processors.front();
        } else {
            make_several().ranges.assign(processors.begin(), processors.end());
        }
    }

  private:
    Several& make_several() {
        if (several == nullptr) {
            several = std::make_unique<Several>();
        }
        return *several;
    }
};
static_assert(sizeof(JobEntry) <= 192);

class JobStore {
  public:
    explicit JobStore(std::size_t max_components) : max_components_(max_components) {}

    /// Copies a job and its components into a free slot, in the state waiting.
    JobId add(const Job& job);
    /// Frees the slot. REQUIRES: the job is present.
    void remove(JobId id);

    bool contains(JobId id) const { return id.value < slots_ && slot(id).present; }
    /// Throws ContractViolation for a job that is not in the system.
    [[gnu::always_inline]] JobEntry& at(JobId id) {
        SCHEDFARM_EXPECT(contains(id), absent(id));
        return slot(id);
    }
    const JobEntry& at(JobId id) const {
        SCHEDFARM_EXPECT(contains(id), absent(id));
        return slot(id);
    }

    std::size_t size() const { return slots_ - free_.size(); }
    /// Slots ever used; ids are below.
    std::uint32_t slots() const { return slots_; }
    std::uint32_t version(std::uint32_t slot_number) const { return slot({slot_number}).version; }

  private:
    static constexpr std::uint32_t chunk_bits = 6;
    static constexpr std::uint32_t chunk_size = 1U << chunk_bits;

    struct Chunk {
        std::array<JobEntry, chunk_size> entries;
        std::vector<std::uint32_t> components;  // room for max_components each
    };

    JobEntry& slot(JobId id) const {
        return chunks_[id.value >> chunk_bits]->entries[id.value % chunk_size];
    }
    static std::string absent(JobId id);

    std::size_t max_components_;
    std::uint32_t slots_ = 0;
    std::vector<std::unique_ptr<Chunk>> chunks_;
    std::vector<std::uint32_t> free_;
};

}  // namespace schedfarm::engine
