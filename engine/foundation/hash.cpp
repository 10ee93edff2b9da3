#include "engine/foundation/hash.hpp"

#include <algorithm>
#include <array>
#include <cstring>

namespace schedfarm::engine {

namespace {

/// First 32 bits of the fractional parts of the cube roots of the first 64 primes (4.2.2).
constexpr std::array<std::uint32_t, 64> round_constants{
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

constexpr std::size_t block_size = 64;

std::uint32_t big_endian_word(const std::byte* bytes) {
    std::uint32_t word = 0;
    for (int i = 0; i < 4; ++i) {
        word = word << 8 | std::to_integer<std::uint32_t>(bytes[i]);
    }
    return word;
}

}  // namespace

Sha256::Sha256()
    : state_{
        0x6a09e667,
        0xbb67ae85,
        0x3c6ef372,
        0xa54ff53a,
        0x510e527f,
        0x9b05688c,
        0x1f83d9ab,
        0x5be0cd19} {}

void Sha256::add(std::span<const std::byte> bytes) {
    std::size_t filled = length_ % block_size;
    length_ += bytes.size();
    while (!bytes.empty()) {
        const std::size_t count = std::min(bytes.size(), block_size - filled);
        std::memcpy(buffer_.data() + filled, bytes.data(), count);
        bytes = bytes.subspan(count);
        filled += count;
        if (filled == block_size) {
            compress(buffer_.data());
            filled = 0;
        }
    }
}

void Sha256::add(std::string_view text) {
    add(std::as_bytes(std::span(text)));
}

void Sha256::compress(const std::byte* block) {
    std::array<std::uint32_t, 64> w{};
    for (std::size_t t = 0; t < 16; ++t) {
        w[t] = big_endian_word(block + 4 * t);
    }
    for (std::size_t t = 16; t < 64; ++t) {
        const std::uint32_t s0 =
            std::rotr(w[t - 15], 7) ^ std::rotr(w[t - 15], 18) ^ (w[t - 15] >> 3);
        const std::uint32_t s1 =
            std::rotr(w[t - 2], 17) ^ std::rotr(w[t - 2], 19) ^ (w[t - 2] >> 10);
        w[t] = s1 + w[t - 7] + s0 + w[t - 16];
    }
    std::array<std::uint32_t, 8> v = state_;
    auto& [a, b, c, d, e, f, g, h] = v;  // the names of FIPS 180-4, 6.2.2
    for (std::size_t t = 0; t < 64; ++t) {
        const std::uint32_t sum1 = std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25);
        const std::uint32_t choice = (e & f) ^ (~e & g);
        const std::uint32_t t1 = h + sum1 + choice + round_constants[t] + w[t];
        const std::uint32_t sum0 = std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22);
        const std::uint32_t majority = (a & b) ^ (a & c) ^ (b & c);
        v = {t1 + sum0 + majority, a, b, c, d + t1, e, f, g};
    }
    for (std::size_t i = 0; i < 8; ++i) {
        state_[i] += v[i];
    }
}

std::string Sha256::hex() {
    const std::uint64_t bits = length_ * 8;
    std::array<std::byte, 2 * block_size> padding{std::byte{0x80}};
    const std::size_t filled = length_ % block_size;
    const std::size_t zeros_end = (filled < 56 ? 56 : 120) - filled;
    for (std::size_t i = 0; i < 8; ++i) {
        padding[zeros_end + i] = static_cast<std::byte>(bits >> (56 - 8 * i));
    }
    add(std::span<const std::byte>(padding).first(zeros_end + 8));

    constexpr std::string_view digits = "0123456789abcdef";
    std::string text;
    text.reserve(8 * state_.size());
    for (const std::uint32_t word : state_) {
        for (int shift = 28; shift >= 0; shift -= 4) {
            text += digits[(word >> shift) & 15U];
        }
    }
    return text;
}

std::string sha256_hex(std::string_view text) {
    Sha256 hash;
    hash.add(text);
    return hash.hex();
}

}  // namespace schedfarm::engine
