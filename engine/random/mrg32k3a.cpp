#include "engine/random/mrg32k3a.hpp"

#include <bit>
#include <cstring>

#include "engine/foundation/expect.hpp"
#include "engine/foundation/hash.hpp"

namespace schedfarm::engine {

static_assert(std::endian::native == std::endian::little, "the layout of words is little-endian");

namespace {

constexpr std::uint64_t m1 = mrg32k3a_m1;
constexpr std::uint64_t m2 = mrg32k3a_m2;

// The subtracted coefficients are applied to m − x, so that nothing is negative.
constexpr std::uint64_t a12 = 1403580;
constexpr std::uint64_t a13_negated = 810728;
constexpr std::uint64_t a21 = 527612;
constexpr std::uint64_t a23_negated = 1370589;

using Vector = std::array<std::uint64_t, 3>;
using Matrix = std::array<Vector, 3>;  // rows; elements are below the modulus

constexpr Vector product(const Matrix& a, const Vector& v, std::uint64_t modulus) {
    Vector result{};
    for (std::size_t i = 0; i < 3; ++i) {
        std::uint64_t sum = 0;
        for (std::size_t j = 0; j < 3; ++j) {
            sum += a[i][j] * v[j] % modulus;
        }
        result[i] = sum % modulus;
    }
    return result;
}

constexpr Matrix square(const Matrix& a, std::uint64_t modulus) {
    Matrix result{};
    for (std::size_t column = 0; column < 3; ++column) {
        const Vector image = product(a, {a[0][column], a[1][column], a[2][column]}, modulus);
        for (std::size_t row = 0; row < 3; ++row) {
            result[row][column] = image[row];
        }
    }
    return result;
}

/// The matrices of 2^k steps.
struct Jump {
    Matrix x;
    Matrix y;
};

constexpr std::size_t jumps = 160;

constexpr std::array<Jump, jumps> make_jump_table() {
    std::array<Jump, jumps> table{};
    table[0].x = {{{0, 1, 0}, {0, 0, 1}, {m1 - a13_negated, a12, 0}}};
    table[0].y = {{{0, 1, 0}, {0, 0, 1}, {m2 - a23_negated, 0, a21}}};
    for (std::size_t k = 1; k < jumps; ++k) {
        table[k] = {.x = square(table[k - 1].x, m1), .y = square(table[k - 1].y, m2)};
    }
    return table;
}

constexpr std::array<Jump, jumps> jump_table = make_jump_table();

}  // namespace

Mrg32k3aState mrg32k3a_seeded(std::uint64_t seed) {
    std::uint64_t place = mix(seed);
    const auto next = [&](std::uint64_t modulus) {
        place += 0x9e3779b97f4a7c15U;
        return 1 + mix(place) % (modulus - 1);
    };
    Mrg32k3aState state{};
    for (std::uint64_t& value : state.x) {
        value = next(m1);
    }
    for (std::uint64_t& value : state.y) {
        value = next(m2);
    }
    return state;
}

Mrg32k3aState mrg32k3a_advanced(Mrg32k3aState state, std::uint64_t count, unsigned log2_unit) {
    SCHEDFARM_EXPECT(
        static_cast<std::size_t>(std::bit_width(count)) + log2_unit <= jumps,
        "fewer than 2^160 steps"
    );
    for (; count != 0; count &= count - 1) {
        const Jump& jump = jump_table[log2_unit + static_cast<unsigned>(std::countr_zero(count))];
        state.x = product(jump.x, state.x, m1);
        state.y = product(jump.y, state.y, m2);
    }
    return state;
}

void mrg32k3a_fill(const Mrg32k3aState& state, std::byte* out, std::size_t words) {
    auto [x0, x1, x2] = state.x;
    auto [y0, y1, y2] = state.y;
    for (std::size_t i = 0; i < words; ++i) {
        const std::uint64_t x = (a12 * x1 + a13_negated * (m1 - x0)) % m1;
        const std::uint64_t y = (a21 * y2 + a23_negated * (m2 - y0)) % m2;
        x0 = x1;
        x1 = x2;
        x2 = x;
        y0 = y1;
        y1 = y2;
        y2 = y;
        const std::uint32_t word = word_of_residue(x >= y ? x - y : x + m1 - y);
        std::memcpy(out + i * sizeof word, &word, sizeof word);
    }
}

}  // namespace schedfarm::engine
