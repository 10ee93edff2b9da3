// The simulated machine as the campaign describes it.
#pragma once

#include <cstdint>
#include <numeric>
#include <vector>

namespace schedfarm::engine {

/// Processors first, …, first + count − 1 leave the machine or come back. A busy processor leaves
/// when its job gives it back: nothing that runs is cut.
struct CapacityChange {
    enum class Kind : std::uint8_t { down, up };
    double time = 0;
    std::uint32_t first_processor = 0;
    std::uint32_t count = 0;
    Kind kind = Kind::down;
};

struct SystemDescription {
    std::vector<std::uint32_t> clusters;                ///< processors of each cluster, in order
    double memory_per_processor = 0;                    ///< 0: memory is not modelled
    std::vector<CapacityChange> capacity_changes = {};  ///< in order of time

    std::uint32_t processors() const {
        return std::accumulate(clusters.begin(), clusters.end(), std::uint32_t{0});
    }
};

}  // namespace schedfarm::engine
