// CRC32C (Castagnoli, RFC 3720 appendix B.4), the checksum of journal records.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "engine/foundation/cpu_dispatch.hpp"

namespace schedfarm::engine {

/// Row k: what a byte adds to the checksum when k bytes follow it.
inline constexpr auto crc32c_rows = [] {
    std::array<std::array<std::uint32_t, 256>, 8> rows{};
    for (std::uint32_t byte = 0; byte < 256; ++byte) {
        std::uint32_t crc = byte;
        for (int bit = 0; bit < 8; ++bit) {
            crc = (crc >> 1U) ^ ((crc & 1U) != 0 ? 0x82F63B78U : 0U);
        }
        rows[0][byte] = crc;
    }
    for (std::size_t k = 1; k < rows.size(); ++k) {
        for (std::size_t byte = 0; byte < 256; ++byte) {
            const std::uint32_t before = rows[k - 1][byte];
            rows[k][byte] = (before >> 8U) ^ rows[0][before & 0xFFU];
        }
    }
    return rows;
}();

#if SCHEDFARM_CPU_DISPATCH
/// By the processor's own instruction for it.
[[gnu::target("sse4.2")]] inline std::uint32_t crc32c_by_instruction(
    std::span<const std::byte> bytes
) {
    std::uint64_t crc = ~std::uint32_t{0};
    for (; bytes.size() >= 8; bytes = bytes.subspan(8)) {
        std::uint64_t word = 0;
        std::memcpy(&word, bytes.data(), 8);
        crc = __builtin_ia32_crc32di(crc, word);
    }
    auto rest = static_cast<std::uint32_t>(crc);
    for (const std::byte byte : bytes) {
        rest = __builtin_ia32_crc32qi(rest, std::to_integer<std::uint8_t>(byte));
    }
    return ~rest;
}
#endif

/// Eight bytes at a time.
inline std::uint32_t crc32c(std::span<const std::byte> bytes) {
#if SCHEDFARM_CPU_DISPATCH
    static const bool has_instruction = __builtin_cpu_supports("sse4.2") != 0;
    if (has_instruction) {
        return crc32c_by_instruction(bytes);
    }
#endif
    static_assert(std::endian::native == std::endian::little);
    std::uint32_t crc = ~std::uint32_t{0};
    for (; bytes.size() >= 8; bytes = bytes.subspan(8)) {
        std::uint64_t word = 0;
        std::memcpy(&word, bytes.data(), 8);
        word ^= crc;
        crc = 0;
        for (std::size_t k = 0; k < 8; ++k) {
            crc ^= crc32c_rows[7 - k][word >> (8 * k) & 0xFFU];
        }
    }
    for (const std::byte byte : bytes) {
        crc = (crc >> 8U) ^ crc32c_rows[0][(crc ^ std::to_integer<std::uint32_t>(byte)) & 0xFFU];
    }
    return ~crc;
}

}  // namespace schedfarm::engine
