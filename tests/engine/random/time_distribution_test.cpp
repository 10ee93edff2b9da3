#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include <doctest/doctest.h>

#include "engine/foundation/expect.hpp"
#include "engine/random/distribution.hpp"
#include "engine/random/tail.hpp"

#include "tests/engine/random/distribution_examples.hpp"

namespace schedfarm::engine {

namespace {

constexpr Stream test_stream(2001, Purpose::service, 3);

std::vector<double> values_of(const Choice& choice, std::size_t count, std::uint64_t first = 0) {
    std::vector<double> values(count);
    make_time_distribution(choice)->fill(test_stream, first, values);
    return values;
}

double uniform(std::uint64_t draw_index) {
    return unit_interval(test_stream.draw(draw_index));
}

/// −ln(1 − u) with the C library.
double unit_exponential(std::uint64_t draw_index) {
    return -std::log1p(-uniform(draw_index));
}

void check_moments(const Choice& choice, double mean, double squared_variation) {
    const auto distribution = make_time_distribution(choice);
    CAPTURE(choice.text());
    CHECK(distribution->mean() == doctest::Approx(mean).epsilon(1e-14));
    CHECK(distribution->squared_variation() == doctest::Approx(squared_variation).epsilon(1e-13));
}

std::vector<ParameterProblem> problems_of(const Choice& choice) {
    for (const Alternative& alternative : time_distributions()) {
        if (alternative.name == choice.name) {
            return alternative.check(with_defaults(alternative.parameters, choice.parameters));
        }
    }
    return {};
}

}  // namespace

TEST_CASE("1 / value has a mean where values near 0 are unlikely enough") {
    const auto has_one = [](const char* name, const Parameters& given) {
        Choice what{.name = name, .parameters = given};
        for (const Alternative& alternative : time_distributions()) {
            if (alternative.name == what.name) {
                what.parameters = with_defaults(alternative.parameters, given);
            }
        }
        return make_time_distribution(what)->has_mean_reciprocal();
    };
    const auto shape = [](const Value& value) {
        Parameters given;
        given.set("shape", value);
        return given;
    };
    CHECK_FALSE(has_one("exponential", {}));
    CHECK_FALSE(has_one("erlang", shape(1)));
    CHECK(has_one("erlang", shape(2)));  // E[1/X] = 1 / ((k − 1) scale)
    CHECK_FALSE(has_one("gamma", shape(1.0)));
    CHECK(has_one("gamma", shape(1.5)));
    CHECK_FALSE(has_one("weibull", shape(1.0)));
    CHECK(has_one("weibull", shape(1.5)));
    Parameters variation;
    variation.set("squared_variation", 4.0);
    CHECK_FALSE(has_one("hyperexponential", variation));
    CHECK(has_one("lognormal", variation));
    Parameters value;
    value.set("value", 2.0);
    CHECK(has_one("deterministic", value));
}

TEST_CASE("means and squared variations follow the formulas") {
    check_moments(choice("exponential", {{"mean", 3.0}}), 3.0, 1.0);
    check_moments(choice("deterministic", {{"value", 3.0}}), 3.0, 0.0);
    check_moments(choice("erlang", {{"shape", 4}, {"mean", 2.0}}), 2.0, 0.25);
    check_moments(
        choice("hyperexponential", {{"mean", 2.0}, {"squared_variation", 4.84}}), 2.0, 4.84
    );
    check_moments(choice("hyperexponential", {{"squared_variation", 1.0}}), 1.0, 1.0);
    check_moments(choice("hyperexponential", {{"squared_variation", 1e6}}), 1.0, 1e6);
    check_moments(choice("lognormal", {{"mean", 5.0}, {"squared_variation", 2.0}}), 5.0, 2.0);
    // Weibull with shape 1/2: Γ(3) = 2, Γ(5) = 24, c² = 24/4 − 1 = 5; shape 1 is exponential.
    check_moments(choice("weibull", {{"shape", 0.5}, {"mean", 7.0}}), 7.0, 5.0);
    check_moments(choice("weibull", {{"shape", 1.0}}), 1.0, 1.0);
    // Half-normal: mean σ sqrt(2/π), E[X²] = σ², c² = π/2 − 1; far from 0 nothing is cut off.
    const double pi = 3.14159265358979323846;
    check_moments(
        choice("truncated_normal", {{"mean", 0.0}, {"standard_deviation", 3.0}}),
        3.0 * std::sqrt(2.0 / pi),
        0.5 * pi - 1.0
    );
    check_moments(
        choice("truncated_normal", {{"mean", 100.0}, {"standard_deviation", 1.0}}), 100.0, 1e-4
    );
    // Weights 1 : 3, means 2, 6: mean (2 + 18)/4 = 5; E[X²] = 2 (4 + 108)/4 = 56; c² = 31/25.
    check_moments(
        choice(
            "exponential_mixture", {{"weights", Value::List{1, 3}}, {"means", Value::List{2, 6}}}
        ),
        5.0,
        31.0 / 25.0
    );
    // 1, 2, 6 alike: mean 3, variance (4 + 1 + 9)/3 = 14/3, c² = 14/27.
    check_moments(choice("empirical", {{"values", Value::List{6, 1, 2}}}), 3.0, 14.0 / 27.0);
    // Weights 1 : 3 on 1 and 5: mean 4, variance (9 + 3)/4 = 3, c² = 3/16.
    check_moments(
        choice("empirical", {{"values", Value::List{1, 5}}, {"weights", Value::List{1, 3}}}),
        4.0,
        3.0 / 16.0
    );
}

TEST_CASE("tails tell which moments there are, and what lies beyond the largest of many values") {
    const Tail pareto = tail_of(choice("pareto", {{"shape", 2.5}, {"mean", 7.0}}));
    CHECK(pareto.least_infinite_moment == 2.5);
    CHECK(pareto.share_beyond(2, 32) == doctest::Approx(0.5));  // 32^(2 / 2.5 − 1)
    CHECK(pareto.share_beyond(2.5, 32) == 1);
    // Least 1, greatest 4, density (4 / 3) / x²: one value in 3 is above 2; of E[X²] 2 of 3 parts.
    const Tail bounded = tail_of(choice("bounded_pareto", {{"shape", 1.0}, {"ratio", 4.0}}));
    CHECK(bounded.share_beyond(2, 3) == doctest::Approx(2. / 3));
    // σ = 1, and one value in 1 / Φ(−1.5) is above 1.5 of them: Φ(2 − 1.5).
    const Tail lognormal = tail_of(choice("lognormal", {{"squared_variation", std::exp(1.0) - 1}}));
    CHECK(lognormal.share_beyond(2, 1 / 0.0668072012688581) == doctest::Approx(0.6914624612740131));
    // Above 6 are e^−3 of a quarter and e^−1 of the rest; of E[X²] = 56 there are 17 e^−3 + 135
    // e^−1.
    const Tail mixture = tail_of(choice(
        "exponential_mixture", {{"weights", Value::List{1, 3}}, {"means", Value::List{2, 6}}}
    ));
    const double beyond = 0.25 * std::exp(-3.0) + 0.75 * std::exp(-1.0);
    const double share = (17 * std::exp(-3.0) + 135 * std::exp(-1.0)) / 56;
    CHECK(mixture.share_beyond(2, 1 / beyond) == doctest::Approx(share));
}

TEST_CASE("the variance of every time distribution is infinite where its second moment is") {
    for (const Alternative& alternative : time_distributions()) {
        for (const double shape : {1.5, 2.0, 2.5}) {
            Choice own = example_choice(alternative);
            if (alternative.name.ends_with("pareto")) {
                own.parameters.set("shape", shape);
            }
            CAPTURE(own.text());
            const Tail tail = tail_of(own);
            CHECK(
                std::isinf(make_time_distribution(own)->squared_variation())
                == (tail.least_infinite_moment <= 2)
            );
            if (tail.share_beyond) {
                CHECK(tail.share_beyond(2, 1e6) <= tail.share_beyond(2, 10));
                CHECK(tail.share_beyond(2, 10) <= tail.share_beyond(3, 10));
                CHECK(tail.share_beyond(3, 1e6) <= 1);
            }
        }
    }
}

TEST_CASE("pareto has the moments of its integrals, infinite ones too") {
    check_moments(choice("pareto", {{"shape", 3.0}, {"mean", 2.0}}), 2.0, 1.0 / 3.0);
    for (const double shape : {1.001, 1.5, 2.0}) {
        CHECK(std::isinf(make_time_distribution(choice("pareto", {{"shape", shape}})
        )->squared_variation()));
    }
    // Density a x^(−a − 1) / (1 − r^−a) from 1 to r: by Simpson's rule in ln x, also at the shapes
    // whose integrals are logarithms, and beside them.
    for (const double shape : {0.3, 0.999999, 1.0, 1.000001, 1.5, 1.999999, 2.0, 2.000001, 4.0}) {
        for (const double ratio : {1.5, 100.0, 1e5}) {
            const auto moment = [&](double k) {
                constexpr int steps = 20'000;
                const double width = std::log(ratio) / steps;
                double sum = 0;
                for (int i = 0; i <= steps; ++i) {
                    const double weight = i == 0 || i == steps ? 1 : i % 2 == 1 ? 4 : 2;
                    sum += weight * std::exp((k - shape) * i * width);
                }
                return sum * width / 3 * shape / (1 - std::pow(ratio, -shape));
            };
            const auto bounded = make_time_distribution(
                choice("bounded_pareto", {{"shape", shape}, {"ratio", ratio}, {"mean", 7.0}})
            );
            CAPTURE(shape);
            CAPTURE(ratio);
            const double variation = moment(2) / (moment(1) * moment(1)) - 1;
            CHECK(bounded->mean() == 7.0);
            CHECK(bounded->squared_variation() == doctest::Approx(variation).epsilon(1e-7));
            // The least value of mean 7, at most ratio times which every value is.
            const double least = 7.0 / moment(1);
            std::vector<double> values(2000);
            bounded->fill(test_stream, 0, values);
            const auto [low, high] = std::minmax_element(values.begin(), values.end());
            CHECK(*low >= least * (1 - 1e-9));
            CHECK(*high <= least * ratio * (1 + 1e-9));
        }
    }
}

TEST_CASE("exponential values invert the distribution function") {
    const std::vector<double> values = values_of(choice("exponential", {{"mean", 3.0}}), 2000, 77);
    for (std::size_t i = 0; i < values.size(); ++i) {
        CHECK(values[i] == doctest::Approx(3.0 * unit_exponential(77 + i)).epsilon(1e-14));
    }
}

TEST_CASE("an erlang value is the mean of its own exponential draws") {
    for (const int shape : {1, 2, 15, 16, 17, 40, 300, 512}) {
        const std::vector<double> values = values_of(choice("erlang", {{"shape", shape}}), 40, 5);
        for (std::size_t i = 0; i < values.size(); ++i) {
            double sum = 0.0;
            for (std::uint64_t d = 0; d < static_cast<std::uint64_t>(shape); ++d) {
                sum += unit_exponential((5 + i) * static_cast<std::uint64_t>(shape) + d);
            }
            CHECK(values[i] == doctest::Approx(sum / shape).epsilon(1e-13));
        }
    }
}

TEST_CASE("a mixture chooses its phase by the first draw and its value by the second") {
    const std::vector<double> values = values_of(
        choice(
            "exponential_mixture",
            {{"weights", Value::List{0, 1, 2, 1, 0}}, {"means", Value::List{9, 1, 10, 100, 9}}}
        ),
        2000
    );
    for (std::size_t i = 0; i < values.size(); ++i) {
        const double u = uniform(2 * i);
        const double mean = u < 0.25 ? 1.0 : u < 0.75 ? 10.0 : 100.0;
        CHECK(values[i] == doctest::Approx(mean * unit_exponential(2 * i + 1)).epsilon(1e-14));
    }
}

TEST_CASE("hyperexponential has balanced means") {
    // c² = 3: r = sqrt(2/4), probabilities (1 ± r)/2 with means 1/(1 ± r).
    const double r = std::sqrt(0.5);
    const std::vector<double> values =
        values_of(choice("hyperexponential", {{"squared_variation", 3.0}}), 2000);
    for (std::size_t i = 0; i < values.size(); ++i) {
        const double mean = uniform(2 * i) < (1.0 + r) / 2.0 ? 1.0 / (1.0 + r) : 1.0 / (1.0 - r);
        CHECK(values[i] == doctest::Approx(mean * unit_exponential(2 * i + 1)).epsilon(1e-13));
    }
}

TEST_CASE("lognormal values have the stated quantiles") {
    // P(X <= x) = Φ((ln x − µ)/σ), σ² = ln 3, µ = ln 5 − σ²/2; Φ by the C library's erfc.
    const double variance = std::log(3.0);
    const double location = std::log(5.0) - 0.5 * variance;
    const std::vector<double> values =
        values_of(choice("lognormal", {{"mean", 5.0}, {"squared_variation", 2.0}}), 2000);
    for (std::size_t i = 0; i < values.size(); ++i) {
        const double z = (std::log(values[i]) - location) / std::sqrt(variance);
        CHECK(0.5 * std::erfc(-z / std::sqrt(2.0)) == doctest::Approx(uniform(i)).epsilon(1e-12));
    }
}

TEST_CASE("lognormal with a tiny variation keeps it") {
    // σ = c to first order: (X − 1)/c is nearly standard normal.
    const std::vector<double> values =
        values_of(choice("lognormal", {{"squared_variation", 1e-20}}), 1000);
    const double spread = *std::max_element(values.begin(), values.end()) - 1.0;
    CHECK(spread > 2e-10);
    CHECK(spread < 5e-10);
}

TEST_CASE("moments of truncated normal values agree with numerical integration") {
    // Simpson's rule on 0 … µ + 12 σ for ∫ x^k φ((x − µ)/σ) dx, k = 0, 1, 2.
    for (const double location : {0.0, 0.3, 1.0, 2.5, 7.0, 30.0}) {
        const double sigma = 1.5;
        constexpr int intervals = 20'000;
        const double step = (location + 12.0 * sigma) / intervals;
        std::array<long double, 3> moments{};
        for (int i = 0; i <= intervals; ++i) {
            const double x = step * i;
            const double weight = i == 0 || i == intervals ? 1.0 : i % 2 == 0 ? 2.0 : 4.0;
            const double z = (x - location) / sigma;
            const double mass = weight * std::exp(-0.5 * z * z);
            moments[0] += mass;
            moments[1] += mass * x;
            moments[2] += mass * x * x;
        }
        const long double mean = moments[1] / moments[0];
        check_moments(
            choice("truncated_normal", {{"mean", location}, {"standard_deviation", sigma}}),
            static_cast<double>(mean),
            static_cast<double>(moments[2] / moments[0] / (mean * mean) - 1.0L)
        );
    }
}

TEST_CASE("truncated normal values have the stated quantiles") {
    // P(X <= x) = (Φ((x − µ)/σ) − Φ(−µ/σ)) / Φ(µ/σ); Φ by the C library's erfc.
    const auto phi = [](double x) {
        return 0.5 * std::erfc(-x / std::sqrt(2.0));
    };
    for (const double location : {0.0, 1.0, 4.0, 40.0, 1e6}) {
        const double sigma = 2.0;
        const std::vector<double> values = values_of(
            choice("truncated_normal", {{"mean", location}, {"standard_deviation", sigma}}), 2000
        );
        for (std::size_t i = 0; i < values.size(); ++i) {
            const double lost = phi(-location / sigma);
            const double below = (phi((values[i] - location) / sigma) - lost) / (1.0 - lost);
            CHECK(std::fabs(below - uniform(i)) < 1e-15 * (2.0 + location));
            CHECK(values[i] > 0.0);
        }
    }
}

TEST_CASE("large truncated normal values keep the accuracy of their tail") {
    // P(X > x) = Φ((µ − x)/σ) / Φ(µ/σ) = 1 − u; from the lower tail, 1e-16 / (1 − u) would be lost.
    const std::vector<double> values = values_of(
        choice("truncated_normal", {{"mean", 1.0}, {"standard_deviation", 2.0}}), 200'000
    );
    const double kept = 0.5 * std::erfc(-0.5 / std::sqrt(2.0));
    std::size_t seen = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
        const double above = 1.0 - uniform(i);
        if (above < 1e-4) {
            const double tail = 0.5 * std::erfc((values[i] - 1.0) / 2.0 / std::sqrt(2.0)) / kept;
            CHECK(std::fabs(tail / above - 1.0) < 1e-13);
            ++seen;
        }
    }
    CHECK(seen > 5);
}

