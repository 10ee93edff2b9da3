#include "app/run/tables/reference_comparison.hpp"

#include <cmath>

#include <doctest/doctest.h>

using namespace schedfarm;       // NOLINT(google-build-using-namespace)
using namespace schedfarm::app;  // NOLINT(google-build-using-namespace)

namespace {

engine::Estimate estimate(double mean, double standard_error) {
    engine::Estimate result;
    result.n = 100;
    result.mean = mean;
    result.standard_error = standard_error;
    result.interval = {mean - 2 * standard_error, mean + 2 * standard_error};
    return result;
}

std::vector<MetricEstimate> estimates_of_fills(double loss, double standard_error, double fill_sd) {
    return {
        {"capacity_loss", estimate(loss, standard_error)},
        {"capacity_loss.fill_sd", estimate(fill_sd, 0.0001)}};
}

ReferenceValue printed(double value, std::uint64_t runs) {
    ReferenceValue reference;
    reference.metric = "capacity_loss";
    reference.value = value;
    reference.rounding = 0.0005;
    reference.runs = runs;
    return reference;
}

}  // namespace

TEST_CASE("the noise of the paper's own runs and of its rounding counts") {
    // difference -0.004; variances: ours 0.001^2, the paper's (0.1 / 100)^2, rounding 0.001^2 / 12
    const ReferenceComparison result =
        compare(printed(0.154, 10000), Cell{}, estimates_of_fills(0.150, 0.001, 0.1));
    CHECK(result.z == doctest::Approx(-0.004 / std::sqrt(2e-6 + 1e-6 / 12)).epsilon(1e-12));
    CHECK(result.verdict == "agrees");
    CHECK(
        compare(printed(0.155, 10000), Cell{}, estimates_of_fills(0.150, 0.001, 0.1)).verdict
        == "differs"
    );
}

TEST_CASE("a value whose noise is not known agrees within rounding and three standard errors") {
    const auto estimates = estimates_of_fills(0.150, 0.0001, 0.1);
    // 0.0005 + 3 * 0.0001 = 0.0008
    CHECK(compare(printed(0.1507, 0), Cell{}, estimates).verdict == "agrees");
    CHECK(compare(printed(0.1509, 0), Cell{}, estimates).verdict == "differs");
    CHECK(std::isnan(compare(printed(0.1509, 0), Cell{}, estimates).z));
}

TEST_CASE("a formula agrees when its value rounds to the printed one") {
    Cell cell;
    cell.known_values = {{"capacity_loss", "approximation eq. (4)", 0.15625, "", false}};
    ReferenceValue reference = printed(0.156, 0);
    reference.known_label = "approximation eq. (4)";
    CHECK(compare(reference, cell, {}).verdict == "agrees");
    CHECK(compare(reference, cell, {}).measured == 0.15625);
    reference.value = 0.157;
    CHECK(compare(reference, cell, {}).verdict == "differs");
    reference.known_label = "another";
    CHECK(compare(reference, cell, {}).verdict == "not measured");
}

TEST_CASE("what the gate says of an estimate stands beside the value of the paper") {
    auto estimates = estimates_of_fills(0.150, 0.001, 0.1);
    CHECK(compare(printed(0.154, 0), Cell{}, estimates).gate == GateAnswer::passed);
    estimates[0].gate = GateAnswer::tail;
    CHECK(compare(printed(0.154, 0), Cell{}, estimates).gate == GateAnswer::tail);
}

TEST_CASE("a metric without an estimate is not measured") {
    CHECK(compare(printed(0.1, 0), Cell{}, {}).verdict == "not measured");
}
