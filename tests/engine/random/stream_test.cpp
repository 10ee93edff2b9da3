#include "engine/random/stream.hpp"

#include <cstring>
#include <vector>

#include <Random123/philox.h>
#include <doctest/doctest.h>

#include "engine/foundation/hash.hpp"
#include "engine/random/philox_batch.hpp"

namespace schedfarm::engine {

namespace {

using Words = std::vector<std::uint32_t>;

/// The layout of stream.hpp, word by word, with Random123's own generator.
std::uint32_t reference_word(PhiloxStream stream, std::uint64_t block, std::size_t word) {
    const r123::Philox4x32::ctr_type counter{
        {static_cast<std::uint32_t>(block),
         static_cast<std::uint32_t>(block >> 32),
         stream.replication,
         stream.purpose}};
    const r123::Philox4x32::key_type key{
        {static_cast<std::uint32_t>(stream.seed), static_cast<std::uint32_t>(stream.seed >> 32)}};
    return r123::Philox4x32()(counter, key)[word];
}

Words batch_words(PhiloxStream stream, std::uint64_t block, std::size_t n) {
    std::vector<std::byte> bytes(n * philox_batch_words * 4);
    write_philox_batches(stream, block, n, bytes.data());
    Words words(n * philox_batch_words);
    std::memcpy(words.data(), bytes.data(), bytes.size());
    return words;
}

}  // namespace

TEST_CASE("batches pass the known answer test of Random123") {
    // kat_vectors of Random123: philox4x32 10, counter (4 words), key (2 words), result (4 words).
    struct Vector {
        std::uint64_t block;
        PhiloxStream stream;
        Words expected;
    };
    const std::vector<Vector> vectors{
        {0, {0, 0, 0}, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
        {0xffffffffffffffff,
         {0xffffffffffffffff, 0xffffffff, 0xffffffff},
         {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
        {0x85a308d3243f6a88,
         {0x299f31d0a4093822, 0x13198a2e, 0x03707344},
         {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}},
    };
    for (const Vector& vector : vectors) {
        Words words = batch_words(vector.stream, vector.block, 1);
        words.resize(4);
        CHECK(words == vector.expected);
    }
}

TEST_CASE("batches agree with Random123 on random counters and keys") {
    std::uint64_t state = 0;
    const auto next = [&] {
        return mix(++state);
    };
    for (int round = 0; round < 300; ++round) {
        const PhiloxStream stream{
            next(), static_cast<std::uint32_t>(next()), static_cast<std::uint32_t>(next())};
        // Every other round crosses the border of the lower counter word.
        const std::uint64_t block = round % 2 == 0 ? next() : (next() << 32) - 13;
        const Words words = batch_words(stream, block, 3);
        std::size_t differences = 0;
        for (std::size_t i = 0; i < words.size(); ++i) {
            differences += words[i] != reference_word(stream, block + i / 4, i % 4) ? 1U : 0U;
        }
        CHECK(differences == 0);
    }
}

TEST_CASE("words follow the documented layout for all offsets and lengths") {
    const std::uint64_t seed = 0x0123456789abcdef;
    const Stream stream(seed, Purpose::service, 42);
    const PhiloxStream philox{seed, 42, 3};
    const std::uint64_t base = (std::uint64_t{1} << 34) - 160;  // crosses block 2^32
    Words reference(600);
    for (std::size_t i = 0; i < reference.size(); ++i) {
        reference[i] = reference_word(philox, (base + i) / 4, (base + i) % 4);
    }
    std::size_t differences = 0;
    for (std::size_t offset = 0; offset < 70; ++offset) {
        for (std::size_t length = 0; length < 270; ++length) {
            Words words(length + 1, 0xdeadbeef);
            stream.fill_words(base + offset, std::span(words).first(length));
            const bool same = std::equal(
                words.begin(),
                words.end() - 1,
                reference.begin() + static_cast<std::ptrdiff_t>(offset)
            );
            differences += same && words.back() == 0xdeadbeef ? 0U : 1U;
        }
    }
    CHECK(differences == 0);
}

TEST_CASE("draws are pairs of words with the low word first") {
    const Stream stream(7, Purpose::arrivals, 1);
    Words words(400);
    stream.fill_words(0, words);
    for (const std::size_t first : {0U, 1U, 2U, 3U, 31U, 32U, 33U}) {
        for (const std::size_t count : {0U, 1U, 2U, 31U, 33U, 150U}) {
            std::vector<std::uint64_t> draws(count);
            stream.fill_draws(first, draws);
            for (std::size_t i = 0; i < count; ++i) {
                const std::uint64_t high = words[2 * (first + i) + 1];
                CHECK(draws[i] == (high << 32 | words[2 * (first + i)]));
                CHECK(draws[i] == stream.draw(first + i));
            }
        }
    }
}

TEST_CASE("a draw far out in the stream is the same alone and in bulk") {
    const Stream stream(99, Purpose::policy, 0xffffffff);
    const std::uint64_t far = 0x0123456789abcde1;
    std::vector<std::uint64_t> draws(100);
    stream.fill_draws(far, draws);
    for (std::size_t i = 0; i < draws.size(); ++i) {
        CHECK(draws[i] == stream.draw(far + i));
    }
}

TEST_CASE("every part of the identity of a stream changes it") {
    const std::uint64_t reference = Stream(1, Purpose::sizes, 0).draw(0);
    CHECK(reference == Stream(1, Purpose::sizes, 0).draw(0));
    CHECK(reference != Stream(2, Purpose::sizes, 0).draw(0));
    CHECK(reference != Stream(1 + (std::uint64_t{1} << 32), Purpose::sizes, 0).draw(0));
    CHECK(reference != Stream(1, Purpose::service, 0).draw(0));
    CHECK(reference != Stream(1, Purpose::sizes, 1).draw(0));
    CHECK(reference != Stream(1, Purpose::sizes, 0).draw(1));
}

TEST_CASE("unit_interval is the midpoint of a cell and never 0 or 1") {
    CHECK(unit_interval(0) == 0x1p-53);
    CHECK(unit_interval(0xfff) == 0x1p-53);  // the 12 lowest bits do not count
    CHECK(unit_interval(0x1000) == 3 * 0x1p-53);
    CHECK(unit_interval(0x8000000000000000) == 0.5 + 0x1p-53);
    CHECK(unit_interval(0xffffffffffffffff) == 1.0 - 0x1p-53);
    for (std::uint64_t i = 1; i < 1000; ++i) {
        const auto cell = static_cast<double>(mix(i) >> 12);  // exact: 52 bits
        CHECK(unit_interval(mix(i)) == (2.0 * cell + 1.0) * 0x1p-53);
        CHECK(1.0 - unit_interval(mix(i)) == unit_interval(~mix(i)));
    }
}

TEST_CASE("scaled_word reaches both ends and nothing beyond") {
    CHECK(scaled_word(0, 7) == 0);
    CHECK(scaled_word(0xffffffff, 7) == 6);
    CHECK(scaled_word(0xffffffff, 1) == 0);
    CHECK(scaled_word(0x7fffffff, 2) == 0);
    CHECK(scaled_word(0x80000000, 2) == 1);
    CHECK(scaled_word(0xffffffff, 0xffffffff) == 0xfffffffe);
}

}  // namespace schedfarm::engine