TEST_CASE("a truncated normal distribution of any parameters is finite") {
    for (const double location : {0.0, 1e-300, 1.0, 1e15}) {
        for (const double sigma : {5e-324, 1e-300, 1.0, 1e15}) {
            const Choice one =
                choice("truncated_normal", {{"mean", location}, {"standard_deviation", sigma}});
            CAPTURE(one.text());
            const auto distribution = make_time_distribution(one);
            CHECK(std::isfinite(distribution->mean()));
            CHECK(distribution->squared_variation() >= 0.0);
            CHECK(distribution->squared_variation() < 0.571);  // π/2 − 1 of the half-normal
            for (const double value : values_of(one, 100)) {
                CHECK(value >= 0.0);
                CHECK(std::isfinite(value));
            }
        }
    }
}

TEST_CASE("weibull values are powers of exponential values") {
    for (const double shape : {0.02, 0.5, 1.0, 3.0, 1000.0}) {
        const double scale = 2.0 / std::tgamma(1.0 + 1.0 / shape);
        const std::vector<double> values =
            values_of(choice("weibull", {{"shape", shape}, {"mean", 2.0}}), 1000);
        for (std::size_t i = 0; i < values.size(); ++i) {
            const double expected = scale * std::pow(unit_exponential(i), 1.0 / shape);
            CHECK(values[i] == doctest::Approx(expected).epsilon(1e-12));
        }
    }
}

