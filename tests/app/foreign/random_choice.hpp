// Choices that a seed determines.
#pragma once

#include <cstdint>
#include <random>

namespace schedfarm::tests {

class RandomChoice {
  public:
    explicit RandomChoice(std::uint64_t seed) : generator_(seed + 1) {}

    std::uint64_t bits() { return generator_(); }
    /// A number below `count`; 0 where there is none.
    std::size_t below(std::size_t count) { return count == 0 ? 0 : generator_() % count; }
    /// One in `count` times.
    bool once_in(std::size_t count) { return below(count) == 0; }
    template <typename Container>
    auto& of(Container& container) {
        return container[below(container.size())];
    }

  private:
    std::mt19937_64 generator_;
};

}  // namespace schedfarm::tests
