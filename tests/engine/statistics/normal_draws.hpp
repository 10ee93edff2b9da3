// Independent standard normal values, a pure function of (seed, macro-run, index).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/foundation/elementary.hpp"
#include "engine/random/stream.hpp"

namespace schedfarm::engine {

inline std::vector<double> normal_draws(
    std::uint64_t seed, std::uint32_t macro_run, std::size_t n
) {
    std::vector<std::uint64_t> draws(n);
    Stream(seed, Purpose::service, macro_run).fill_draws(0, draws);
    std::vector<double> values;
    values.reserve(n);
    for (const std::uint64_t draw : draws) {
        values.push_back(normal_quantile(unit_interval(draw)));
    }
    return values;
}

}  // namespace schedfarm::engine