TEST_CASE("empirical gives exactly the given values in increasing order of the draw") {
    // Weights 2 : 1 : 0 : 1 on 30, 10, 99, 20 in increasing order: 10 below 1/4, 20 below 1/2.
    const std::vector<double> values = values_of(
        choice(
            "empirical",
            {{"values", Value::List{30, 10, 99, 20}}, {"weights", Value::List{2, 1, 0, 1}}}
        ),
        4000
    );
    for (std::size_t i = 0; i < values.size(); ++i) {
        const double u = uniform(i);
        CHECK(values[i] == (u < 0.25 ? 10.0 : u < 0.5 ? 20.0 : 30.0));
    }
}

TEST_CASE("empirical with very unequal weights agrees with a plain search") {
    Value::List values;
    Value::List weights;
    std::vector<double> upper;
    double total = 0.0;
    for (int i = 0; i < 300; ++i) {
        const double weight = i % 7 == 0 ? 1000.0 : i % 5 == 0 ? 0.0 : 1e-3;
        values.emplace_back(static_cast<double>(i));
        weights.emplace_back(weight);
        total += weight;
        upper.push_back(total);
    }
    const std::vector<double> drawn =
        values_of(choice("empirical", {{"values", values}, {"weights", weights}}), 20'000);
    std::size_t differences = 0;
    for (std::size_t i = 0; i < drawn.size(); ++i) {
        const auto found = std::upper_bound(upper.begin(), upper.end(), uniform(i) * total);
        differences += drawn[i] == static_cast<double>(found - upper.begin()) ? 0U : 1U;
    }
    CHECK(differences == 0);
}

TEST_CASE("distributions with one draw per value increase with the draw") {
    std::vector<std::size_t> order(20'000);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(), [](std::size_t a, std::size_t b) {
        return uniform(a) < uniform(b);
    });
    const std::vector<Choice> choices{
        choice("exponential"),
        choice("lognormal", {{"squared_variation", 1.0}}),
        choice("weibull", {{"shape", 0.7}}),
        choice("pareto", {{"shape", 1.2}}),
        choice("bounded_pareto", {{"shape", 0.5}, {"ratio", 1e6}}),
        choice("truncated_normal", {{"standard_deviation", 0.0005}}),
        choice("truncated_normal", {{"standard_deviation", 0.8}}),
        choice("truncated_normal", {{"standard_deviation", 50.0}}),
        choice("empirical", {{"values", Value::List{5, 1, 3, 2}}})};
    for (const Choice& one : choices) {
        CAPTURE(one.text());
        const std::vector<double> values = values_of(one, order.size());
        const bool increasing =
            std::is_sorted(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
                return values[a] < values[b];
            });
        CHECK(increasing);
    }
}

