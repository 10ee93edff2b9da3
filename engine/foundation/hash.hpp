// Hashes: SHA-256 for identities that are stored (payload, plan, replication keys), a 64-bit mixer
// for fingerprints of schedules.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace schedfarm::engine {

/// SHA-256 (FIPS 180-4) of a sequence of pieces.
class Sha256 {
  public:
    Sha256();
    void add(std::span<const std::byte> bytes);
    void add(std::string_view text);
    /// 64 hexadecimal digits; the object is spent.
    std::string hex();

  private:
    std::array<std::uint32_t, 8> state_;
    std::array<std::byte, 64> buffer_{};
    std::uint64_t length_ = 0;
};

std::string sha256_hex(std::string_view text);

/// A bijection of 64-bit words in which every input bit changes about half the output bits
/// (Stafford's Mix13 of MurmurHash3's finalizer).
constexpr std::uint64_t mix(std::uint64_t x) {
    x ^= x >> 30;
    x *= 0xbf58476d1ce4e5b9U;
    x ^= x >> 27;
    x *= 0x94d049bb133111ebU;
    x ^= x >> 31;
    return x;
}

/// Hash of one job's schedule; summed over jobs modulo 2^64 it fingerprints a replication whatever
/// the order in which jobs are added.
constexpr std::uint64_t schedule_hash(std::uint64_t index, double start, double finish) {
    const std::uint64_t a = mix(index + 0x9e3779b97f4a7c15U);
    const std::uint64_t b = mix(a ^ std::bit_cast<std::uint64_t>(start));
    return mix(b ^ std::bit_cast<std::uint64_t>(finish));
}

}  // namespace schedfarm::engine
