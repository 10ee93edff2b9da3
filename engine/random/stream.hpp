// A random stream: a pure function of (campaign seed; purpose, replication, position), never of
// rank, time or order of creation. Position addresses a flat array of 32-bit words, so that a job's
// draws are found from its index alone:
//
//     word position of draw d of job j = j * stride + d        (32-bit draws)
//     64-bit draw i occupies the words 2i and 2i + 1           (low word first)
//
// philox: word w is word (w mod 4) of the Philox4x32-10 block with key = campaign seed (low, high)
// and counter = (block low, block high, replication, purpose), block = w div 4.
//
// mrg32k3a: the campaign seed gives a state (mrg32k3a_seeded()); from there word w comes from the
// output number w, counted from 0, after purpose · 2^127 + replication · 2^76 steps. The streams of
// a seed are disjoint stretches of one period, about 2^191 long: 2^64 words fit below 2^76 steps,
// 2^32 replications below 2^127, 2^32 purposes below 2^159. Seeds begin at hashed places, so that
// two campaigns overlap with a probability below 2^-100 (2^23 streams of 2^31 words in each).
//
// Both layouts are part of the results version: changing one changes every result. Policy and load
// are not in them, so that policies and loads are compared under common random numbers.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

namespace schedfarm::engine {

/// What a stream is drawn for; one stream per purpose. Numbers are part of the results version.
enum class Purpose : std::uint32_t {
    arrivals = 1,
    sizes = 2,
    service = 3,
    job_class = 4,
    estimates = 5,
    memory = 6,
    policy = 7,
    resampling = 8,
    outages = 9,
};

/// The family of generators behind a stream. Results under both agree statistically.
enum class Generator : std::uint8_t {
    philox,    ///< Philox4x32-10, counter-based
    mrg32k3a,  ///< L'Ecuyer's combined multiple recursive generator (mrg32k3a.hpp)
};

class Stream {
  public:
    constexpr Stream(
        std::uint64_t seed,
        Purpose purpose,
        std::uint32_t replication,
        Generator generator = Generator::philox
    )
        : seed_(seed)
        , purpose_(static_cast<std::uint32_t>(purpose))
        , replication_(replication)
        , generator_(generator) {}

    /// Words at positions first, first + 1, …; cost in blocks of 512: philox below 1 ns per word,
    /// mrg32k3a about 7 ns, with about 0.3 µs for each call.
    void fill_words(std::uint64_t first, std::span<std::uint32_t> out) const;

    /// 64-bit draws number first, first + 1, …
    void fill_draws(std::uint64_t first, std::span<std::uint64_t> out) const;

    std::uint64_t draw(std::uint64_t index) const;

  private:
    void fill_bytes(std::uint64_t first_word, std::byte* out, std::size_t words) const;
    void fill_philox(std::uint64_t first_word, std::byte* out, std::size_t words) const;
    void fill_mrg32k3a(std::uint64_t first_word, std::byte* out, std::size_t words) const;

    std::uint64_t seed_;
    std::uint32_t purpose_;
    std::uint32_t replication_;
    Generator generator_;
};

/// The midpoint of one of 2^52 equal cells of (0, 1): never 0, never 1, exact.
constexpr double unit_interval(std::uint64_t draw) {
    constexpr std::uint64_t one = 0x3ff0000000000000U;
    return std::bit_cast<double>(one | (draw >> 12)) - 1.0 + 0x1p-53;
}

/// floor(word * n / 2^32): an integer in 0 … n − 1; relative bias below n / 2^32.
constexpr std::uint32_t scaled_word(std::uint32_t word, std::uint32_t n) {
    return static_cast<std::uint32_t>((std::uint64_t{word} * n) >> 32);
}

}  // namespace schedfarm::engine