TEST_CASE("lists that do not belong together are refused with reason and suggestion") {
    const Value::List none;
    const Value::List two{1, 2};
    const Value::List three{1, 2, 3};
    const Value::List zeros{0, 0};
    const auto refused = [](const Choice& choice, const std::string& parameter) {
        CAPTURE(choice.text());
        const std::vector<ParameterProblem> problems = problems_of(choice);
        REQUIRE(problems.size() == 1);
        CHECK(problems[0].parameter == parameter);
        CHECK(problems[0].reason.back() == ')');
        CHECK(problems[0].suggestion.back() == '.');
        CHECK_THROWS_AS(make_time_distribution(choice), ContractViolation);
    };
    refused(choice("exponential_mixture", {{"weights", two}, {"means", three}}), "means");
    refused(choice("exponential_mixture", {{"weights", zeros}, {"means", two}}), "weights");
    refused(choice("exponential_mixture", {{"weights", none}, {"means", none}}), "weights");
    refused(choice("empirical", {{"values", none}}), "values");
    refused(choice("empirical", {{"values", two}, {"weights", three}}), "weights");
    refused(choice("empirical", {{"values", zeros}}), "values");
    refused(choice("empirical", {{"values", two}, {"weights", zeros}}), "values");
}

}  // namespace schedfarm::engine
