// Hand-computed values of the classical queues.
#include "models/closed_forms/queues.hpp"

#include <doctest/doctest.h>

#include "engine/foundation/expect.hpp"

namespace schedfarm::models::closed_forms {

using doctest::Approx;

TEST_CASE("one server is M/M/1: mean wait rho/(1 - rho)") {
    for (const double rho : {0.1, 0.5, 0.9}) {
        CHECK(mmc_wait(1, rho, 1) == Approx(rho / (1 - rho)).epsilon(1e-14));
        CHECK(mg1_wait(rho, 1, 1) == Approx(rho / (1 - rho)).epsilon(1e-14));
    }
}

TEST_CASE("two servers: mean response 1/(1 - rho^2), a service of 1 in it") {
    for (const double rho : {0.1, 0.5, 0.9}) {
        CHECK(mmc_wait(2, 2 * rho, 1) + 1 == Approx(1 / (1 - rho * rho)).epsilon(1e-14));
    }
}

TEST_CASE("three servers at load two by hand") {
    // p0 = 1/(1 + 2 + 2 + (8/6)/(1 − 2/3)) = 1/9; C = (8/6)/(1 − 2/3) · p0 = 4/9.
    CHECK(erlang_c(3, 2) == Approx(4.0 / 9).epsilon(1e-14));
    // Rate 1/2 and mean service 4: C · 4 / (3 − 2).
    CHECK(mmc_wait(3, 0.5, 4) == Approx(16.0 / 9).epsilon(1e-14));
}

TEST_CASE("deterministic service halves the wait of M/M/1") {
    CHECK(mg1_wait(0.8, 1, 0) == Approx(2).epsilon(1e-14));
    CHECK(mg1_wait(0.8, 1, 3) == Approx(8).epsilon(1e-14));
}

TEST_CASE("an unstable queue has no mean") {
    CHECK_THROWS_AS(mmc_wait(2, 2, 1), engine::ContractViolation);
    CHECK_THROWS_AS(mg1_wait(1, 1, 1), engine::ContractViolation);
}

}  // namespace schedfarm::models::closed_forms
