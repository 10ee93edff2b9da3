// Which word of which stream makes which component, and the stated probabilities.
#include "models/coallocation/component_sizes.hpp"

#include <doctest/doctest.h>

#include "tests/models/settings.hpp"

namespace schedfarm::models {

namespace {

using engine::Purpose;
using engine::Stream;

constexpr std::uint64_t seed = 2001;
constexpr std::uint32_t replication = 3;

SizeStreams streams() {
    return {
        Stream(seed, Purpose::sizes, replication), Stream(seed, Purpose::job_class, replication)};
}

std::uint32_t word(Purpose purpose, std::uint64_t position) {
    std::uint32_t result = 0;
    Stream(seed, purpose, replication).fill_words(position, {&result, 1});
    return result;
}

}  // namespace

TEST_CASE("component c of job j comes from word j times components plus c") {
    ComponentSizes sizes(tests::uniform(3, 9));
    constexpr std::size_t components = 3;
    std::vector<std::uint32_t> out(10 * components);
    sizes.fill(streams(), 100, components, out);
    for (std::size_t i = 0; i < out.size(); ++i) {
        // Sizes 3 … 9: 3 + floor(word · 7 / 2^32).
        const std::uint64_t w = word(Purpose::sizes, 100 * components + i);
        CHECK(out[i] == 3 + ((w * 7) >> 32));
    }
}

TEST_CASE("components do not depend on how the jobs are cut into calls") {
    ComponentSizes sizes(tests::mixture_of_section_4_4());
    constexpr std::size_t components = 4;
    std::vector<std::uint32_t> whole(600 * components);
    sizes.fill(streams(), 0, components, whole);
    std::vector<std::uint32_t> parts(whole.size());
    const std::span<std::uint32_t> span(parts);
    sizes.fill(streams(), 0, components, span.first(37 * components));
    sizes.fill(streams(), 37, components, span.subspan(37 * components));
    CHECK(whole == parts);
}

TEST_CASE("the job's own word decides which part of a mixture all its components take") {
    const engine::Choice low = tests::uniform(1, 2);
    const engine::Choice high = tests::uniform(5, 8);
    ComponentSizes sizes(
        tests::choice("mixture", {{"probability", 0.25}, {"first", low}, {"second", high}})
    );
    std::vector<std::uint32_t> out(1000);
    sizes.fill(streams(), 20, 2, out);
    for (std::size_t i = 0; i < 500; ++i) {
        const bool is_first = word(Purpose::job_class, 20 + i) < 0x40000000U;
        for (std::size_t c = 0; c < 2; ++c) {
            const std::uint64_t w = word(Purpose::sizes, (20 + i) * 2 + c);
            const std::uint64_t expected = is_first ? 1 + ((w * 2) >> 32) : 5 + ((w * 4) >> 32);
            CHECK(out[2 * i + c] == expected);
        }
    }
}

TEST_CASE("powers of two count three times but not one itself") {
    // Weights q, 3 q², q³, 3 q⁴, q⁵, …, q⁷, 3 q⁸ with q = 1/2, in units of 2^-8:
    // 128, 3 · 64, 32, 3 · 16, 8, 4, 2, 3 · 1; the sum is 417.
    ComponentSizes sizes(
        tests::choice("powers_of_two", {{"ratio", 0.5}, {"high", 8}, {"factor", 3.0}})
    );
    const std::vector<double> units{0, 128, 192, 32, 48, 8, 4, 2, 3};
    const auto probabilities = sizes.probabilities();
    CHECK(probabilities.first_probability == 1);
    REQUIRE(probabilities.first.size() == units.size());
    double mean = 0;
    for (std::size_t n = 0; n < units.size(); ++n) {
        CHECK(probabilities.first[n] == doctest::Approx(units[n] / 417).epsilon(1e-14));
        mean += static_cast<double>(n) * units[n] / 417;
    }
    CHECK(sizes.mean() == doctest::Approx(mean).epsilon(1e-14));
    CHECK(sizes.low() == 1);
    CHECK(sizes.high() == 8);
}

TEST_CASE("a mixture states the range and the mean over both parts") {
    const engine::Choice first = tests::uniform(2, 4);
    const engine::Choice second = tests::uniform(3, 9);
    const ComponentSizes sizes(
        tests::choice("mixture", {{"probability", 0.75}, {"first", first}, {"second", second}})
    );
    CHECK(sizes.low() == 2);
    CHECK(sizes.high() == 9);
    CHECK(sizes.mean() == 0.75 * 3 + 0.25 * 6);
}

}  // namespace schedfarm::models
