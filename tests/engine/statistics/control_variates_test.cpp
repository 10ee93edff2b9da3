#include "engine/statistics/selection/control_variates.hpp"

#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "engine/foundation/expect.hpp"
#include "engine/statistics/student_t.hpp"

#include "tests/engine/statistics/normal_draws.hpp"

namespace schedfarm::engine {
namespace {

using Values = std::vector<double>;
using Matrix = std::vector<std::vector<long double>>;

/// The inverse by Gauss and Jordan with the largest pivot of each column.
Matrix inverse(Matrix a) {
    const std::size_t n = a.size();
    for (std::size_t i = 0; i < n; ++i) {
        a[i].resize(2 * n, 0);
        a[i][n + i] = 1;
    }
    for (std::size_t column = 0; column < n; ++column) {
        std::size_t pivot = column;
        for (std::size_t i = column; i < n; ++i) {
            pivot = std::fabs(a[i][column]) > std::fabs(a[pivot][column]) ? i : pivot;
        }
        std::swap(a[column], a[pivot]);
        const long double divisor = a[column][column];
        for (long double& value : a[column]) {
            value /= divisor;
        }
        for (std::size_t i = 0; i < n; ++i) {
            const long double factor = i == column ? 0 : a[i][column];
            for (std::size_t j = 0; j < 2 * n; ++j) {
                a[i][j] -= factor * a[column][j];
            }
        }
    }
    for (auto& row : a) {
        row.erase(row.begin(), row.begin() + static_cast<std::ptrdiff_t>(n));
    }
    return a;
}

struct LeastSquares {
    std::vector<long double> coefficients;  ///< the intercept first
    long double residual_squares = 0;
    long double intercept_variance = 0;
};

/// The regression of y on 1 and x − μ: its intercept is the controlled mean, and the classical
/// variance of that intercept is its variance.
LeastSquares least_squares(const Values& y, const std::vector<Control>& controls) {
    const std::size_t p = controls.size() + 1;
    const auto regressor = [&](std::size_t i, std::size_t j) -> long double {
        return j == 0 ? 1
                      : static_cast<long double>(controls[j - 1].values[i]) - controls[j - 1].mean;
    };
    Matrix normal(p, std::vector<long double>(p, 0));
    std::vector<long double> right(p, 0);
    for (std::size_t i = 0; i < y.size(); ++i) {
        for (std::size_t j = 0; j < p; ++j) {
            right[j] += regressor(i, j) * y[i];
            for (std::size_t k = 0; k < p; ++k) {
                normal[j][k] += regressor(i, j) * regressor(i, k);
            }
        }
    }
    const Matrix inverted = inverse(normal);
    LeastSquares result;
    for (std::size_t j = 0; j < p; ++j) {
        long double coefficient = 0;
        for (std::size_t k = 0; k < p; ++k) {
            coefficient += inverted[j][k] * right[k];
        }
        result.coefficients.push_back(coefficient);
    }
    for (std::size_t i = 0; i < y.size(); ++i) {
        long double residual = y[i];
        for (std::size_t j = 0; j < p; ++j) {
            residual -= result.coefficients[j] * regressor(i, j);
        }
        result.residual_squares += residual * residual;
    }
    result.intercept_variance =
        result.residual_squares / static_cast<long double>(y.size() - p) * inverted[0][0];
    return result;
}

struct Example {
    Values y;
    std::vector<Values> x;
    std::vector<Control> controls;
};

/// q controls on scales from 1 to 10^4, each correlated with the one before.
void make_example(Example& example, std::size_t q, std::size_t n, std::uint32_t run) {
    const Values z = normal_draws(10 + q, run, (q + 1) * n);
    example.y.assign(z.end() - static_cast<std::ptrdiff_t>(n), z.end());
    example.x.assign(q, Values(n));
    for (std::size_t j = 0; j < q; ++j) {
        const double scale = std::pow(10., static_cast<double>(j));
        for (std::size_t i = 0; i < n; ++i) {
            const double neighbour = j == 0 ? 0 : z[(j - 1) * n + i];
            example.x[j][i] = scale * (3 + z[j * n + i] + neighbour);
            example.y[i] += (0.5 + static_cast<double>(j)) * z[j * n + i];
        }
        example.controls.push_back({example.x[j], 3 * scale});
    }
}

void check_close(double value, long double exact) {
    CHECK(value == doctest::Approx(static_cast<double>(exact)).epsilon(1e-10));
}

/// The jackknife's pseudo-values by as many regressions as there are observations.
Values pseudo_values_of(const Example& example) {
    const std::size_t n = example.y.size();
    const auto without = [](Values values, std::size_t i) {
        values.erase(values.begin() + static_cast<std::ptrdiff_t>(i));
        return values;
    };
    const long double all = least_squares(example.y, example.controls).coefficients[0];
    Values values;
    for (std::size_t i = 0; i < n; ++i) {
        Example rest;
        rest.y = without(example.y, i);
        for (const Values& x : example.x) {
            rest.x.push_back(without(x, i));
        }
        for (std::size_t j = 0; j < rest.x.size(); ++j) {
            rest.controls.push_back({rest.x[j], example.controls[j].mean});
        }
        const long double left = least_squares(rest.y, rest.controls).coefficients[0];
        const auto count = static_cast<long double>(n);
        values.push_back(static_cast<double>(count * all - (count - 1) * left));
    }
    return values;
}

TEST_CASE("one to five controls agree with the jackknife of an independent regression") {
    constexpr std::size_t n = 60;
    for (std::size_t q = 1; q <= 5; ++q) {
        for (std::uint32_t run = 0; run < 5; ++run) {
            Example example;
            make_example(example, q, n, run);
            const auto result = estimate_with_controls(example.y, example.controls, 0.9);
            const LeastSquares oracle = least_squares(example.y, example.controls);
            const auto plain = estimate_mean(example.y, 0.9, IntervalMethod::student_t);
            const auto exact =
                estimate_mean(pseudo_values_of(example), 0.9, IntervalMethod::skew_adjusted);
            REQUIRE(result);
            CHECK(result->estimate.n == n);
            CHECK(result->estimate.method == IntervalMethod::skew_adjusted);
            check_close(result->estimate.mean, exact->mean);
            check_close(result->estimate.standard_error, exact->standard_error);
            for (std::size_t j = 0; j < q; ++j) {
                check_close(result->weights[j], oracle.coefficients[j + 1]);
            }
            // The sides are those of exact, but for t of n − q − 1 degrees of freedom in place of n
            // − 1.
            const double b = exact->skewness / (6 * std::sqrt(60.));
            const auto side = [b](double t) {
                return (std::cbrt(1 + 6 * b * (t - b)) - 1) / (2 * b);
            };
            const double t = student_t_two_sided(0.9, n - q - 1);
            CHECK(
                result->estimate.interval.upper
                == doctest::Approx(exact->mean - side(-t) * exact->standard_error).epsilon(1e-9)
            );
            CHECK(
                result->estimate.interval.lower
                == doctest::Approx(exact->mean - side(t) * exact->standard_error).epsilon(1e-9)
            );
            const double left =
                static_cast<double>(oracle.residual_squares) / static_cast<double>(n - q - 1);
            const double variance = plain->standard_error * plain->standard_error * 60;
            CHECK(result->r_squared == doctest::Approx(1 - left / variance).epsilon(1e-10));
            const double gain = plain->standard_error / exact->standard_error;
            CHECK(result->variance_reduction == doctest::Approx(gain * gain).epsilon(1e-9));
            CHECK(result->loss_factor == doctest::Approx(58. / static_cast<double>(n - q - 2)));
        }
    }
}

TEST_CASE("without controls the estimate is the plain mean") {
    const Values y{2, 3, 5, 6, 9, 4, 7, 1, 3, 8};
    const auto result = estimate_with_controls(y, {}, 0.95);
    const auto plain = estimate_mean(y, 0.95, IntervalMethod::skew_adjusted);
    REQUIRE(result);
    CHECK(result->estimate.mean == doctest::Approx(plain->mean).epsilon(1e-15));
    CHECK(result->estimate.standard_error == doctest::Approx(plain->standard_error).epsilon(1e-14));
    CHECK(result->estimate.interval.upper == doctest::Approx(plain->interval.upper).epsilon(1e-14));
    CHECK(result->estimate.skewness == doctest::Approx(plain->skewness));
    CHECK(std::fabs(result->r_squared) < 1e-15);
    CHECK(result->variance_reduction == doctest::Approx(1).epsilon(1e-14));
}

TEST_CASE("controls that explain nothing have an adjusted R² around 0 and do not pay") {
    constexpr int runs = 400;
    double r_squared = 0;
    double squares = 0;
    int paying = 0;
    for (std::uint32_t run = 0; run < runs; ++run) {
        const Values z = normal_draws(22, run, 120);
        const std::vector<Control> controls{
            {std::span(z).subspan(40, 40), 0}, {std::span(z).subspan(80, 40), 0}};
        const auto result = estimate_with_controls(std::span(z).first(40), controls, 0.95);
        r_squared += result->r_squared / runs;
        squares += result->r_squared * result->r_squared / runs;
        paying += result->variance_reduction > 1 ? 1 : 0;
    }
    const double error = std::sqrt((squares - r_squared * r_squared) / runs);
    CHECK(std::fabs(r_squared) < 3 * error);  // not adjusted: 2 / 39 = .051, some 14 errors
    CHECK(paying < runs / 2);
}

TEST_CASE("a replication that decides a weight alone leaves no estimate") {
    Values x(40, 0.0);
    x[17] = 1;
    const Values y = normal_draws(23, 1, 40);
    const std::vector<Control> controls{{x, 0}};
    CHECK_FALSE(estimate_with_controls(y, controls, 0.95));
}

TEST_CASE("dependent or constant controls and too few replications give nothing") {
    const Values y = normal_draws(20, 0, 40);
    const Values x1 = normal_draws(20, 1, 40);
    const Values x2 = normal_draws(20, 2, 40);
    Values sum(40);
    for (std::size_t i = 0; i < 40; ++i) {
        sum[i] = 1e5 * (0.1 * x1[i] - 0.7 * x2[i]) + 3;
    }
    const Values constant(40, 0.1);
    const std::vector<Control> fine{{x1, 0}, {x2, 0}};
    const std::vector<Control> twice{{x1, 0}, {x1, 0}};
    const std::vector<Control> combined{{x1, 0}, {x2, 0}, {sum, 3}};
    const std::vector<Control> fixed{{constant, 0.1}};
    CHECK(estimate_with_controls(y, fine, 0.95));
    CHECK_FALSE(estimate_with_controls(y, twice, 0.95));
    CHECK_FALSE(estimate_with_controls(y, combined, 0.95));
    CHECK_FALSE(estimate_with_controls(y, fixed, 0.95));
    Values rounded = constant;  // one value differs by what rounding does
    rounded[7] = std::nextafter(0.1, 1);
    const std::vector<Control> nearly_fixed{{rounded, 0.1}};
    CHECK_FALSE(estimate_with_controls(y, nearly_fixed, 0.95));
    const std::vector<Control> short_ones{
        {std::span(x1).first(29), 0}, {std::span(x2).first(29), 0}};
    CHECK_FALSE(estimate_with_controls(std::span(y).first(29), short_ones, 0.95));
    CHECK_THROWS_AS(estimate_with_controls(y, short_ones, 0.95), ContractViolation);
}

TEST_CASE("a NaN makes the estimate NaN and equal observations have no error") {
    const Values x = normal_draws(21, 1, 20);
    Values y(20, 7.0);
    const std::vector<Control> controls{{x, 0}};
    const auto equal = estimate_with_controls(y, controls, 0.95);
    REQUIRE(equal);
    CHECK(equal->estimate.mean == 7);
    CHECK(equal->estimate.standard_error == 0);
    CHECK(equal->variance_reduction == 1);
    y[3] = std::numeric_limits<double>::quiet_NaN();
    CHECK(std::isnan(estimate_with_controls(y, controls, 0.95)->estimate.mean));
}

}  // namespace
}  // namespace schedfarm::engine
