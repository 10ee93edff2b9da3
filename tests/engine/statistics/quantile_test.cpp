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
    // Sorted 1 2 4 8 16: their shares are 0.2, 0.4, 0.6, 0.8, 1.
    const std::vector<double> values{8, 1, 16, 4, 2};
    CHECK(quantile_of(values, 0) == 1);
    CHECK(quantile_of(values, 1) == 16);
    CHECK(quantile_of(values, 0.5) == 4);
    CHECK(quantile_of(values, 0.9) == 16);
    CHECK(quantile_of(values, 0.1) == 1);
    CHECK(quantile_of(values, 0.2) == 1);
    CHECK(quantile_of(values, 0.21) == 2);
    CHECK(quantile_of({20, 10}, 0.5) == 10);
    CHECK(quantile_of({20, 10}, 0.95) == 20);
}

TEST_CASE("a share that is written in decimals is reached by as many values as it says") {
    for (std::uint64_t n = 1; n <= 1000; ++n) {
        for (std::uint64_t k = 1; k <= n; ++k) {
            const double share = static_cast<double>(k) / static_cast<double>(n);
            if (quantile_place(n, share) != k - 1
                || quantile_place(n, std::nextafter(share, 0)) != k - 1
                || (k < n && quantile_place(n, std::nextafter(share, 1)) != k)) {
                FAIL(k << " of " << n);
            }
        }
    }
    CHECK(quantile_place(100, 0.07) == 6);  // 0.07 · 100 is above 7 in double
    CHECK(quantile_place(1, 0) == 0);
}

TEST_CASE("one value is every quantile") {
    for (const double p : {0.0, 0.3, 1.0}) {
        CHECK(quantile_of({42}, p) == 42);
    }
}

TEST_CASE("the median of an even number of values is the lower of the two in the middle") {
    CHECK(quantile_of({4, 1, 3, 2}, 0.5) == 2);
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
        const double exact = sorted[quantile_place(sorted.size(), p)];
        const auto share_of = [&](auto end) {
            return static_cast<double>(end - sorted.begin()) / static_cast<double>(sorted.size());
        };
        CHECK(share_of(std::upper_bound(sorted.begin(), sorted.end(), exact)) >= p);
        CHECK((p == 0 || share_of(std::lower_bound(sorted.begin(), sorted.end(), exact)) < p));
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
