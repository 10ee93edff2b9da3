// Each 64-bit lane of a vector holds one word of one block in its lower half; what is in the upper
// half never matters, because the 32×32-bit multiplication ignores it. The reference is Random123.
#include "engine/random/philox_batch.hpp"

#include <array>
#include <bit>
#include <cstring>

#include "engine/foundation/vector_intrinsics.hpp"

namespace schedfarm::engine {

static_assert(std::endian::native == std::endian::little, "the layout of words is little-endian");

namespace {

constexpr int rounds = 10;
constexpr std::uint64_t multiplier_0 = 0xD2511F53U;
constexpr std::uint64_t multiplier_1 = 0xCD9E8D57U;
constexpr std::uint32_t weyl_0 = 0x9E3779B9U;  // the key's step from round to round
constexpr std::uint32_t weyl_1 = 0xBB67AE85U;

/// The two halves of the key in one round.
struct RoundKey {
    explicit RoundKey(std::uint64_t seed)
        : low(static_cast<std::uint32_t>(seed)), high(static_cast<std::uint32_t>(seed >> 32)) {}

    void advance() {
        low += weyl_0;
        high += weyl_1;
    }

    std::uint32_t low;
    std::uint32_t high;
};

SCHEDFARM_ANY_PROCESSOR void write_batches(
    PhiloxStream stream, std::uint64_t first_block, std::size_t batches, std::byte* out
) {
    for (std::size_t i = 0; i < batches * philox_batch_blocks; ++i) {
        const std::uint64_t block = first_block + i;
        std::uint64_t x0 = block;
        std::uint64_t x1 = block >> 32;
        std::uint64_t x2 = stream.replication;
        std::uint64_t x3 = stream.purpose;
        RoundKey key(stream.seed);
        for (int round = 0; round < rounds; ++round) {
            const std::uint64_t product_0 = (x0 & 0xffffffffU) * multiplier_0;
            const std::uint64_t product_1 = (x2 & 0xffffffffU) * multiplier_1;
            x0 = (product_1 >> 32) ^ x1 ^ key.low;
            x1 = product_1;
            x2 = (product_0 >> 32) ^ x3 ^ key.high;
            x3 = product_0;
            key.advance();
        }
        const std::array<std::uint64_t, 2> draws{
            (x0 & 0xffffffffU) | (x1 << 32), (x2 & 0xffffffffU) | (x3 << 32)};
        std::memcpy(out + 16 * i, draws.data(), sizeof draws);
    }
}

#if SCHEDFARM_CPU_DISPATCH

SCHEDFARM_AVX2 void write_batches(
    PhiloxStream stream, std::uint64_t first_block, std::size_t batches, std::byte* out
) {
    const __m256i lanes = _mm256_set_epi64x(3, 2, 1, 0);
    const __m256i factor_0 = _mm256_set1_epi64x(static_cast<long long>(multiplier_0));
    const __m256i factor_1 = _mm256_set1_epi64x(static_cast<long long>(multiplier_1));
    for (std::size_t i = 0; i < batches * philox_batch_blocks; i += 4, out += 64) {
        const auto block = static_cast<std::int64_t>(first_block + i);
        __m256i x0 = _mm256_add_epi64(_mm256_set1_epi64x(block), lanes);
        __m256i x1 = _mm256_srli_epi64(x0, 32);
        __m256i x2 = _mm256_set1_epi64x(stream.replication);
        __m256i x3 = _mm256_set1_epi64x(stream.purpose);
        RoundKey key(stream.seed);
        for (int round = 0; round < rounds; ++round) {
            const __m256i product_0 = _mm256_mul_epu32(x0, factor_0);
            const __m256i product_1 = _mm256_mul_epu32(x2, factor_1);
            x0 = _mm256_xor_si256(x1, _mm256_set1_epi64x(key.low));
            x0 = _mm256_xor_si256(x0, _mm256_srli_epi64(product_1, 32));
            x1 = product_1;
            x2 = _mm256_xor_si256(x3, _mm256_set1_epi64x(key.high));
            x2 = _mm256_xor_si256(x2, _mm256_srli_epi64(product_0, 32));
            x3 = product_0;
            key.advance();
        }
        // Draws of the blocks (0, 1, 2, 3): first halves, second halves, then interleaved.
        const __m256i first = _mm256_blend_epi32(x0, _mm256_slli_epi64(x1, 32), 0xAA);
        const __m256i second = _mm256_blend_epi32(x2, _mm256_slli_epi64(x3, 32), 0xAA);
        const __m256i even = _mm256_unpacklo_epi64(first, second);  // blocks 0 and 2
        const __m256i odd = _mm256_unpackhi_epi64(first, second);   // blocks 1 and 3
        auto* target = reinterpret_cast<__m256i*>(out);
        _mm256_storeu_si256(target, _mm256_permute2x128_si256(even, odd, 0x20));
        _mm256_storeu_si256(target + 1, _mm256_permute2x128_si256(even, odd, 0x31));
    }
}

SCHEDFARM_AVX512 void write_batches(
    PhiloxStream stream, std::uint64_t first_block, std::size_t batches, std::byte* out
) {
    const __m512i lanes = _mm512_set_epi64(7, 6, 5, 4, 3, 2, 1, 0);
    const __m512i factor_0 = _mm512_set1_epi64(static_cast<long long>(multiplier_0));
    const __m512i factor_1 = _mm512_set1_epi64(static_cast<long long>(multiplier_1));
    const __m512i lower_blocks = _mm512_set_epi64(11, 3, 10, 2, 9, 1, 8, 0);
    const __m512i upper_blocks = _mm512_set_epi64(15, 7, 14, 6, 13, 5, 12, 4);
    for (std::size_t i = 0; i < batches * philox_batch_blocks; i += 8, out += 128) {
        const auto block = static_cast<std::int64_t>(first_block + i);
        __m512i x0 = _mm512_add_epi64(_mm512_set1_epi64(block), lanes);
        __m512i x1 = _mm512_srli_epi64(x0, 32);
        __m512i x2 = _mm512_set1_epi64(stream.replication);
        __m512i x3 = _mm512_set1_epi64(stream.purpose);
        RoundKey key(stream.seed);
        for (int round = 0; round < rounds; ++round) {
            const __m512i product_0 = _mm512_mul_epu32(x0, factor_0);
            const __m512i product_1 = _mm512_mul_epu32(x2, factor_1);
            x0 = _mm512_xor_si512(x1, _mm512_set1_epi64(key.low));
            x0 = _mm512_xor_si512(x0, _mm512_srli_epi64(product_1, 32));
            x1 = product_1;
            x2 = _mm512_xor_si512(x3, _mm512_set1_epi64(key.high));
            x2 = _mm512_xor_si512(x2, _mm512_srli_epi64(product_0, 32));
            x3 = product_0;
            key.advance();
        }
        const __m512i draws_0 = _mm512_mask_mov_epi32(x0, 0xAAAA, _mm512_slli_epi64(x1, 32));
        const __m512i draws_1 = _mm512_mask_mov_epi32(x2, 0xAAAA, _mm512_slli_epi64(x3, 32));
        _mm512_storeu_si512(out, _mm512_permutex2var_epi64(draws_0, lower_blocks, draws_1));
        _mm512_storeu_si512(out + 64, _mm512_permutex2var_epi64(draws_0, upper_blocks, draws_1));
    }
}

#endif

}  // namespace

void write_philox_batches(
    PhiloxStream stream, std::uint64_t first_block, std::size_t batches, std::byte* out
) {
    write_batches(stream, first_block, batches, out);
}

}  // namespace schedfarm::engine
