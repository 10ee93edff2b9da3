#include "engine/foundation/hash.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include "engine/foundation/cpu_dispatch.hpp"
#if SCHEDFARM_CPU_DISPATCH
#include <immintrin.h>
#endif

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

using State = std::array<std::uint32_t, 8>;

std::uint32_t big_endian_word(const std::byte* bytes) {
    std::uint32_t word = 0;
    for (int i = 0; i < 4; ++i) {
        word = word << 8 | std::to_integer<std::uint32_t>(bytes[i]);
    }
    return word;
}

void compress_by_words(State& state, const std::byte* block) {
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
    State v = state;
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
        state[i] += v[i];
    }
}

#if SCHEDFARM_CPU_DISPATCH
/// The same with the processor's own instructions for it, which do two rounds at a time and keep
/// the state as the words {f, e, b, a} and {h, g, d, c}.
[[gnu::target("sha,sse4.1")]] void compress_by_instructions(State& state, const std::byte* block) {
    const __m128i byte_order = _mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203);
    auto* const words = reinterpret_cast<__m128i*>(state.data());
    const __m128i cdab = _mm_shuffle_epi32(_mm_loadu_si128(words), 0xB1);
    const __m128i efgh = _mm_shuffle_epi32(_mm_loadu_si128(words + 1), 0x1B);
    const __m128i abef = _mm_alignr_epi8(cdab, efgh, 8);
    const __m128i cdgh = _mm_blend_epi16(efgh, cdab, 0xF0);
    __m128i first = abef;
    __m128i second = cdgh;
    __m128i
        w[4]{};  // NOLINT(modernize-avoid-c-arrays): the last sixteen words of the message schedule
    for (std::size_t t = 0; t < 16; ++t) {
        __m128i& now = w[t % 4];
        if (t < 4) {
            now = _mm_shuffle_epi8(
                _mm_loadu_si128(reinterpret_cast<const __m128i*>(block) + t), byte_order
            );
        } else {
            const __m128i before = w[(t + 3) % 4];
            now = _mm_add_epi32(
                _mm_sha256msg1_epu32(now, w[(t + 1) % 4]),
                _mm_alignr_epi8(before, w[(t + 2) % 4], 4)
            );
            now = _mm_sha256msg2_epu32(now, before);
        }
        const auto* const constants = reinterpret_cast<const __m128i*>(round_constants.data()) + t;
        const __m128i sum = _mm_add_epi32(now, _mm_loadu_si128(constants));
        second = _mm_sha256rnds2_epu32(second, first, sum);
        first = _mm_sha256rnds2_epu32(first, second, _mm_shuffle_epi32(sum, 0x0E));
    }
    first = _mm_shuffle_epi32(_mm_add_epi32(first, abef), 0x1B);
    second = _mm_shuffle_epi32(_mm_add_epi32(second, cdgh), 0xB1);
    _mm_storeu_si128(words, _mm_blend_epi16(first, second, 0xF0));
    _mm_storeu_si128(words + 1, _mm_alignr_epi8(second, first, 8));
}

bool has_instructions() {
    return __builtin_cpu_supports("sha") != 0 && __builtin_cpu_supports("sse4.1") != 0;
}
#else
constexpr auto compress_by_instructions = compress_by_words;
bool has_instructions() {
    return false;
}
#endif

void compress(State& state, const std::byte* block) {
    static const bool is_fast = has_instructions();
    (is_fast ? compress_by_instructions : compress_by_words)(state, block);
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
    if (filled == 0) {
        for (; bytes.size() >= block_size; bytes = bytes.subspan(block_size)) {
            compress(state_, bytes.data());
        }
    }
    while (!bytes.empty()) {
        const std::size_t count = std::min(bytes.size(), block_size - filled);
        std::memcpy(buffer_.data() + filled, bytes.data(), count);
        bytes = bytes.subspan(count);
        filled += count;
        if (filled == block_size) {
            compress(state_, buffer_.data());
            filled = 0;
        }
    }
}

void Sha256::add(std::string_view text) {
    add(std::as_bytes(std::span(text)));
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
