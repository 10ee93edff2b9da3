// The simulated machine as the campaign describes it.
#pragma once

#include <cstdint>
#include <numeric>
#include <vector>

namespace schedfarm::engine {

struct SystemDescription {
    std::vector<std::uint32_t> clusters;  ///< processors of each cluster, in order
    double memory_per_processor = 0;      ///< 0: memory is not modelled

    std::uint32_t processors() const {
        return std::accumulate(clusters.begin(), clusters.end(), std::uint32_t{0});
    }
};

}  // namespace schedfarm::engine
