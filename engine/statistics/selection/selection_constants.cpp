#include "engine/statistics/selection/selection_constants.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "engine/foundation/elementary.hpp"
#include "engine/foundation/expect.hpp"
#include "engine/statistics/selection/selection.hpp"
#include "engine/statistics/student_t.hpp"

namespace schedfarm::engine {

namespace {

/// A point of a distribution and its share of the probability, up to a common factor.
struct Node {
    double value = 0;
    double weight = 0;
};

/// Weights below this are left out: the largest is of the order of 1.
constexpr double negligible = 1e-18;

/// A chi-square variable over its v degrees of freedom. The density of its logarithm u is
/// proportional to exp(v / 2 (u − e^u + 1)); the trapezoidal rule with half a standard deviation as
/// its step converges exponentially (Trefethen & Weideman, SIAM Rev. 56, 2014).
std::vector<Node> chi_square_nodes(double v) {
    const double step = std::min(0.25, 0.5 * std::sqrt(2 / v));
    const auto node = [&](double u) {
        const double value = exponential(u);
        return Node{value, exponential(v / 2 * (u - value + 1))};
    };
    std::vector<Node> nodes{node(0)};
    for (const double direction : {-step, step}) {
        for (double i = 1;; ++i) {
            nodes.push_back(node(i * direction));
            if (nodes.back().weight < negligible) {
                break;
            }
        }
    }
    return nodes;
}

/// The smaller part min(B, 1 − B) of a beta variable with both parameters v / 2. The density of z =
/// log((1 − B) / B) >= 0 is proportional to (B (1 − B))^(v / 2); z = scale · exp(w − e^(−w)) makes
/// it vanish at both ends of the trapezoidal rule (Takahasi & Mori 1974).
std::vector<Node> smaller_part_nodes(double v) {
    constexpr double step = 0.0625;
    const double scale = 2 / std::sqrt(v);
    std::vector<Node> nodes;
    for (int i = -60; i <= 70; ++i) {
        const double w = i * step;
        const double decay = exponential(-w);
        const double z = scale * exponential(w - decay);
        const double odds = exponential(-z);
        const double part = odds / (1 + odds);
        const double density = power(4 * part * (1 - part), v / 2);
        nodes.push_back({part, density * z * (1 + decay)});
    }
    return nodes;
}

template <typename Function>
double expectation(const std::vector<Node>& nodes, Function&& f) {
    double sum = 0;
    double weights = 0;
    for (const Node& node : nodes) {
        sum += node.weight * f(node.value);
        weights += node.weight;
    }
    return sum / weights;
}

/// The x >= 0 at which an increasing function reaches the target, at most 1e-12 of x above it: the
/// regula falsi in the Illinois form (Dowell & Jarratt 1971), bisection where rounding stops it.
template <typename Function>
double solve(double target, Function&& f) {
    double low = 0;
    double high = 1;
    double below = f(low) - target;
    double above = f(high) - target;
    for (; above < 0; above = f(high) - target) {
        low = high;
        below = above;
        high *= 2;
    }
    enum class Moved : std::uint8_t { none, lower_end, upper_end } moved = Moved::none;
    while (high - low > 1e-12 * high) {
        const double secant = high - above * (high - low) / (above - below);
        const double x = low < secant && secant < high ? secant : low + (high - low) / 2;
        const double value = f(x) - target;
        if (value < 0) {
            above = moved == Moved::lower_end ? above / 2 : above;
            low = x;
            below = value;
            moved = Moved::lower_end;
        } else {
            below = moved == Moved::upper_end ? below / 2 : below;
            high = x;
            above = value;
            moved = Moved::upper_end;
        }
    }
    return high;
}

double whole_power(double base, std::size_t exponent) {
    return power(base, static_cast<double>(exponent));
}

void check(std::size_t systems, std::uint64_t first_stage, double confidence) {
    SCHEDFARM_EXPECT(systems >= 2, "a selection among fewer than two systems");
    SCHEDFARM_EXPECT(first_stage >= 2, "a first stage without a variance");
    SCHEDFARM_EXPECT(confidence > 0 && confidence < 1, "the confidence is not between 0 and 1");
}

}  // namespace

double kn_constant(std::size_t systems, std::uint64_t first_stage, double confidence) {
    check(systems, first_stage, confidence);
    const double share = 2 * (1 - confidence) / static_cast<double>(systems - 1);
    const auto v = static_cast<double>(first_stage - 1);
    return std::max(0., (power(share, -2 / v) - 1) * v);
}

// R = S · min(B, 1 − B) with S a chi-square of 2v degrees of freedom and B an independent beta
// variable, so that the expectation over S is a tail of Student's t.
double screening_constant(std::size_t systems, std::uint64_t first_stage, double confidence) {
    check(systems, first_stage, confidence);
    const std::uint64_t v = first_stage - 1;
    const std::vector<Node> parts = smaller_part_nodes(static_cast<double>(v));
    const double keeps = power(confidence, 1 / static_cast<double>(systems - 1));
    return solve(keeps, [&](double eta) {
        return expectation(parts, [&](double part) {
            const double t = eta * std::sqrt(2 * static_cast<double>(v) * part);
            return 1 - student_t_two_sided_tail(t, 2 * v);
        });
    });
}

double rinott_constant(std::size_t systems, std::uint64_t first_stage, double confidence) {
    check(systems, first_stage, confidence);
    const std::vector<Node> nodes = chi_square_nodes(static_cast<double>(first_stage - 1));
    return solve(confidence, [&](double h) {
        return expectation(nodes, [&](double x) {
            const double wins = expectation(nodes, [&](double y) {
                return normal_probability(h / std::sqrt(1 / x + 1 / y));
            });
            return whole_power(wins, systems - 1);
        });
    });
}

}  // namespace schedfarm::engine
