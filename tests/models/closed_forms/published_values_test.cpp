// Exact values and printed tables: Bucur & Epema 2000, Tables 1 and 2, and saturation points of
// first-come first-served that were found by an independent program.
#include <array>
#include <cmath>

#include <doctest/doctest.h>

#include "models/closed_forms/approximations.hpp"
#include "models/closed_forms/bin_filling.hpp"
#include "models/closed_forms/saturation.hpp"

#include "tests/models/closed_forms/idle_probabilities.hpp"
#include "tests/models/closed_forms/size_probabilities.hpp"

namespace schedfarm::models::closed_forms {

namespace {

using tests::capacity_loss;
using tests::geometric_sizes;
using tests::idle_probabilities;
using tests::power_of_two_sizes;
using tests::uniform_sizes;

/// Of one cluster and jobs of one component.
double maximal_utilization_of(const SizeProbabilities& sizes, std::uint32_t processors) {
    const Fill fill =
        fill_in_order({.first_probability = 1, .first = sizes, .second = {}}, {processors});
    return maximal_utilization(fill, mean_of(sizes), processors);
}

/// Equal to all digits printed.
void check_printed(double value, double printed, int decimals) {
    CAPTURE(value);
    CAPTURE(printed);
    CHECK(std::abs(value - printed) <= 0.5 * std::pow(10.0, -decimals) * (1 + 1e-6));
}

struct Table1Row {
    std::uint32_t n1;
    std::uint32_t n2;
    double approximation;  // as the paper prints it
    double bin_filling;
    double saturated;
};

constexpr std::array<Table1Row, 10> table_1{
    {{1, 4, .031, .03125002, .03227894},
     {1, 5, .042, .04166655, .04329306},
     {1, 13, .125, .12558506, .13852612},
     {1, 16, .156, .15342253, .16852113},
     {4, 5, .056, .04882813, .05099639},
     {4, 13, .132, .13263055, .14539456},
     {4, 16, .163, .15972605, .17410632},
     {5, 13, .137, .13615258, .14908648},
     {5, 16, .166, .16332702, .17720357},
     {13, 16, .212, .09375, .09375}}};

}  // namespace

TEST_CASE("bin filling of one cluster of 32 loses what Table 1 must show exactly") {
    for (const Table1Row& row : table_1) {
        CAPTURE(row.n1);
        CAPTURE(row.n2);
        const SizeProbabilities sizes = uniform_sizes(row.n1, row.n2);
        check_printed(capacity_loss(sizes, 32), row.bin_filling, 8);
        const Fill fill =
            fill_in_order({.first_probability = 1, .first = sizes, .second = {}}, {32});
        check_printed(1 - fill.mean_placed / 32, row.bin_filling, 8);
    }
}

TEST_CASE("one saturated cluster of 32 loses what Table 1 must show exactly") {
    for (const Table1Row& row : table_1) {
        CAPTURE(row.n1);
        CAPTURE(row.n2);
        check_printed(
            1 - maximal_utilization_of(uniform_sizes(row.n1, row.n2), 32), row.saturated, 8
        );
    }
}

TEST_CASE("equation 4 gives the column of Table 1 and equals equation 3") {
    for (const Table1Row& row : table_1) {
        CAPTURE(row.n1);
        CAPTURE(row.n2);
        const double loss = loss_by_equation_4(row.n1, row.n2, 32);
        check_printed(loss, row.approximation, 3);
        CHECK(
            loss
            == doctest::Approx(loss_by_equation_3(uniform_sizes(row.n1, row.n2), 32)).epsilon(1e-13)
        );
    }
    // Eq. (5): n1 = 1 gives (n2 − 1)/(3 N).
    CHECK(loss_by_equation_4(1, 16, 32) == doctest::Approx(15.0 / 96).epsilon(1e-15));
}

TEST_CASE("the true set of idle numbers matters where the interval is narrow and high") {
    // Two jobs on [13, 16] take 26 … 32 of 32; a third never fits: 0 … 6 are left.
    CHECK(
        possible_idle_numbers(uniform_sizes(13, 16), 32)
        == std::vector<std::uint32_t>{0, 1, 2, 3, 4, 5, 6}
    );
    // All sizes there are larger than 6, so that 1 − F = 1 and the mean of I is 3.
    CHECK(loss_with_true_idle_set(uniform_sizes(13, 16), 32) == doctest::Approx(3.0 / 32));
    const SizeProbabilities wide = uniform_sizes(1, 16);
    CHECK(possible_idle_numbers(wide, 32).size() == 16);
    CHECK(loss_with_true_idle_set(wide, 32) == loss_by_equation_3(wide, 32));
}

TEST_CASE("equation 3 gives the approximation column of Table 2") {
    constexpr std::array<double, 10> printed{
        .272, .215, .163, .122, .093, .073, .058, .047, .038, .031};
    for (std::size_t i = 0; i < printed.size(); ++i) {
        CAPTURE(i);
        const double ratio = 0.95 - 0.05 * static_cast<double>(i);
        check_printed(loss_by_equation_3(geometric_sizes(ratio, 32), 32), printed[i], 3);
    }
}

TEST_CASE("bin filling with geometric sizes agrees with Table 2 within its noise") {
    constexpr std::array<double, 10> printed{
        .254, .211, .161, .123, .091, .074, .058, .046, .039, .032};
    for (std::size_t i = 0; i < printed.size(); ++i) {
        CAPTURE(i);
        const double ratio = 0.95 - 0.05 * static_cast<double>(i);
        const std::vector<double> idle = idle_probabilities(geometric_sizes(ratio, 32), 32);
        double square = 0;
        for (std::size_t n = 0; n < idle.size(); ++n) {
            square += static_cast<double>(n * n) * idle[n];
        }
        const double mean = mean_of(idle);
        const double error = std::sqrt((square - mean * mean) / 10'000) / 32;
        CHECK(std::abs(mean / 32 - printed[i]) <= 3 * error + 0.0005);
    }
}

TEST_CASE("saturation of small clusters as fractions") {
    CHECK(
        maximal_utilization_of(uniform_sizes(1, 2), 2) == doctest::Approx(6.0 / 7).epsilon(1e-14)
    );
    CHECK(
        maximal_utilization_of(uniform_sizes(1, 2), 4) == doctest::Approx(72.0 / 79).epsilon(1e-14)
    );
    CHECK(
        maximal_utilization_of(uniform_sizes(1, 4), 4)
        == doctest::Approx(640.0 / 821).epsilon(1e-14)
    );
}

TEST_CASE("saturation of larger clusters to six digits") {
    check_printed(maximal_utilization_of(uniform_sizes(1, 4), 4), .779537, 6);
    check_printed(maximal_utilization_of(uniform_sizes(1, 32), 32), .706920, 6);
    check_printed(maximal_utilization_of(uniform_sizes(1, 128), 128), .698821, 6);
    check_printed(maximal_utilization_of(power_of_two_sizes(32), 32), .634006, 6);
    check_printed(maximal_utilization_of(power_of_two_sizes(128), 128), .580937, 6);
    SizeProbabilities one_or_ten(11, 0.0);
    one_or_ten[1] = one_or_ten[10] = 0.5;
    check_printed(maximal_utilization_of(one_or_ten, 10), .649672, 6);
    SizeProbabilities one_or_32(33, 0.0);
    one_or_32[1] = 0.9;
    one_or_32[32] = 0.1;
    check_printed(maximal_utilization_of(one_or_32, 32), .387718, 6);
}

TEST_CASE("ordered bin filling agrees with Tables 3 and 4 within their noise") {
    struct Cell {
        std::uint32_t n1;
        std::uint32_t n2;
        std::vector<std::uint32_t> clusters;
        double loss;
    };
    const std::vector<std::uint32_t> four_of_8(4, 8);
    const std::vector<std::uint32_t> four_of_32(4, 32);
    const std::vector<std::uint32_t> ten_of_32(10, 32);
    const std::vector<Cell> cells{
        {1, 4, four_of_8, 1 - .685}, {1, 8, four_of_8, 1 - .578}, {1, 4, four_of_32, .146},
        {1, 5, four_of_32, .172},    {1, 13, four_of_32, .326},   {1, 16, four_of_32, .363},
        {4, 5, four_of_32, .106},    {4, 13, four_of_32, .282},   {4, 16, four_of_32, .329},
        {5, 13, four_of_32, .270},   {5, 16, four_of_32, .317},   {13, 16, four_of_32, .094},
        {1, 4, ten_of_32, .198},     {1, 5, ten_of_32, .229},     {1, 13, ten_of_32, .411},
        {1, 16, ten_of_32, .444},    {4, 5, ten_of_32, .146},     {4, 13, ten_of_32, .363},
        {4, 16, ten_of_32, .371},    {5, 13, ten_of_32, .358},    {5, 16, ten_of_32, .342},
        {13, 16, ten_of_32, .094}};
    for (const Cell& cell : cells) {
        CAPTURE(cell.n1);
        CAPTURE(cell.n2);
        CAPTURE(cell.clusters.size());
        const Fill fill = fill_in_order(
            {.first_probability = 1, .first = uniform_sizes(cell.n1, cell.n2), .second = {}},
            cell.clusters
        );
        const double processors = static_cast<double>(cell.clusters.size()) * cell.clusters[0];
        // The tables are means over 10,000 fills; a variable on [0, 1] with mean m has a variance
        // of at most m (1 - m).
        const double loss = 1 - fill.mean_placed / processors;
        const double error = std::sqrt(loss * (1 - loss) / 10'000);
        CHECK(std::abs(loss - cell.loss) <= 3 * error + 0.0005);
    }
}

}  // namespace schedfarm::models::closed_forms
