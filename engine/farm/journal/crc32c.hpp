// CRC32C (Castagnoli, RFC 3720 appendix B.4), the checksum of journal records.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include <boost/crc.hpp>

namespace schedfarm::engine {

inline std::uint32_t crc32c(std::span<const std::byte> bytes) {
    boost::crc_optimal<32, 0x1EDC6F41, 0xFFFFFFFF, 0xFFFFFFFF, true, true> crc;
    crc.process_bytes(bytes.data(), bytes.size());
    return crc.checksum();
}

}  // namespace schedfarm::engine
