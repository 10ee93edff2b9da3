// Random choices of tests: numbers that depend on nothing but the seed and the number of calls.
#pragma once

#include <cstdint>

#include "engine/foundation/hash.hpp"

namespace schedfarm::tests {

class Dice {
  public:
    explicit Dice(std::uint64_t seed) : state_(engine::mix(seed + 1)) {}
    /// REQUIRES: 0 < n <= 2^32.
    std::uint32_t below(std::uint64_t n) {
        state_ = engine::mix(state_ + 0x9e3779b97f4a7c15U);
        return static_cast<std::uint32_t>((state_ >> 32) % n);
    }

  private:
    std::uint64_t state_;
};

}  // namespace schedfarm::tests
