// Philox4x32-10 (Salmon et al., Parallel random numbers: as easy as 1, 2, 3, SC 2011) on many
// consecutive counters at once, in integer vector instructions; same words as Random123's
// philox4x32. About 0.4 ns per word with AVX-512, 0.8 ns with AVX2, 2 ns otherwise. Which way
// is taken depends on the processor and changes no word. For stream.cpp and its tests.
#pragma once

#include <cstddef>
#include <cstdint>

namespace schedfarm::engine {

/// Blocks in a batch, the unit of the kernels; a block is four words.
inline constexpr std::size_t philox_batch_blocks = 16;
inline constexpr std::size_t philox_batch_words = 4 * philox_batch_blocks;

/// Everything of key and counter but the number of the block (see stream.hpp).
struct PhiloxStream {
    std::uint64_t seed;
    std::uint32_t replication;
    std::uint32_t purpose;
};

/// Writes batches · 16 blocks from `first_block` on, 16 bytes each, words in little-endian order;
/// `out` needs no alignment.
void write_philox_batches(
    PhiloxStream stream, std::uint64_t first_block, std::size_t batches, std::byte* out
);

}  // namespace schedfarm::engine
