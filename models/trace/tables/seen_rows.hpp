// Which jobs of a table and which of their rows have been seen: job numbers that rise, as those of
// sacct do, in a list, all others by hashes, of 64 bits of both. Cost: 16 bytes a row of the list,
// 15 to 30 of the others.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace schedfarm::models::trace {

/// The finaliser of SplitMix64.
inline std::uint64_t row_mixed(std::uint64_t x) {
    x = (x ^ (x >> 30U)) * 0xbf58476d1ce4e5b9U;
    x = (x ^ (x >> 27U)) * 0x94d049bb133111ebU;
    return x ^ (x >> 31U);
}

std::uint64_t row_hash_of(std::string_view text);

class SeenRows {
  public:
    enum class Before : std::uint8_t { nothing, id, row };

    /// What was seen before; all of it is from now on. `row`: a hash of what tells rows of a job
    /// apart. `day`: of the row; jobs more than a year apart are two, whatever their number.
    /// `expected`: how many there will be in all; 0: not known. REQUIRES: an id.
    Before insert(
        std::string_view id, std::uint64_t row, std::size_t expected, std::int32_t day = 0
    );

  private:
    Before insert_hash(std::uint64_t id, std::uint64_t row, std::size_t expected, std::int32_t day);
    void place(std::uint64_t slot, std::uint16_t day);

    struct Numbered {
        std::int64_t number;
        std::uint32_t row;
        std::uint16_t day;
    };
    std::vector<Numbered> rising_;
    std::vector<std::uint64_t> slots_ = std::vector<std::uint64_t>(1024);
    std::vector<std::uint16_t> days_ = std::vector<std::uint16_t>(1024);  ///< of the slots
    std::size_t count_ = 0;
};

}  // namespace schedfarm::models::trace
