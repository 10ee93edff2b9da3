#include "engine/random/stream.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include <Random123/philox.h>

#include "engine/random/mrg32k3a.hpp"
#include "engine/random/philox_batch.hpp"

namespace schedfarm::engine {

namespace {

constexpr unsigned log2_purpose_steps = 127;
constexpr unsigned log2_replication_steps = 76;

}  // namespace

void Stream::fill_bytes(std::uint64_t first_word, std::byte* out, std::size_t words) const {
    if (generator_ == Generator::mrg32k3a) {
        fill_mrg32k3a(first_word, out, words);
    } else {
        fill_philox(first_word, out, words);
    }
}

void Stream::fill_mrg32k3a(std::uint64_t first_word, std::byte* out, std::size_t words) const {
    Mrg32k3aState state = mrg32k3a_seeded(seed_);
    state = mrg32k3a_advanced(state, purpose_, log2_purpose_steps);
    state = mrg32k3a_advanced(state, replication_, log2_replication_steps);
    state = mrg32k3a_advanced(state, first_word, 0);
    mrg32k3a_fill(state, out, words);
}

// Whole batches go straight to `out`; the ends, and everything that begins inside a block, go
// through a batch on the stack.
void Stream::fill_philox(std::uint64_t first_word, std::byte* out, std::size_t words) const {
    constexpr std::size_t word_size = sizeof(std::uint32_t);
    const PhiloxStream stream{.seed = seed_, .replication = replication_, .purpose = purpose_};
    while (words > 0) {
        const std::uint64_t block = first_word / 4;
        const std::size_t offset = first_word % 4;
        std::size_t done = 0;
        if (offset == 0 && words >= philox_batch_words) {
            const std::size_t batches = words / philox_batch_words;
            write_philox_batches(stream, block, batches, out);
            done = batches * philox_batch_words;
        } else {
            std::array<std::byte, philox_batch_words * word_size> batch;  // NOLINT: all written
            write_philox_batches(stream, block, 1, batch.data());
            done = std::min(words, philox_batch_words - offset);
            std::memcpy(out, batch.data() + offset * word_size, done * word_size);
        }
        first_word += done;
        out += done * word_size;
        words -= done;
    }
}

void Stream::fill_words(std::uint64_t first, std::span<std::uint32_t> out) const {
    fill_bytes(first, reinterpret_cast<std::byte*>(out.data()), out.size());
}

void Stream::fill_draws(std::uint64_t first, std::span<std::uint64_t> out) const {
    fill_bytes(2 * first, reinterpret_cast<std::byte*>(out.data()), 2 * out.size());
}

std::uint64_t Stream::draw(std::uint64_t index) const {
    if (generator_ == Generator::mrg32k3a) {
        std::uint64_t value = 0;
        fill_draws(index, std::span(&value, 1));
        return value;
    }
    const std::uint64_t block = index / 2;
    const r123::Philox4x32::ctr_type counter{
        {static_cast<std::uint32_t>(block),
         static_cast<std::uint32_t>(block >> 32),
         replication_,
         purpose_}};
    const r123::Philox4x32::key_type key{
        {static_cast<std::uint32_t>(seed_), static_cast<std::uint32_t>(seed_ >> 32)}};
    const r123::Philox4x32::ctr_type words = r123::Philox4x32()(counter, key);
    const std::size_t low = 2 * (index % 2);
    return words[low] | std::uint64_t{words[low + 1]} << 32;
}

}  // namespace schedfarm::engine
