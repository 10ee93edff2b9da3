#include "engine/statistics/line_root.hpp"

#include <algorithm>
#include <cmath>

#include "engine/foundation/expect.hpp"
#include "engine/statistics/student_t.hpp"

namespace schedfarm::engine {

namespace {

/// A symmetric matrix of two rows: of the equations, or a covariance of a and b.
struct Symmetric {
    double first = 0;
    double mixed = 0;
    double second = 0;
};

struct Line {
    double a = 0;
    double b = 0;
    Symmetric covariance;
};

/// The matrix m⁻¹ v m⁻¹.
Symmetric sandwich(const Symmetric& m, double determinant, const Symmetric& v) {
    const double i = m.second / determinant;
    const double j = -m.mixed / determinant;
    const double k = m.first / determinant;
    return {
        i * i * v.first + 2 * i * j * v.mixed + j * j * v.second,
        i * j * v.first + (i * k + j * j) * v.mixed + j * k * v.second,
        j * j * v.first + 2 * j * k * v.mixed + k * k * v.second};
}

/// The line through the points as seen from `origin`.
std::optional<Line> fit(std::span<const LinePoint> points, double origin) {
    Symmetric m;
    double sum = 0;
    double moment = 0;
    for (const LinePoint& point : points) {
        const double x = point.at - origin;
        m.first += point.scale;
        m.mixed += x * point.scale;
        m.second += x * x * point.scale;
        sum += point.change;
        moment += x * point.change;
    }
    const double determinant = m.first * m.second - m.mixed * m.mixed;
    if (!(determinant > 1e-12 * m.first * m.second)) {
        return std::nullopt;
    }
    Line line;
    line.a = (m.second * sum - m.mixed * moment) / determinant;
    line.b = (m.first * moment - m.mixed * sum) / determinant;
    Symmetric noise;
    for (const LinePoint& point : points) {
        const double x = point.at - origin;
        const double residual = point.change - (line.a + line.b * x) * point.scale;
        noise.first += residual * residual;
        noise.mixed += x * residual * residual;
        noise.second += x * x * residual * residual;
    }
    const auto n = static_cast<double>(points.size());
    const double correction = n / (n - 2);  // two parameters are fitted
    noise.first *= correction;
    noise.mixed *= correction;
    noise.second *= correction;
    line.covariance = sandwich(m, determinant, noise);
    return line;
}

}  // namespace

std::optional<LineRoot> line_root(std::span<const LinePoint> points, double confidence) {
    SCHEDFARM_EXPECT(confidence > 0 && confidence < 1, "the confidence is not between 0 and 1");
    if (points.size() < 3) {
        return std::nullopt;
    }
    double origin = 0;
    for (const LinePoint& point : points) {
        SCHEDFARM_EXPECT(!(point.scale < 0), "a scale is negative");
        origin += point.at / static_cast<double>(points.size());
    }
    const auto line = fit(points, origin);
    if (!line || !(line->b > 0)) {
        return std::nullopt;
    }
    const auto& [a, b, covariance] = *line;
    const double t = student_t_two_sided(confidence, points.size() - 2);
    // x² · square + 2 x · middle + constant ≤ 0
    const double square = b * b - t * t * covariance.second;
    const double middle = a * b - t * t * covariance.mixed;
    const double constant = a * a - t * t * covariance.first;
    if (!(square > 0)) {
        return std::nullopt;
    }
    const double root = -a / b;
    const double reach = std::sqrt(std::max(0.0, middle * middle - square * constant));
    LineRoot result;
    result.n = points.size();
    result.root = origin + root;
    result.slope = b;
    const double variance =
        covariance.first + 2 * root * covariance.mixed + root * root * covariance.second;
    result.standard_error = std::sqrt(std::max(0.0, variance)) / b;
    result.interval = {
        origin + std::min(root, (-middle - reach) / square),
        origin + std::max(root, (-middle + reach) / square)};
    return result;
}

}  // namespace schedfarm::engine
