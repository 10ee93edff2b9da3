#include "engine/statistics/selection/control_variates.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <utility>

#include "engine/foundation/expect.hpp"
#include "engine/statistics/accumulator.hpp"
#include "engine/statistics/skew_adjustment.hpp"
#include "engine/statistics/student_t.hpp"

namespace schedfarm::engine {

namespace {

using Vector = std::vector<double>;
using LowerTriangle = std::vector<Vector>;

/// A control explained by the earlier ones up to this share of its variance, or constant up to this
/// share of its mean, brings nothing but rounding errors.
constexpr double dependence = 1e-12;

double product(const Vector& a, const Vector& b) {
    return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

Accumulator accumulated(std::span<const double> values) {
    Accumulator accumulator;
    for (const double value : values) {
        accumulator.add(value);
    }
    return accumulator;
}

/// direction · length = the values less their mean; the direction has length 1 unless all are 0.
struct Centred {
    double mean = 0;
    double length = 0;
    Vector direction;
};

Centred centred(std::span<const double> values) {
    Centred result{*accumulated(values).mean(), 0, {values.begin(), values.end()}};
    for (double& value : result.direction) {
        value -= result.mean;
    }
    result.length = std::sqrt(product(result.direction, result.direction));
    for (double& value : result.direction) {
        value = result.length == 0 ? 0 : value / result.length;
    }
    return result;
}

bool varies(const Centred& control) {
    const auto n = static_cast<double>(control.direction.size());
    return control.length > dependence * std::fabs(control.mean) * std::sqrt(n);
}

/// The next row of Cholesky's factor L of the matrix of correlations, L L' = R; absent where the
/// control depends linearly on the ones before it.
std::optional<Vector> next_row(
    const LowerTriangle& lower, std::span<const Centred> controls, const Centred& next
) {
    Vector row;
    for (std::size_t j = 0; j < lower.size(); ++j) {
        const double correlation = product(next.direction, controls[j].direction);
        const double known = std::inner_product(row.begin(), row.end(), lower[j].begin(), 0.0);
        row.push_back((correlation - known) / lower[j][j]);
    }
    const double unexplained = 1 - product(row, row);
    if (!(unexplained > dependence)) {
        return std::nullopt;
    }
    row.push_back(std::sqrt(unexplained));
    return row;
}

/// L⁻¹ x.
Vector forward(const LowerTriangle& lower, Vector x) {
    for (std::size_t i = 0; i < x.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j) {
            x[i] -= lower[i][j] * x[j];
        }
        x[i] /= lower[i][i];
    }
    return x;
}

/// L'⁻¹ x.
Vector backward(const LowerTriangle& lower, Vector x) {
    for (std::size_t i = x.size(); i-- > 0;) {
        for (std::size_t j = i + 1; j < x.size(); ++j) {
            x[i] -= lower[j][i] * x[j];
        }
        x[i] /= lower[i][i];
    }
    return x;
}

/// What the controls leave of the observations, both around their means.
Vector residuals(const Centred& observed, std::span<const Centred> controls, const Vector& slopes) {
    Vector result(observed.direction.size());
    for (std::size_t i = 0; i < result.size(); ++i) {
        result[i] = observed.length * observed.direction[i];
        for (std::size_t j = 0; j < slopes.size(); ++j) {
            result[i] -= slopes[j] * controls[j].direction[i];
        }
    }
    return result;
}

struct Factored {
    std::vector<Centred> controls;
    LowerTriangle lower;
};

/// Absent where a control is constant or depends linearly on the ones before it.
std::optional<Factored> factor(std::span<const Control> controls) {
    Factored result;
    for (const Control& control : controls) {
        Centred next = centred(control.values);
        auto row = varies(next) ? next_row(result.lower, result.controls, next) : std::nullopt;
        if (!row) {
            return std::nullopt;
        }
        result.lower.push_back(std::move(*row));
        result.controls.push_back(std::move(next));
    }
    return result;
}

/// The coordinates of one observation of the controls along orthonormal directions: L⁻¹ times its
/// row.
Vector coordinates(const Factored& factored, std::size_t row) {
    Vector at;
    for (const Centred& control : factored.controls) {
        at.push_back(control.direction[row]);
    }
    return forward(factored.lower, std::move(at));
}

/// θ + (n − 1)(θ − θ_i) with the estimate θ_i without observation i: by the rank-one update of
/// least squares θ − θ_i = g e / (1 − h), where the estimate is Σ g y, e is the residual and h the
/// leverage of the observation. Empty where one observation alone decides a weight (h = 1).
Vector pseudo_values(
    const Factored& factored, const Vector& distance, const Vector& unexplained, double estimate
) {
    const auto n = static_cast<double>(unexplained.size());
    Vector values;
    for (std::size_t i = 0; i < unexplained.size(); ++i) {
        const Vector at = coordinates(factored, i);
        const double free = 1 - 1 / n - product(at, at);
        if (!(free > dependence)) {
            return {};
        }
        const double share = 1 / n - product(at, distance);
        values.push_back(estimate + (n - 1) * share * unexplained[i] / free);
    }
    return values;
}

/// The skew-adjusted interval of the pseudo-values with the given degrees of freedom.
Estimate jackknifed(
    std::span<const double> values, double confidence, std::uint64_t degrees_of_freedom
) {
    Estimate estimate = *estimate_mean(values, confidence, IntervalMethod::skew_adjusted);
    const double t = student_t_two_sided(confidence, degrees_of_freedom);
    const double b = skew_coefficient(estimate.skewness, estimate.n);
    estimate.interval = {
        estimate.mean - pivot_of_student(t, b) * estimate.standard_error,
        estimate.mean - pivot_of_student(-t, b) * estimate.standard_error};
    return estimate;
}

double ratio_of_counts(std::size_t a, std::size_t b) {
    return static_cast<double>(a) / static_cast<double>(b);
}

}  // namespace

std::optional<ControlledEstimate> estimate_with_controls(
    std::span<const double> observations, std::span<const Control> controls, double confidence
) {
    const std::size_t n = observations.size();
    const std::size_t q = controls.size();
    for (const Control& control : controls) {
        SCHEDFARM_EXPECT(control.values.size() == n, "a control of another length");
    }
    const auto factored = n < fewest_with_controls(q) ? std::nullopt : factor(controls);
    if (!factored) {
        return std::nullopt;
    }
    const Centred observed = centred(observations);
    Vector slopes;  ///< on the directions of the controls
    Vector shifts;  ///< of the controls' means from their exact ones, in lengths
    for (std::size_t j = 0; j < q; ++j) {
        const Centred& control = factored->controls[j];
        slopes.push_back(observed.length * product(control.direction, observed.direction));
        shifts.push_back((control.mean - controls[j].mean) / control.length);
    }
    slopes = backward(factored->lower, forward(factored->lower, std::move(slopes)));
    const Vector unexplained = residuals(observed, factored->controls, slopes);
    const Vector distance = forward(factored->lower, shifts);
    const double regression = observed.mean - product(slopes, shifts);
    Vector values = pseudo_values(*factored, distance, unexplained, regression);
    if (values.empty()) {
        return std::nullopt;
    }
    ControlledEstimate result;
    result.estimate = jackknifed(values, confidence, n - q - 1);
    for (std::size_t j = 0; j < q; ++j) {
        result.weights.push_back(slopes[j] / factored->controls[j].length);
    }
    const double squares = observed.length * observed.length;
    const double left = squares == 0 ? 1 : product(unexplained, unexplained) / squares;
    result.r_squared = 1 - left * ratio_of_counts(n - 1, n - q - 1);
    result.loss_factor = ratio_of_counts(n - 2, n - q - 2);
    const double plain = squares * ratio_of_counts(1, n) / static_cast<double>(n - 1);
    const double controlled = result.estimate.standard_error * result.estimate.standard_error;
    result.pseudo_values = std::move(values);
    result.variance_reduction = squares == 0 ? 1 : plain / controlled;
    return result;
}

}  // namespace schedfarm::engine
