// A set of processors of one machine, a bit for each; a value. Cost: O(processors / 64) for what
// looks at a whole set.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/simulation/kernel/machine.hpp"

namespace schedfarm::engine {

class ProcessorSet {
  public:
    explicit ProcessorSet(std::uint32_t processors)
        : words_((processors + word_bits - 1) / word_bits, 0) {}

    bool contains(std::uint32_t processor) const {
        return (words_[processor / word_bits] >> (processor % word_bits) & 1U) != 0;
    }
    void insert(std::uint32_t processor) {
        words_[processor / word_bits] |= std::uint64_t{1} << (processor % word_bits);
    }
    std::uint32_t count() const {
        int sum = 0;
        for (const std::uint64_t word : words_) {
            sum += std::popcount(word);
        }
        return static_cast<std::uint32_t>(sum);
    }

    /// Processors 0 … processors − 1.
    void insert_all(std::uint32_t processors) {
        for (std::uint32_t first = 0; first < processors; first += word_bits) {
            const std::uint32_t left = processors - first;
            words_[first / word_bits] =
                left >= word_bits ? ~std::uint64_t{0} : (std::uint64_t{1} << left) - 1;
        }
    }

    /// REQUIRES of these: sets over the same machine.
    bool contains(const ProcessorSet& other) const {
        std::uint64_t missing = 0;
        for (std::size_t i = 0; i < words_.size(); ++i) {
            missing |= other.words_[i] & ~words_[i];
        }
        return missing == 0;
    }
    bool meets(const ProcessorSet& other) const {
        std::uint64_t common = 0;
        for (std::size_t i = 0; i < words_.size(); ++i) {
            common |= words_[i] & other.words_[i];
        }
        return common != 0;
    }
    /// Of those that are not in `other`.
    std::uint32_t count_without(const ProcessorSet& other) const {
        int sum = 0;
        for (std::size_t i = 0; i < words_.size(); ++i) {
            sum += std::popcount(words_[i] & ~other.words_[i]);
        }
        return static_cast<std::uint32_t>(sum);
    }
    void insert(const ProcessorSet& other) {
        for (std::size_t i = 0; i < words_.size(); ++i) {
            words_[i] |= other.words_[i];
        }
    }
    void erase(const ProcessorSet& other) {
        for (std::size_t i = 0; i < words_.size(); ++i) {
            words_[i] &= ~other.words_[i];
        }
    }
    /// Calls `take(processor)` of each, the lowest first.
    template <typename Function>
    void for_each(Function take) const {
        for (std::size_t i = 0; i < words_.size(); ++i) {
            for (std::uint64_t word = words_[i]; word != 0; word &= word - 1) {
                take(
                    static_cast<std::uint32_t>(i * word_bits)
                    + static_cast<std::uint32_t>(std::countr_zero(word))
                );
            }
        }
    }
    std::vector<ProcessorRange> ranges() const {
        std::vector<ProcessorRange> found;
        for_each([&found](std::uint32_t p) {
            if (found.empty() || found.back().first.value + found.back().count != p) {
                found.push_back({ProcessorId{p}, 0});
            }
            ++found.back().count;
        });
        return found;
    }
    void clear() { std::fill(words_.begin(), words_.end(), std::uint64_t{0}); }

  private:
    static constexpr std::uint32_t word_bits = 64;

    std::vector<std::uint64_t> words_;
};

}  // namespace schedfarm::engine
