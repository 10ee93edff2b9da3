#include "engine/statistics/selection/selection.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <vector>

#include <doctest/doctest.h>

#include "engine/foundation/expect.hpp"
#include "engine/statistics/selection/selection_walk.hpp"

#include "tests/engine/statistics/normal_draws.hpp"

namespace schedfarm::engine {
namespace {

using Values = std::vector<double>;
using Systems = std::vector<Values>;

SelectionDecision decided(const Systems& systems, const SelectionSettings& settings) {
    const std::vector<std::span<const double>> spans(systems.begin(), systems.end());
    return select(spans, settings);
}

Systems prefixes(const Systems& systems, const std::vector<std::size_t>& lengths) {
    Systems result = systems;
    for (std::size_t i = 0; i < result.size(); ++i) {
        result[i].resize(std::min(lengths[i], result[i].size()));
    }
    return result;
}

void check_same(const SelectionDecision& a, const SelectionDecision& b) {
    CHECK(a.state == b.state);
    CHECK(a.selected == b.selected);
    for (std::size_t i = 0; i < a.systems.size(); ++i) {
        CHECK(a.systems[i].eliminated == b.systems[i].eliminated);
        CHECK(a.systems[i].n == b.systems[i].n);
        CHECK(a.systems[i].wanted == b.systems[i].wanted);
    }
}

// Two systems, n0 = 3, α = 0.05, δ = 1: h² = 18. The differences 1, 2, 3 have S² = 1, so that the
// region is (18 − n) / (2 n) wide: 2.5 at 3, 1.75 at 4, 1.3 at 5.
Systems two_systems() {
    return {{1, 0, -1, 0, 0}, {2, 2, 2, 2, 2}};
}

SelectionSettings hand_worked() {
    SelectionSettings settings;
    settings.indifference = 1;
    settings.first_stage = 3;
    settings.round = 1;
    settings.max = 100;
    return settings;
}

/// Systems of equal variance 1 around the given means.
Systems normal_systems(std::uint32_t run, const Values& means, std::size_t n) {
    const Values noise = normal_draws(30, run, means.size() * n);
    Systems systems;
    for (std::size_t i = 0; i < means.size(); ++i) {
        Values system(n);
        for (std::size_t j = 0; j < n; ++j) {
            system[j] = means[i] + noise[i * n + j];
        }
        systems.push_back(system);
    }
    return systems;
}

TEST_CASE("KN eliminates by hand when the difference leaves the region") {
    // The mean difference is 2 at n = 3 (inside 2.5) and 2 at n = 4 (outside 1.75).
    const SelectionDecision at_3 = decided(prefixes(two_systems(), {3, 5}), hand_worked());
    CHECK(at_3.state == SelectionState::go_on);
    CHECK_FALSE(at_3.selected);
    for (const SystemStatus& system : at_3.systems) {
        CHECK_FALSE(system.eliminated);
        CHECK(system.n == 3);
        CHECK(system.wanted == 4);
    }
    const SelectionDecision at_4 = decided(two_systems(), hand_worked());
    CHECK(at_4.state == SelectionState::selected);
    CHECK(at_4.selected == 0);
    CHECK_FALSE(at_4.systems[0].eliminated);
    CHECK(at_4.systems[1].eliminated);
    CHECK(at_4.systems[0].n == 4);
    CHECK(at_4.systems[1].n == 4);
    CHECK(at_4.systems[1].wanted == 4);
}

TEST_CASE("the largest of the negated systems is the smallest of the systems") {
    Systems negated = two_systems();
    for (Values& system : negated) {
        for (double& value : system) {
            value = -value;
        }
    }
    SelectionSettings settings = hand_worked();
    settings.best = Best::largest;
    CHECK(decided(two_systems(), settings).selected == 1);
    check_same(decided(negated, settings), decided(two_systems(), hand_worked()));
}

TEST_CASE("KN looks at the ends of rounds only") {
    SelectionSettings settings = hand_worked();
    settings.round = 2;
    const SelectionDecision before = decided(prefixes(two_systems(), {4, 4}), settings);
    CHECK(before.state == SelectionState::go_on);
    CHECK(before.systems[0].n == 3);
    CHECK(before.systems[0].wanted == 5);
    const SelectionDecision after = decided(two_systems(), settings);
    CHECK(after.state == SelectionState::selected);
    CHECK(after.systems[1].n == 5);
}

TEST_CASE("an eliminated system needs nothing more while the others go on") {
    // The third system is 10 behind the first with differences 9, 10, 11 of S² = 1: with k = 3 the
    // region at n = 3 is (2 (1 / 0.05 − 1) − 3) / 6 = 35 / 6 wide.
    Systems three = two_systems();
    three.push_back({10, 10, 10});
    const SelectionDecision decision = decided(prefixes(three, {3, 3, 3}), hand_worked());
    CHECK(decision.state == SelectionState::go_on);
    CHECK(decision.systems[2].eliminated);
    CHECK(decision.systems[2].n == 3);
    CHECK(decision.systems[2].wanted == 3);
    CHECK(decision.systems[0].wanted == 4);
    CHECK(decision.systems[1].wanted == 4);
    // h² = 2 (20 − 1) = 38, n h² S² / δ² − δ n: (38 − n) / (2 n) falls below 2 at n = 8.
    three[0].resize(8, 0);
    three[1].resize(8, 2);
    const SelectionDecision later = decided(three, hand_worked());
    CHECK(later.selected == 0);
    CHECK(later.systems[1].n == 8);
}

TEST_CASE("Kim and Nelson's constant by hand") {
    // k = 2, n0 = 3, α = 0.05: η = (0.1^(−1) − 1) / 2 = 4.5, h² = 2 · 4.5 · 2 = 18.
    CHECK(kn_constant(2, 3, 0.95) == doctest::Approx(18).epsilon(1e-14));
    // k = 10, n0 = 10: η = ((0.1 / 9)^(−2/9) − 1) / 2, h² = 18 η.
    const double exact = 9 * (std::pow(90, 2. / 9) - 1);
    CHECK(kn_constant(10, 10, 0.95) == doctest::Approx(exact).epsilon(1e-13));
    // A confidence that a choice by lot would reach needs nothing.
    CHECK(kn_constant(2, 10, 0.5) == 0);
    CHECK(kn_constant(2, 10, 0.4) == 0);
    CHECK_THROWS_AS(kn_constant(1, 10, 0.95), ContractViolation);
}

TEST_CASE("a first stage that is not there is asked for") {
    SelectionSettings settings = hand_worked();
    const SelectionDecision decision = decided({{1, 2}, {1, 2, 3, 4}, {}}, settings);
    CHECK(decision.state == SelectionState::go_on);
    for (const SystemStatus& system : decision.systems) {
        CHECK(system.n == 0);
        CHECK(system.wanted == 3);
    }
}

TEST_CASE("of systems that share all their numbers the first is selected") {
    const Values same{3, 1, 4, 1, 5};
    const SelectionDecision decision = decided({same, same, same}, hand_worked());
    CHECK(decision.state == SelectionState::selected);
    CHECK(decision.selected == 0);
    CHECK(decision.systems[2].n == 3);
}

TEST_CASE("the cap ends a selection with the best so far") {
    SelectionSettings settings;
    settings.indifference = 0.01;
    settings.first_stage = 10;
    settings.round = 16;
    settings.max = 50;
    const Systems systems = normal_systems(0, {0.2, 0, 0.1}, 60);
    const auto mean = [&](std::size_t i) {
        double sum = 0;
        for (std::size_t n = 0; n < 50; ++n) {
            sum += systems[i][n];
        }
        return sum;
    };
    const SelectionDecision decision = decided(systems, settings);
    CHECK(decision.state == SelectionState::cap_reached);
    REQUIRE(decision.selected);
    for (std::size_t i = 0; i < 3; ++i) {
        CHECK_FALSE(decision.systems[i].eliminated);
        CHECK(decision.systems[i].n == 50);
        CHECK(mean(*decision.selected) <= mean(i));
    }
    check_same(decision, decided(prefixes(systems, {50, 50, 50}), settings));
    CHECK(decided(prefixes(systems, {50, 49, 50}), settings).systems[1].wanted == 50);
    // A cap below the first stage screens nothing.
    settings.max = 4;
    const SelectionDecision early = decided(systems, settings);
    CHECK(early.state == SelectionState::cap_reached);
    CHECK(early.systems[0].n == 4);
}

TEST_CASE("of systems that are equal at the cap the first is selected") {
    // The differences −2, 0, 2 have S² = 4: the region (72 − n) / (2 n) is open at 3.
    SelectionSettings settings = hand_worked();
    settings.max = 3;
    const SelectionDecision decision = decided({{1, 2, 3}, {3, 2, 1}}, settings);
    CHECK(decision.state == SelectionState::cap_reached);
    CHECK(decision.selected == 0);
}

TEST_CASE("what equals the best to the bit is said to, and nothing else") {
    // The second and the fourth are the best; the third is better in one replication of 500,
    // and then is the best; the first is worst.
    for (const double gain : {0.0, 1e-9}) {
        Systems systems = normal_systems(3, {1, 0, 0, 0}, 500);
        systems[2] = systems[3] = systems[1];
        systems[2][0] -= gain;
        SelectionSettings settings;
        settings.indifference = 0.5;
        settings.first_stage = 10;
        settings.max = 500;
        const SelectionDecision decision = decided(systems, settings);
        CHECK(decision.state == SelectionState::selected);
        CHECK(decision.selected == (gain > 0 ? 2 : 1));
        CHECK_FALSE(decision.systems[0].equals_best);
        CHECK_FALSE(decision.systems[1].equals_best);
        CHECK(decision.systems[2].equals_best == (gain == 0));
        CHECK(decision.systems[3].equals_best == (gain == 0));
    }
}

TEST_CASE("NaN is never selected") {
    for (const std::size_t position : {5U, 30U}) {
        Systems systems = normal_systems(1, {0, 0.1}, 500);
        systems[0][position] = std::numeric_limits<double>::quiet_NaN();
        SelectionSettings settings;
        settings.indifference = 0.5;
        settings.first_stage = 10;
        settings.max = 500;
        const SelectionDecision decision = decided(systems, settings);
        CHECK(decision.state == SelectionState::cap_reached);
        CHECK(decision.selected == 1);
    }
}

/// Walks with pauses at which exactly what was wanted is there, and checks at each that one
/// replication less is not enough and that what runs ahead decides nothing.
SelectionDecision walk_with_pauses(const Systems& all, const SelectionSettings& settings) {
    std::vector<std::size_t> lengths(all.size(), 0);
    for (;;) {
        SelectionDecision decision = decided(prefixes(all, lengths), settings);
        if (decision.state != SelectionState::go_on) {
            return decision;
        }
        std::vector<std::size_t> fewer;
        std::size_t last = 0;
        for (std::size_t i = 0; i < all.size(); ++i) {
            const SystemStatus& system = decision.systems[i];
            lengths[i] = std::max<std::size_t>(lengths[i], system.wanted);
            fewer.push_back(lengths[i] + i % 2);
            last = system.wanted > system.n ? i : last;
        }
        fewer[last] = decision.systems[last].wanted - 1;
        check_same(decided(prefixes(all, fewer), settings), decision);
    }
}

TEST_CASE("a selection is the same function of the prefixes wherever it pauses") {
    for (std::uint32_t run = 0; run < 40; ++run) {
        SelectionSettings settings;
        settings.best = run % 2 == 0 ? Best::smallest : Best::largest;
        settings.indifference = 0.5;
        settings.first_stage = 10;
        settings.round = 1 + run % 7;
        const Systems all = normal_systems(run, {0, 0.4, -0.4, 0.8, 0}, 3000);
        const SelectionDecision whole = decided(all, settings);
        CHECK(whole.state == SelectionState::selected);
        check_same(walk_with_pauses(all, settings), whole);
    }
}

TEST_CASE("settings out of range break the contract") {
    const auto with = [](auto change) {
        SelectionSettings settings = hand_worked();
        change(settings);
        return settings;
    };
    const auto no_zone = with([](SelectionSettings& s) { s.indifference = 0; });
    const auto no_variance = with([](SelectionSettings& s) { s.first_stage = 1; });
    const auto no_round = with([](SelectionSettings& s) { s.round = 0; });
    const auto certain = with([](SelectionSettings& s) { s.confidence = 1; });
    for (const SelectionSettings& settings : {no_zone, no_variance, no_round, certain}) {
        CHECK_THROWS_AS(decided(two_systems(), settings), ContractViolation);
    }
    CHECK_THROWS_AS(decided({{1, 2, 3}}, hand_worked()), ContractViolation);
}

}  // namespace
}  // namespace schedfarm::engine
