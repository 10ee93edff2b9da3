// Hashes of what makes a row of a table: its job number or text, and its times.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>

#include "models/trace/reading/number.hpp"
#include "models/trace/tables/table_jobs.hpp"

namespace schedfarm::models::trace {

/// The finaliser of SplitMix64.
inline std::uint64_t row_mixed(std::uint64_t x) {
    x = (x ^ (x >> 30U)) * 0xbf58476d1ce4e5b9U;
    x = (x ^ (x >> 27U)) * 0x94d049bb133111ebU;
    return x ^ (x >> 31U);
}

inline std::uint64_t row_hash_of(std::string_view text) {
    return row_mixed(std::hash<std::string_view>{}(text));
}

/// Job numbers come one after another: eight of them are neighbours in a table of rows seen.
inline std::uint64_t row_hash_of_id(std::string_view id) {
    constexpr std::uint64_t neighbours = 7;
    const auto number = id.front() >= '1' && id.front() <= '9' ? parse_integer(id) : std::nullopt;
    if (!number) {
        return row_hash_of(id);
    }
    const auto n = static_cast<std::uint64_t>(*number);
    return (row_mixed(n / (neighbours + 1)) & ~(neighbours << SeenRows::row_bits))
           | (n & neighbours) << SeenRows::row_bits;
}

}  // namespace schedfarm::models::trace
