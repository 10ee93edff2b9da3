#include "engine/statistics/quantile.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include <doctest/doctest.h>

#include "engine/foundation/expect.hpp"
#include "engine/foundation/hash.hpp"

namespace schedfarm::engine {
namespace {

double quantile_of(std::vector<double> values, double p) {
    return sample_quantile(values, p);
}

TEST_CASE("quantiles of a hand-computed sample") {
    // Sorted 1 2 4 8 16; h = 4p: p = 0.5 → x[2]; p = 0.9 → h = 3.6 → 8 + 0.6 · 8 = 12.8;
    // p = 0.1 → h = 0.4 → 1 + 0.4 · 1.
    const std::vector<double> values{8, 1, 16, 4, 2};
    CHECK(quantile_of(values, 0) == 1);
    CHECK(quantile_of(values, 1) == 16);
    CHECK(quantile_of(values, 0.5) == 4);
    CHECK(quantile_of(values, 0.9) == doctest::Approx(12.8).epsilon(1e-15));
    CHECK(quantile_of(values, 0.1) == doctest::Approx(1.4).epsilon(1e-15));
}

TEST_CASE("one value is every quantile") {
    for (const double p : {0.0, 0.3, 1.0}) {
        CHECK(quantile_of({42}, p) == 42);
    }
}

TEST_CASE("the median of an even number of values is the midpoint") {
    CHECK(quantile_of({4, 1, 3, 2}, 0.5) == 2.5);
}

TEST_CASE("quantiles agree with a full sort and do not depend on the order") {
    std::vector<double> values(1001);
    for (std::size_t i = 0; i < values.size(); ++i) {
        values[i] = static_cast<double>(mix(i) >> 40);
    }
    std::vector<double> sorted = values;
    std::sort(sorted.begin(), sorted.end());
    std::vector<double> reversed(values.rbegin(), values.rend());
    for (const double p : {0.0, 0.001, 0.0123, 0.25, 0.5, 0.95, 0.9995, 1.0}) {
        const double h = 1000 * p;
        const auto i = static_cast<std::size_t>(h);
        const double next = i < 1000 ? sorted[i + 1] : sorted[i];
        const double exact = sorted[i] + (h - std::floor(h)) * (next - sorted[i]);
        CHECK(quantile_of(values, p) == exact);
        CHECK(quantile_of(reversed, p) == exact);
    }
}

TEST_CASE("quantiles of nothing and beyond the ends break the contract") {
    CHECK_THROWS_AS(quantile_of({}, 0.5), ContractViolation);
    CHECK_THROWS_AS(quantile_of({1, 2}, 1.5), ContractViolation);
    CHECK_THROWS_AS(quantile_of({1, 2}, std::nan("")), ContractViolation);
}

}  // namespace
}  // namespace schedfarm::engine
