#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include <doctest/doctest.h>

#include "engine/random/distribution.hpp"

#include "tests/engine/random/distribution_examples.hpp"

namespace schedfarm::engine {

namespace {

constexpr double z = 4.0;

std::vector<double> sample(const Choice& choice, std::size_t count) {
    std::vector<double> values(count);
    make_time_distribution(choice)->fill(Stream(5, Purpose::service, 1), 0, values);
    return values;
}

double normal_distribution(double x) {
    return 0.5 * std::erfc(-x / std::sqrt(2.0));
}

/// sqrt(n) times the largest distance between the empirical and the given distribution function.
double kolmogorov_smirnov(
    std::vector<double> values, const std::function<double(double)>& distribution
) {
    std::sort(values.begin(), values.end());
    const auto n = static_cast<double>(values.size());
    double largest = 0.0;
    for (std::size_t i = 0; i < values.size(); ++i) {
        const double f = distribution(values[i]);
        const double below = static_cast<double>(i) / n;
        largest = std::max({largest, f - below, below + 1.0 / n - f});
    }
    return std::sqrt(n) * largest;
}

/// (χ² − df)/sqrt(2 df) of sizes against the stated probabilities.
double standardized_chi_square(const SizeDistribution& distribution, std::size_t count) {
    std::vector<std::uint32_t> words(count);
    std::vector<std::uint32_t> sizes(count);
    Stream(6, Purpose::sizes, 2).fill_words(0, words);
    distribution.map(words, sizes);
    const std::vector<double> p = distribution.probabilities();
    std::vector<double> counts(p.size());
    for (const std::uint32_t size : sizes) {
        counts.at(size) += 1.0;
    }
    double chi_square = 0.0;
    double df = -1.0;
    bool impossible = false;  // a size of probability 0 was drawn
    for (std::size_t n = 0; n < p.size(); ++n) {
        const double expected = p[n] * static_cast<double>(count);
        if (expected > 0.0) {
            chi_square += (counts[n] - expected) * (counts[n] - expected) / expected;
            df += 1.0;
        }
        impossible = impossible || (expected == 0.0 && counts[n] > 0.0);
    }
    if (impossible) {
        return std::numeric_limits<double>::infinity();
    }
    return df == 0.0 ? 0.0 : (chi_square - df) / std::sqrt(2.0 * df);
}

}  // namespace

TEST_CASE("sample mean and variance of every time distribution agree with the stated ones") {
    const std::size_t count = 1'000'000;
    const auto n = static_cast<double>(count);
    for (const Alternative& alternative : time_distributions()) {
        CAPTURE(alternative.name);
        const Choice example = example_choice(alternative);
        const auto distribution = make_time_distribution(example);
        const double mean = distribution->mean();
        double first = 0.0;
        double second = 0.0;
        double fourth = 0.0;
        for (const double value : sample(example, count)) {
            const double square = (value - mean) * (value - mean);
            first += (value - mean) / n;
            second += square / n;
            fourth += square * square / n;
        }
        const double variance = distribution->squared_variation() * mean * mean;
        CHECK(std::fabs(first) <= z * std::sqrt(variance / n));
        // Mean of squared deviations from the known mean; its variance is (µ4 − σ⁴)/n.
        const double error_of_variance = std::sqrt(std::max(0.0, fourth - second * second) / n);
        CHECK(std::fabs(second - variance) <= z * error_of_variance);
    }
}

TEST_CASE("continuous times pass Kolmogorov and Smirnov against their distribution functions") {
    struct Case {
        Choice choice;
        std::function<double(double)> distribution;
    };
    // Balanced means with c² = 3: probabilities (1 ± r)/2, means 1/(1 ± r), r = sqrt(1/2).
    const double r = std::sqrt(0.5);
    const double sigma = 1.0;  // lognormal: c² = e − 1, mean 1, µ = −1/2
    const double weibull_scale = 1.0 / std::tgamma(1.0 + 1.0 / 0.7);
    const std::vector<Case> cases{
        {choice("exponential", {{"mean", 2.0}}),
         [](double x) {
             return 1.0 - std::exp(-x / 2.0);
         }},
        {choice("erlang", {{"shape", 3}, {"mean", 3.0}}),
         [](double x) {
             return 1.0 - std::exp(-x) * (1.0 + x + x * x / 2.0);
         }},
        {choice("hyperexponential", {{"squared_variation", 3.0}}),
         [r](double x) {
             return 1.0 - 0.5 * (1.0 + r) * std::exp(-x * (1.0 + r))
                    - 0.5 * (1.0 - r) * std::exp(-x * (1.0 - r));
         }},
        {choice(
             "exponential_mixture", {{"weights", Value::List{1, 3}}, {"means", Value::List{2, 6}}}
         ),
         [](double x) {
             return 1.0 - 0.25 * std::exp(-x / 2.0) - 0.75 * std::exp(-x / 6.0);
         }},
        {choice("lognormal", {{"squared_variation", std::exp(1.0) - 1.0}}),
         [sigma](double x) {
             return normal_distribution((std::log(x) + 0.5) / sigma);
         }},
        {choice("weibull", {{"shape", 0.7}}),
         [weibull_scale](double x) {
             return 1.0 - std::exp(-std::pow(x / weibull_scale, 0.7));
         }},
        // Of shape 1.5 and mean 3 the least value is 1.
        {choice("pareto", {{"shape", 1.5}, {"mean", 3.0}}),
         [](double x) {
             return 1.0 - std::pow(x, -1.5);
         }},
        // Of shape 1 from 1 to 100 the mean is ln 100 / .99.
        {choice(
             "bounded_pareto", {{"shape", 1.0}, {"ratio", 100.0}, {"mean", std::log(100.) / .99}}
         ),
         [](double x) {
             return (1.0 - 1.0 / x) / 0.99;
         }},
        {choice("truncated_normal", {{"mean", 1.0}, {"standard_deviation", 2.0}}),
         [](double x) {
             const double lost = normal_distribution(-0.5);
             return (normal_distribution((x - 1.0) / 2.0) - lost) / (1.0 - lost);
         }},
    };
    for (const Case& one : cases) {
        CAPTURE(one.choice.text());
        // P(sqrt(n) D > 2.2) = 2 exp(−2 · 2.2²) = 1.2e-4.
        CHECK(kolmogorov_smirnov(sample(one.choice, 200'000), one.distribution) < 2.2);
    }
}

TEST_CASE("the Kolmogorov and Smirnov test sees a mean that is one per cent off") {
    const auto wrong = [](double x) {
        return 1.0 - std::exp(-x / 1.01);
    };
    CHECK(kolmogorov_smirnov(sample(choice("exponential"), 200'000), wrong) > 1.5);
    const auto right = [](double x) {
        return 1.0 - std::exp(-x);
    };
    CHECK(kolmogorov_smirnov(sample(choice("exponential"), 200'000), right) < 1.5);
}

TEST_CASE("sizes of every distribution pass a chi-square test") {
    for (const Alternative& alternative : size_distributions()) {
        CAPTURE(alternative.name);
        const auto distribution = make_size_distribution(example_choice(alternative));
        CHECK(std::fabs(standardized_chi_square(*distribution, 1'000'000)) < 5.0);
    }
}

TEST_CASE("the size distributions of the co-allocation paper pass a chi-square test") {
    // Bucur and Epema, section 4.4: weights q^n, tripled for n = 2, 4 and 8, q = 0.90.
    Value::List mixture;
    double power = 1.0;
    for (int n = 1; n <= 8; ++n) {
        power *= 0.9;
        mixture.emplace_back(n == 2 || n == 4 || n == 8 ? 3.0 * power : power);
    }
    const std::vector<Choice> choices{
        choice("uniform", {{"low", 1}, {"high", 4}}),
        choice("uniform", {{"low", 5}, {"high", 16}}),
        choice("geometric", {{"ratio", 0.9}, {"high", 8}}),
        choice("geometric", {{"ratio", 0.95}, {"high", 32}}),
        choice("weights", {{"weights", mixture}})};
    for (const Choice& one : choices) {
        CAPTURE(one.text());
        CHECK(std::fabs(standardized_chi_square(*make_size_distribution(one), 2'000'000)) < 5.0);
    }
}

}  // namespace schedfarm::engine
