// A set of processors of one machine, a bit for each; a value. Cost: O(processors / 64) for what
// looks at a whole set.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace schedfarm::policies {

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

    /// REQUIRES of these three: sets over the same machine.
    bool meets(const ProcessorSet& other) const {
        std::uint64_t common = 0;
        for (std::size_t i = 0; i < words_.size(); ++i) {
            common |= words_[i] & other.words_[i];
        }
        return common != 0;
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
    void clear() { std::fill(words_.begin(), words_.end(), std::uint64_t{0}); }

  private:
    static constexpr std::uint32_t word_bits = 64;

    std::vector<std::uint64_t> words_;
};

}  // namespace schedfarm::policies
