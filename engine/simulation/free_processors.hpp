// Which processors are free, one bit each, for those who hand out the lowest-numbered ones.
// Cost: O(processors / 64 + ranges) to take, O(range / 64) to give back.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/foundation/expect.hpp"
#include "engine/simulation/machine.hpp"

namespace schedfarm::engine {

class FreeProcessors {
  public:
    explicit FreeProcessors(std::uint32_t processors) : words_(processors / word_bits + 1) {
        give_back({.first = {0}, .count = processors});
    }

    void give_back(const ProcessorRange& range) {
        mark(range, State::free);
        lowest_ = std::min(lowest_, range.first.value / word_bits);
    }

    /// Takes the lowest `count` and appends them to `ranges`.
    void take(std::uint32_t count, std::vector<ProcessorRange>& ranges) {
        const std::size_t begin = ranges.size();
        while (count > 0) {
            while (lowest_ < words_.size() && words_[lowest_] == 0) {
                ++lowest_;
            }
            SCHEDFARM_EXPECT(lowest_ < words_.size(), "more processors are held than there are");
            const std::uint64_t word = words_[lowest_];
            const auto bit = static_cast<std::uint32_t>(std::countr_zero(word));
            const auto run = static_cast<std::uint32_t>(std::countr_one(word >> bit));
            const ProcessorRange range{
                .first = {lowest_ * word_bits + bit}, .count = std::min(run, count)};
            mark(range, State::held);
            count -= range.count;
            append(range, begin, ranges);
        }
    }

  private:
    enum class State : std::uint8_t { free, held };
    static constexpr std::uint32_t word_bits = 64;

    static void append(
        const ProcessorRange& range, std::size_t begin, std::vector<ProcessorRange>& ranges
    ) {
        if (ranges.size() > begin
            && ranges.back().first.value + ranges.back().count == range.first.value) {
            ranges.back().count += range.count;
        } else {
            ranges.push_back(range);
        }
    }

    void mark(const ProcessorRange& range, State state) {
        const std::uint32_t end = range.first.value + range.count;
        for (std::uint32_t at = range.first.value; at < end;) {
            const std::uint32_t bit = at % word_bits;
            const std::uint32_t bits = std::min(word_bits - bit, end - at);
            const std::uint64_t mask = (~std::uint64_t{0} >> (word_bits - bits)) << bit;
            std::uint64_t& word = words_[at / word_bits];
            word = state == State::free ? word | mask : word & ~mask;
            at += bits;
        }
    }

    std::vector<std::uint64_t> words_;
    std::uint32_t lowest_ = 0;  // no word below has a free processor
};

}  // namespace schedfarm::engine
