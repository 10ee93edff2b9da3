#include "engine/statistics/agreement.hpp"

#include <cmath>
#include <cstdint>
#include <vector>

#include <doctest/doctest.h>

#include "engine/foundation/hash.hpp"

namespace schedfarm::engine {
namespace {

using Values = std::vector<double>;

/// By the definition, pair after pair.
double tau_by_pairs(const Values& first, const Values& second) {
    double difference = 0;
    double untied_first = 0;
    double untied_second = 0;
    for (std::size_t i = 0; i < first.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j) {
            const int a = (first[i] > first[j]) - (first[i] < first[j]);
            const int b = (second[i] > second[j]) - (second[i] < second[j]);
            difference += a * b;
            untied_first += a != 0 ? 1 : 0;
            untied_second += b != 0 ? 1 : 0;
        }
    }
    return difference / std::sqrt(untied_first * untied_second);
}

TEST_CASE("rank agreement of hand-computed pairs") {
    CHECK(kendall_tau_b(Values{1, 2, 3}, Values{10, 20, 30}) == doctest::Approx(1));
    CHECK(kendall_tau_b(Values{1, 2, 3}, Values{3, 2, 1}) == doctest::Approx(-1));
    // (1, 1) (2, 3) (3, 2) (4, 4): of six pairs one, the middle ones, is discordant.
    CHECK(kendall_tau_b(Values{4, 1, 3, 2}, Values{4, 1, 2, 3}) == doctest::Approx(4.0 / 6));
    // Ties: first 0 0 1 2 has one tied pair, second 5 7 7 9 has one; of the other pairs (0, 2),
    // (0, 3), (1, 3) and (2, 3) all are concordant: 4 / sqrt(5 · 5).
    CHECK(kendall_tau_b(Values{0, 0, 1, 2}, Values{5, 7, 7, 9}) == doctest::Approx(4.0 / 5));
    // A pair tied in both: first 0 0 1, second 4 4 3: two discordant of 2 · 2.
    CHECK(kendall_tau_b(Values{0, 0, 1}, Values{4, 4, 3}) == doctest::Approx(-1));
}

TEST_CASE("without an order there is no rank agreement") {
    CHECK(std::isnan(kendall_tau_b(Values{}, Values{})));
    CHECK(std::isnan(kendall_tau_b(Values{1}, Values{2})));
    CHECK(std::isnan(kendall_tau_b(Values{0, 0, 0}, Values{1, 2, 3})));
    CHECK(std::isnan(kendall_tau_b(Values{1, 2, 3}, Values{0, 0, 0})));
}

TEST_CASE("rank agreement is that of the definition for all kinds of ties") {
    std::uint64_t word = 1;
    const auto draw = [&word](std::uint64_t below) {
        word = mix(word + 1);
        return static_cast<double>(word % below);
    };
    for (std::size_t n = 2; n < 90; ++n) {
        for (const std::uint64_t values : {2U, 5U, 1000U}) {
            Values first;
            Values second;
            for (std::size_t i = 0; i < n; ++i) {
                first.push_back(draw(values));
                second.push_back(draw(2) == 0 ? first.back() : draw(values));
            }
            const double expected = tau_by_pairs(first, second);
            const double found = kendall_tau_b(first, second);
            if (std::isnan(expected) ? !std::isnan(found) : std::abs(found - expected) > 1e-12) {
                FAIL(n << " pairs of " << values << " values: " << found << ", not " << expected);
            }
        }
    }
}

TEST_CASE("agreement of hand-computed waits") {
    // Recorded 0, 100, 1000, 5000; 10 % or 60 s: 60 of 0 is in, 161 of 100 is not (61 > 60), 1100
    // of 1000 is (100 <= 100), 4499 of 5000 is not (501 > 500).
    const Agreement found =
        agreement(Values{0, 100, 1000, 5000}, Values{60, 161, 1100, 4499}, {0.1, 60});
    CHECK(found.n == 4);
    CHECK(found.recorded_mean == 6100.0 / 4);
    CHECK(found.modelled_mean == 5820.0 / 4);
    CHECK(found.share_within == 0.5);
    CHECK(found.rank_agreement == doctest::Approx(1));
}

TEST_CASE("nothing agrees with nothing") {
    const Agreement found = agreement({}, {}, {0.1, 60});
    CHECK(found.n == 0);
    CHECK(std::isnan(found.recorded_mean));
    CHECK(std::isnan(found.modelled_mean));
    CHECK(std::isnan(found.share_within));
    CHECK(std::isnan(found.rank_agreement));
}

}  // namespace
}  // namespace schedfarm::engine
