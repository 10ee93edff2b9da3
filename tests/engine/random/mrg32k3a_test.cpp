#include "engine/random/mrg32k3a.hpp"

#include <algorithm>
#include <vector>

#include <doctest/doctest.h>

#include "engine/foundation/expect.hpp"
#include "engine/foundation/hash.hpp"
#include "engine/random/stream.hpp"

namespace schedfarm::engine {

namespace {

using Words = std::vector<std::uint32_t>;

constexpr std::uint64_t m1 = mrg32k3a_m1;
constexpr std::uint64_t m2 = mrg32k3a_m2;

/// The state of the package of 2002 when nobody sets a seed.
constexpr Mrg32k3aState package_state{{12345, 12345, 12345}, {12345, 12345, 12345}};

/// The generator as the figure of L'Ecuyer 1999 states it, in double arithmetic; every product is
/// below 2^53, so that nothing rounds.
class FloatingPointMrg32k3a {
  public:
    explicit FloatingPointMrg32k3a(const Mrg32k3aState& state)
        : s1_(to_doubles(state.x)), s2_(to_doubles(state.y)) {}

    /// (x_n − y_n) mod m1, with m1 in the place of 0.
    double next_difference() {
        const double p1 = advance(s1_, 1403580.0 * s1_[1] - 810728.0 * s1_[0], 4294967087.0);
        const double p2 = advance(s2_, 527612.0 * s2_[2] - 1370589.0 * s2_[0], 4294944443.0);
        return p1 <= p2 ? p1 - p2 + 4294967087.0 : p1 - p2;
    }
    double next_uniform() { return next_difference() * 2.328306549295728e-10; }
    std::uint32_t next_word() {
        const auto z = static_cast<std::uint64_t>(next_difference());
        return static_cast<std::uint32_t>((z % m1 << 32) / m1);
    }

    Mrg32k3aState state() const { return {.x = to_integers(s1_), .y = to_integers(s2_)}; }

  private:
    using Doubles = std::array<double, 3>;
    using Integers = std::array<std::uint64_t, 3>;

    static Doubles to_doubles(const Integers& values) {
        Doubles result{};
        std::copy(values.begin(), values.end(), result.begin());
        return result;
    }
    static Integers to_integers(const Doubles& values) {
        Integers result{};
        std::transform(values.begin(), values.end(), result.begin(), [](double value) {
            return static_cast<std::uint64_t>(value);
        });
        return result;
    }

    static double advance(Doubles& s, double p, double modulus) {
        p -= static_cast<double>(static_cast<std::int64_t>(p / modulus)) * modulus;
        if (p < 0.0) {
            p += modulus;
        }
        s[0] = s[1];
        s[1] = s[2];
        s[2] = p;
        return p;
    }

    Doubles s1_;
    Doubles s2_;
};

Words words_of(const Mrg32k3aState& state, std::size_t count) {
    Words words(count);
    mrg32k3a_fill(state, reinterpret_cast<std::byte*>(words.data()), count);
    return words;
}

Words reference_words(const Mrg32k3aState& state, std::size_t count) {
    FloatingPointMrg32k3a generator(state);
    Words words(count);
    std::generate(words.begin(), words.end(), [&] { return generator.next_word(); });
    return words;
}

/// Column j of the matrices of count · 2^log2_unit steps.
Mrg32k3aState column(std::size_t j, std::uint64_t count, unsigned log2_unit) {
    Mrg32k3aState unit{};
    unit.x[j] = 1;
    unit.y[j] = 1;
    return mrg32k3a_advanced(unit, count, log2_unit);
}

/// A number of up to 128 bits.
struct Steps {
    std::uint64_t upper;  ///< in units of 2^32
    std::uint64_t lower;  ///< below 2^32
};

/// m³ − 1 for m³ not divisible by 2^32.
Steps full_cycle(std::uint64_t m) {
    constexpr std::uint64_t mask = 0xffffffff;
    const std::uint64_t low = (m * m & mask) * m;
    return {.upper = (m * m >> 32) * m + (low >> 32), .lower = (low & mask) - 1};
}

Mrg32k3aState advanced(const Mrg32k3aState& state, Steps steps) {
    return mrg32k3a_advanced(mrg32k3a_advanced(state, steps.upper, 32), steps.lower, 0);
}

constexpr Stream stream_of(std::uint64_t seed, Purpose purpose, std::uint32_t replication) {
    return {seed, purpose, replication, Generator::mrg32k3a};
}

}  // namespace

TEST_CASE("integer arithmetic gives the words of the published floating point program") {
    constexpr std::size_t count = 1'000'000;
    CHECK(words_of(package_state, count) == reference_words(package_state, count));
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        const Mrg32k3aState state = mrg32k3a_seeded(seed);
        CHECK(words_of(state, 10'000) == reference_words(state, 10'000));
    }
    const Mrg32k3aState zero{{0, 0, 1}, {0, 1, 0}};  // x_n = y_n = 0 at first
    CHECK(words_of(zero, 1) == Words{0});
    CHECK(words_of(zero, 100) == reference_words(zero, 100));
    const Mrg32k3aState largest{{m1 - 1, m1 - 1, m1 - 1}, {m2 - 1, m2 - 1, m2 - 1}};
    CHECK(words_of(largest, 10'000) == reference_words(largest, 10'000));
}

