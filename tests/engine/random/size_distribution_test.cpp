#include <algorithm>
#include <cmath>

#include <doctest/doctest.h>

#include "engine/foundation/expect.hpp"
#include "engine/foundation/hash.hpp"
#include "engine/random/distribution.hpp"

#include "tests/engine/random/distribution_examples.hpp"

namespace schedfarm::engine {

namespace {

using Words = std::vector<std::uint32_t>;

Words sizes_of(const Choice& choice, const Words& words) {
    Words sizes(words.size());
    make_size_distribution(choice)->map(words, sizes);
    return sizes;
}

}  // namespace

TEST_CASE("uniform sizes change at the multiples of 2^32 over their number") {
    // Three sizes: size 5 from word ceil(2^32/3) = 1431655766, size 6 from ceil(2^33/3) =
    // 2863311531.
    const Choice uniform = choice("uniform", {{"low", 4}, {"high", 6}});
    CHECK(
        sizes_of(uniform, {0, 1431655765, 1431655766, 2863311530, 2863311531, 0xffffffff})
        == Words{4, 4, 5, 5, 6, 6}
    );
    const auto distribution = make_size_distribution(uniform);
    CHECK(distribution->mean() == 5.0);
    CHECK(distribution->probabilities() == std::vector<double>{0, 0, 0, 0, 1. / 3, 1. / 3, 1. / 3});
}

TEST_CASE("uniform sizes of every batch length agree with scaled_word") {
    for (std::size_t length = 0; length < 70; ++length) {
        Words words(length);
        Words expected(length);
        for (std::size_t i = 0; i < length; ++i) {
            words[i] = static_cast<std::uint32_t>(mix(length * 100 + i));
            expected[i] = 3 + scaled_word(words[i], 14);
        }
        CHECK(sizes_of(choice("uniform", {{"low", 3}, {"high", 16}}), words) == expected);
    }
}

TEST_CASE("constant sizes do not look at the words") {
    CHECK(sizes_of(choice("constant", {{"size", 7}}), {0, 1, 0xffffffff}) == Words{7, 7, 7});
    CHECK(make_size_distribution(choice("constant", {{"size", 7}}))->mean() == 7.0);
}

TEST_CASE("geometric sizes change at the rounded cumulative probabilities") {
    // ratio 1/2 on 1 … 3: 4/7, 2/7, 1/7; 2^32 · 4/7 = 2454267026.3, 2^32 · 6/7 = 3681400539.4.
    const Choice geometric = choice("geometric", {{"ratio", 0.5}, {"high", 3}});
    CHECK(
        sizes_of(geometric, {0, 2454267025, 2454267026, 3681400538, 3681400539, 0xffffffff})
        == Words{1, 1, 2, 2, 3, 3}
    );
    // 1 · 4/7 + 2 · 2/7 + 3 · 1/7 = 11/7
    CHECK(make_size_distribution(geometric)->mean() == doctest::Approx(11.0 / 7.0).epsilon(1e-15));
}

TEST_CASE("geometric with ratio 1 is uniform") {
    const auto distribution =
        make_size_distribution(choice("geometric", {{"ratio", 1.0}, {"high", 5}}));
    CHECK(distribution->probabilities() == std::vector<double>{0, .2, .2, .2, .2, .2});
}

TEST_CASE("weights of zero are never drawn and end the range") {
    // 0 : 1 : 0 : 3 : 0: size 2 below 2^30, else size 4.
    const Choice weights = choice("weights", {{"weights", Value::List{0, 1, 0, 3, 0}}});
    CHECK(sizes_of(weights, {0, (1U << 30) - 1, 1U << 30, 0xffffffff}) == Words{2, 2, 4, 4});
    const auto distribution = make_size_distribution(weights);
    CHECK(distribution->low() == 2);
    CHECK(distribution->high() == 4);
    CHECK(distribution->probabilities() == std::vector<double>{0, 0, 0.25, 0, 0.75});
    CHECK(distribution->mean() == 3.5);
}

TEST_CASE("weights so small that no word is theirs do not disturb their neighbours") {
    const Choice weights = choice("weights", {{"weights", Value::List{1e-15, 1, 1e-15, 1, 1e-15}}});
    CHECK(sizes_of(weights, {0, (1U << 31) - 1, 1U << 31, 0xfffffffe}) == Words{2, 2, 4, 4});
}

TEST_CASE("a large table of weights agrees with a plain search") {
    Value::List weights;
    std::vector<double> upper;
    double total = 0.0;
    for (std::uint64_t i = 0; i < 70'000; ++i) {
        const double weight = i % 10 == 3 ? 0.0 : static_cast<double>(mix(i) >> 40);
        weights.emplace_back(weight);
        total += weight;
        upper.push_back(total);
    }
    std::vector<std::uint64_t> end;
    end.reserve(upper.size());
    for (const double sum : upper) {
        end.push_back(static_cast<std::uint64_t>(std::floor(sum / total * 4294967296.0 + 0.5)));
    }
    Words words;
    for (std::uint64_t i = 0; i < 50'000; ++i) {
        words.push_back(static_cast<std::uint32_t>(mix(i)));
        words.push_back(static_cast<std::uint32_t>(end[mix(i) % (end.size() - 1)]));
        words.push_back(words.back() - 1);
    }
    const Words sizes = sizes_of(choice("weights", {{"weights", weights}}), words);
    std::size_t differences = 0;
    for (std::size_t i = 0; i < words.size(); ++i) {
        const auto found = std::upper_bound(end.begin(), end.end(), words[i]);
        differences += sizes[i] == static_cast<std::uint32_t>(found - end.begin()) + 1 ? 0U : 1U;
    }
    CHECK(differences == 0);
}

TEST_CASE("values are drawn in increasing order of size with the weights they stand beside") {
    // 32 : 1 : 32 : 8 with 1 : 2 : 1 : 4: size 1 with 1/4, 8 with 1/2, 32 with 1/4.
    const Choice values = choice(
        "values", {{"sizes", Value::List{32, 1, 32, 8}}, {"weights", Value::List{1, 2, 1, 4}}}
    );
    CHECK(
        sizes_of(values, {0, (1U << 30) - 1, 1U << 30, 3221225471, 3221225472, 0xffffffff})
        == Words{1, 1, 8, 8, 32, 32}
    );
    const auto distribution = make_size_distribution(values);
    CHECK(distribution->low() == 1);
    CHECK(distribution->high() == 32);
    CHECK(distribution->probabilities().at(8) == 0.5);
    CHECK(distribution->mean() == 12.25);
}

TEST_CASE("values without weights are equally likely") {
    const Choice values = choice("values", {{"sizes", Value::List{1, 2, 4, 8}}});
    const auto distribution = make_size_distribution(values);
    CHECK(distribution->probabilities() == std::vector<double>{0, .25, .25, 0, .25, 0, 0, 0, .25});
    CHECK(distribution->mean() == 3.75);
}

TEST_CASE("values that do not fit their weights are refused") {
    const auto reason = [](const Value::List& sizes, const Value::List& weights) {
        Parameters parameters;
        parameters.set("sizes", sizes);
        parameters.set("weights", weights);
        for (const Alternative& alternative : size_distributions()) {
            if (alternative.name == "values") {
                const std::vector<ParameterProblem> problems = alternative.check(parameters);
                return problems.empty() ? "" : problems.at(0).reason;
            }
        }
        return std::string("no such distribution");
    };
    CHECK(reason({}, {}) == "the list is empty (there is nothing to draw)");
    CHECK(reason({1, 2}, {1}) == "2 sizes and 1 weights (every size needs one)");
    CHECK(reason({1, 2}, {0, 0}) == "no weight is positive (no size could be drawn)");
    CHECK(reason({1, 2}, {0, 1}).empty());
}

TEST_CASE("a smallest size above the largest is refused with reason and suggestion") {
    Parameters parameters;
    parameters.set("low", 5);
    parameters.set("high", 4);
    for (const Alternative& alternative : size_distributions()) {
        if (alternative.name == "uniform") {
            const std::vector<ParameterProblem> problems = alternative.check(parameters);
            REQUIRE(problems.size() == 1);
            CHECK(problems[0].parameter == "low");
            CHECK(problems[0].reason == "low = 5 is above high = 4 (no size lies between them)");
            CHECK(problems[0].suggestion == "Exchange them.");
        }
    }
    CHECK_THROWS_AS(
        make_size_distribution({.name = "uniform", .parameters = parameters}), ContractViolation
    );
    CHECK_THROWS_AS(
        make_size_distribution(choice("weights", {{"weights", Value::List{0, 0}}})),
        ContractViolation
    );
    CHECK_THROWS_AS(
        make_size_distribution(choice("weights", {{"weights", Value::List{}}})), ContractViolation
    );
}

TEST_CASE("as many words as sizes are needed") {
    const Words words(3);
    Words sizes(4);
    for (const Alternative& alternative : size_distributions()) {
        const auto distribution = make_size_distribution(example_choice(alternative));
        CHECK_THROWS_AS(distribution->map(words, sizes), ContractViolation);
    }
}

}  // namespace schedfarm::engine
