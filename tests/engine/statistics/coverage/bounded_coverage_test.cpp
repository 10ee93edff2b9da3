// How often intervals within the range of a quantity hold its mean, at few replications, where many
// of the ordinary ones cross an end. The same observations show what the ordinary ones do.
#include <cmath>
#include <functional>
#include <random>

#include <doctest/doctest.h>

#include "engine/statistics/bounded_interval.hpp"

#include "tests/engine/statistics/coverage.hpp"

namespace schedfarm::engine {

namespace {

constexpr std::uint32_t bounded_runs = 4000;

struct Compared {
    Coverage ordinary;
    Coverage bounded;
    std::uint32_t crossing = 0;
};

Compared compared(
    const std::function<double(std::mt19937_64&)>& draw,
    double truth,
    std::size_t n,
    const ValueRange& range
) {
    std::mt19937_64 random(37 + n);
    Compared result;
    for (std::uint32_t macro = 0; macro < bounded_runs; ++macro) {
        std::vector<double> values(n);
        for (double& value : values) {
            value = draw(random);
        }
        const Estimate ordinary = *estimate_mean(values, 0.95, IntervalMethod::student_t);
        const Estimate bounded = within(ordinary, range);
        result.ordinary.add(ordinary, truth);
        result.bounded.add(bounded, truth);
        result.crossing += bounded.interval == ordinary.interval ? 0U : 1U;
    }
    MESSAGE(
        n << " replications, " << result.crossing << " of " << bounded_runs << " cross: ordinary "
          << result.ordinary << ", within " << result.bounded
    );
    return result;
}

/// Idle time of a replication in which two jobs on average leave a processor idle for a while.
double idle(std::mt19937_64& random) {
    const int jobs = std::poisson_distribution<int>(2)(random);
    return jobs == 0 ? 0 : std::gamma_distribution<double>(jobs, 1)(random);
}

/// Not worse than the ordinary interval by 3 standard errors of the difference, nor far from .95.
void expect_as_good(const Compared& result, double least) {
    const double error =
        std::hypot(result.ordinary.standard_error(), result.bounded.standard_error());
    CHECK(result.bounded.fraction() >= result.ordinary.fraction() - z * error);
    check_band(result.bounded, least, 0.98);
}

}  // namespace

TEST_CASE("intervals of a time hold its mean as often on the log scale") {
    for (const std::size_t n : {8U, 12U, 20U, 64U}) {
        expect_as_good(compared(idle, 2, n, not_negative), 0.91);
    }
}

TEST_CASE("intervals of a share hold its mean as often on the logit scale") {
    const auto share = [](std::mt19937_64& random) {
        return 1 - 0.005 * idle(random);
    };
    for (const std::size_t n : {8U, 12U, 20U, 64U}) {
        expect_as_good(compared(share, 0.99, n, a_share), 0.91);
    }
}

TEST_CASE("of three replications the log scale is what holds the mean") {
    const auto exponential = [](std::mt19937_64& random) {
        return std::exponential_distribution<double>()(random);
    };
    const Compared result = compared(exponential, 1, 3, not_negative);
    CHECK(result.crossing > bounded_runs / 2);
    check_band(result.bounded, 0.93, 0.97);
    CHECK(result.ordinary.fraction() + z * result.ordinary.standard_error() < 0.92);
}

}  // namespace schedfarm::engine