TEST_CASE("a word is the uniform value of the paper cut to 32 bits") {
    // u = z/(m1 + 1) against z/m1: they differ by less than 2^-32, so the words by at most 1.
    FloatingPointMrg32k3a generator(package_state);
    for (const std::uint32_t word : words_of(package_state, 10'000)) {
        const double scaled = generator.next_uniform() * 0x1p32;
        CHECK(scaled >= static_cast<double>(word) - 1.0);
        CHECK(scaled < static_cast<double>(word) + 1.0);
    }
}

TEST_CASE("words of residues begin at zero and skip 209 words evenly") {
    CHECK(word_of_residue(0) == 0);
    CHECK(word_of_residue(1) == 1);
    CHECK(word_of_residue(m1 - 1) == 0xfffffffe);
    // (z 2^32) / m1 = z + 209 z / m1, so that a word is skipped just before z = m1/209 · k.
    for (std::uint64_t k = 1; k < 209; ++k) {
        const std::uint64_t z = (k * m1 + 208) / 209;
        CHECK(word_of_residue(z) == z + k);
        CHECK(word_of_residue(z - 1) == z - 1 + k - 1);
    }
}

TEST_CASE("powers of the matrices are those of the package of streams and substreams") {
    // A1p76, A2p76, A1p127, A2p127 of the package RngStreams by L'Ecuyer and Simard, by columns.
    CHECK(
        column(0, 1, 76)
        == Mrg32k3aState{{82758667, 3672831523, 3672091415}, {1511326704, 4292754251, 3859662829}}
    );
    CHECK(
        column(1, 1, 76)
        == Mrg32k3aState{{1871391091, 69195019, 3528743235}, {3759209742, 1511326704, 4292754251}}
    );
    CHECK(
        column(2, 1, 76)
        == Mrg32k3aState{{4127413238, 1871391091, 69195019}, {1610795712, 3889917532, 3708466080}}
    );
    CHECK(
        column(0, 1, 127)
        == Mrg32k3aState{{2427906178, 226153695, 1988835001}, {1464411153, 32183930, 2824425944}}
    );
    CHECK(
        column(1, 1, 127)
        == Mrg32k3aState{{3580155704, 1230515664, 986791581}, {277697599, 1464411153, 32183930}}
    );
    CHECK(
        column(2, 1, 127)
        == Mrg32k3aState{{949770784, 3580155704, 1230515664}, {1610723613, 1022607788, 2093834863}}
    );
}

TEST_CASE("a jump ends where single steps end") {
    const Mrg32k3aState origin = mrg32k3a_seeded(7);
    FloatingPointMrg32k3a generator(origin);
    for (std::uint64_t steps = 0; steps < 5000; ++steps) {
        CHECK(mrg32k3a_advanced(origin, steps, 0) == generator.state());
        generator.next_word();
    }
}

TEST_CASE("two jumps are the jump of their sum in every unit") {
    const Mrg32k3aState origin = mrg32k3a_seeded(8);
    for (unsigned log2_unit = 0; log2_unit <= 97; ++log2_unit) {
        const std::uint64_t a = mix(log2_unit + 1) >> 2;
        const std::uint64_t b = mix(log2_unit + 1000) >> 2;
        const Mrg32k3aState twice =
            mrg32k3a_advanced(mrg32k3a_advanced(origin, a, log2_unit), b, log2_unit);
        CHECK(twice == mrg32k3a_advanced(origin, a + b, log2_unit));
    }
    for (unsigned k = 0; k < 159; ++k) {
        CHECK(mrg32k3a_advanced(origin, 2, k) == mrg32k3a_advanced(origin, 1, k + 1));
    }
}

TEST_CASE("each recurrence returns to its beginning after m cubed less one steps") {
    const Mrg32k3aState origin = mrg32k3a_seeded(9);
    const Mrg32k3aState after_x = advanced(origin, full_cycle(m1));
    CHECK(after_x.x == origin.x);
    CHECK(after_x.y != origin.y);
    const Mrg32k3aState after_y = advanced(origin, full_cycle(m2));
    CHECK(after_y.y == origin.y);
    CHECK(after_y.x != origin.x);
}

TEST_CASE("a jump beyond the table is refused") {
    CHECK_NOTHROW(mrg32k3a_advanced(package_state, 0xffffffff, 127));
    CHECK_NOTHROW(mrg32k3a_advanced(package_state, 0xffffffff, 128));
    CHECK_THROWS_AS(mrg32k3a_advanced(package_state, 0xffffffff, 129), ContractViolation);
}

TEST_CASE("a seed gives an admissible state of its own") {
    for (std::uint64_t seed = 0; seed < 1000; ++seed) {
        const Mrg32k3aState state = mrg32k3a_seeded(seed);
        for (std::size_t i = 0; i < 3; ++i) {
            CHECK(state.x[i] > 0);
            CHECK(state.x[i] < m1);
            CHECK(state.y[i] > 0);
            CHECK(state.y[i] < m2);
        }
        CHECK(state.x != mrg32k3a_seeded(seed + 1).x);
        CHECK(state.y != mrg32k3a_seeded(seed + 1).y);
    }
}

TEST_CASE("streams of MRG32k3a follow the documented layout") {
    const std::uint64_t seed = 0x0123456789abcdef;
    const std::uint64_t first = 0xfedcba9876543210;
    for (const Purpose purpose : {Purpose::arrivals, Purpose::resampling}) {
        for (const std::uint32_t replication : {0U, 1U, 0xffffffffU}) {
            // Purpose p is p single jumps of the package's streams, and so on.
            Mrg32k3aState state = mrg32k3a_seeded(seed);
            for (std::uint32_t p = 0; p < static_cast<std::uint32_t>(purpose); ++p) {
                state = mrg32k3a_advanced(state, 1, 127);
            }
            state = mrg32k3a_advanced(state, replication, 76);
            state = mrg32k3a_advanced(state, first, 0);
            Words words(100);
            stream_of(seed, purpose, replication).fill_words(first, words);
            CHECK(words == reference_words(state, words.size()));
        }
    }
}

TEST_CASE("words of MRG32k3a do not depend on how the range is cut into calls") {
    const Stream stream = stream_of(11, Purpose::sizes, 3);
    const std::uint64_t base = (std::uint64_t{1} << 34) - 160;
    Words whole(600);
    stream.fill_words(base, whole);
    std::size_t differences = 0;
    for (std::size_t offset = 0; offset < 70; ++offset) {
        for (std::size_t length = 0; length < 130; ++length) {
            Words words(length + 1, 0xdeadbeef);
            stream.fill_words(base + offset, std::span(words).first(length));
            const auto expected = whole.begin() + static_cast<std::ptrdiff_t>(offset);
            const bool same = std::equal(words.begin(), words.end() - 1, expected);
            differences += same && words.back() == 0xdeadbeef ? 0U : 1U;
        }
    }
    CHECK(differences == 0);
}

TEST_CASE("draws of MRG32k3a are pairs of words with the low word first") {
    const Stream stream = stream_of(7, Purpose::arrivals, 1);
    Words words(400);
    stream.fill_words(0, words);
    std::vector<std::uint64_t> draws(150);
    stream.fill_draws(33, draws);
    for (std::size_t i = 0; i < draws.size(); ++i) {
        const std::uint64_t high = words[2 * (33 + i) + 1];
        CHECK(draws[i] == (high << 32 | words[2 * (33 + i)]));
        CHECK(draws[i] == stream.draw(33 + i));
    }
}

TEST_CASE("streams of MRG32k3a have no draw in common") {
    // 8 · 60 · 2 streams of 4000 draws: two equal ones by chance with probability 4e-7.
    std::vector<std::uint64_t> draws;
    for (std::uint32_t purpose = 1; purpose <= 8; ++purpose) {
        for (std::uint32_t replication = 0; replication < 60; ++replication) {
            for (const std::uint64_t seed : {1U, 2U}) {
                std::vector<std::uint64_t> part(4000);
                stream_of(seed, Purpose{purpose}, replication).fill_draws(0, part);
                draws.insert(draws.end(), part.begin(), part.end());
            }
        }
    }
    std::sort(draws.begin(), draws.end());
    CHECK(std::adjacent_find(draws.begin(), draws.end()) == draws.end());
}

TEST_CASE("every part of the identity of a stream of MRG32k3a changes it") {
    const std::uint64_t reference = stream_of(1, Purpose::sizes, 0).draw(0);
    CHECK(reference == stream_of(1, Purpose::sizes, 0).draw(0));
    CHECK(reference != Stream(1, Purpose::sizes, 0).draw(0));
    CHECK(reference != stream_of(2, Purpose::sizes, 0).draw(0));
    CHECK(reference != stream_of(1 + (std::uint64_t{1} << 32), Purpose::sizes, 0).draw(0));
    CHECK(reference != stream_of(1, Purpose::service, 0).draw(0));
    CHECK(reference != stream_of(1, Purpose::sizes, 1).draw(0));
    CHECK(reference != stream_of(1, Purpose::sizes, 0).draw(1));
}

}  // namespace schedfarm::engine
