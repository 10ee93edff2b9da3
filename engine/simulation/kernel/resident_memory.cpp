#include "engine/simulation/kernel/resident_memory.hpp"

#include <fmt/format.h>

#include "engine/foundation/expect.hpp"

namespace schedfarm::engine {

namespace {

constexpr double rounding = 1e-12;  // of sums, as of verifiers

}  // namespace

ResidentMemory::ResidentMemory(std::uint32_t processors, double capacity_per_processor)
    : capacity_(capacity_per_processor), by_processor_(processors) {}

void ResidentMemory::set(JobId id, const ProcessorRange& range, double amount_per_processor) {
    SCHEDFARM_EXPECT(capacity_ > 0, "resident memory was set on a system without memory");
    SCHEDFARM_EXPECT(amount_per_processor >= 0, "resident memory was set below 0");
    SCHEDFARM_EXPECT(
        range.first.value < by_processor_.size()
            && range.count <= by_processor_.size() - range.first.value,
        "resident memory was set beyond the machine's processors"
    );
    for (std::uint32_t i = 0; i < range.count; ++i) {
        set(id, range.first.value + i, amount_per_processor);
    }
}

void ResidentMemory::set(JobId id, std::uint32_t processor, double amount) {
    std::vector<Share>& shares = by_processor_[processor];
    const bool was_there =
        std::erase_if(shares, [id](const Share& share) { return share.id == id; }) > 0;
    double resident = amount;
    for (const Share& share : shares) {
        resident += share.amount;
    }
    SCHEDFARM_EXPECT(
        resident <= capacity_ * (1 + rounding),
        fmt::format(
            "processor {} holds {} of memory, more than its {}", processor, resident, capacity_
        )
    );
    shares.push_back({.id = id, .amount = amount});
    if (by_job_.size() <= id.value) {
        by_job_.resize(id.value + std::size_t{1});
    }
    if (!was_there) {
        by_job_[id.value].push_back(processor);
    }
}

void ResidentMemory::release(JobId id) {
    if (id.value >= by_job_.size()) {
        return;
    }
    for (const std::uint32_t processor : by_job_[id.value]) {
        std::erase_if(by_processor_[processor], [id](const Share& share) {
            return share.id == id;
        });
    }
    by_job_[id.value].clear();
}

}  // namespace schedfarm::engine
