#include "app/report/number_text.hpp"

#include <cmath>
#include <limits>
#include <random>
#include <string>

#include <doctest/doctest.h>

using namespace schedfarm::app;  // NOLINT(google-build-using-namespace)

namespace {

constexpr double none = std::numeric_limits<double>::quiet_NaN();

}  // namespace

TEST_CASE("metrics are called what a researcher calls them") {
    CHECK(metric_text("response_time.mean") == "mean response time");
    CHECK(metric_text("least response_time.mean") == "least mean response time");
    CHECK(metric_text("greatest offline_ratio") == "greatest offline ratio");
    CHECK(
        metric_text("response_time.mean / service_time.mean")
        == "mean response time / mean service time"
    );
    CHECK(metric_text("wall_time_ms beyond easy") == "wall time ms beyond easy");
    CHECK(metric_text("response_time.p95") == "response time p95");
    CHECK(metric_text("response_time.p99.9") == "response time p99.9");
    CHECK(metric_text("job_size.count[class=2]") == "jobs, class 2");
    CHECK(metric_text("response_time.mean[class=2]") == "mean response time, class 2");
    CHECK(metric_text("bounded_slowdown.p99[class=0]") == "bounded slowdown p99, class 0");
    CHECK(metric_text("gross_utilization") == "gross utilization");
    CHECK(metric_text("capacity_loss.fill_sd") == "capacity loss, s.d. of a fill");
}

TEST_CASE("seconds are shown in the largest unit of which the greatest is three") {
    const auto shown = [](double greatest) {
        return shown_unit("s", greatest).name;
    };
    CHECK(shown(179) == "s");
    CHECK(shown(180) == "min");
    CHECK(shown(-10799) == "min");
    CHECK(shown(10800) == "h");
    CHECK(shown(259200) == "d");
    CHECK(shown(none) == "s");
    CHECK(shown_unit("s", 7e5).own == 86400);
    CHECK(shown_unit("time units", 7e5).own == 1);
    CHECK(shown_unit("time units", 7e5).suffix().empty());
    CHECK(shown_unit("s", 20).suffix() == " s");
}

TEST_CASE("an estimate has no more digits than its interval supports") {
    CHECK(interval_text(3.21456, 3.19456, 3.23456) == "3.215 ±0.020");
    CHECK(interval_text(1234.5, 1200, 1269) == "1234 ±34");  // half 34.5: to even
    CHECK(interval_text(12345, 12000, 12690) == "12340 ±340");
    CHECK(interval_text(2915665, 1698429, 4132901) == "2920000 ±1200000");
    CHECK(interval_text(0.5, 0.5, 0.5) == "0.50000 ±0");
    CHECK(interval_text(1, 1 - 0x1p-50, 1 + 0x1p-50) == "1.00000 ±8.9e-16");  // rounding
    CHECK(interval_text(1.309, 1.280, 1.353) == "1.309 ±0.044");  // the longer side, not 0.0365
    CHECK(interval_text(1.309, 1.265, 1.338) == "1.309 ±0.044");
    CHECK(interval_text(2.5, none, none) == "2.500");
    CHECK(interval_text(0.0123456, none, none) == "0.01235");
    CHECK(interval_text(-98765.4, none, none) == "-98765");
    CHECK(interval_text(0, none, none) == "0.00000");
    CHECK(interval_text(none, 1, 2).empty());
}

TEST_CASE("an interval of which one side is more than twice the other is printed by its ends") {
    CHECK(interval_text(20220, 13205, 59830) == "20200 [13000, 60000]");
    CHECK(interval_text(20220, 13205, 34250) == "20200 ±14000");  // exactly twice
    CHECK(interval_text(0.5, 0.1, 0.6) == "0.500 [0.10, 0.60]");
    const double infinity = std::numeric_limits<double>::infinity();
    CHECK(interval_text(23.25, 20.25, infinity) == "23.2 [20.2, ∞)");  // two digits of 3
    CHECK(interval_text(1, 1, 1 + 0x1p-50) == "1.00000 ±8.9e-16");     // rounding of a constant
}

TEST_CASE("a long interval takes no digit from its estimate nor from its shorter end") {
    CHECK(interval_text(2.96, -124.7, 6.46) == "2.96 [-120, 6.5]");
    CHECK(interval_text(13322, -10000, 40000) == "13300 ±27000");
    CHECK(interval_text(-47.9, -3012, 2916) == "-47.9 ±3000");
    CHECK(interval_text(189.6, 12, 2100) == "190 [12, 2100]");
    CHECK(interval_text(0, 0, 0.0458) == "0.000 [0.000, 0.046]");
    CHECK(interval_text(3.126e-12, -1, 1) == "3.13e-12 ±1.0");
}

namespace {

double number_at(const std::string& text, const std::string& mark) {
    return std::stod(text.substr(text.find(mark) + mark.size()));
}

/// Whether what is printed lies within half a unit of that digit of the value.
bool shows(double printed, double value, int digit) {
    const double first = value == 0 ? 0 : std::floor(std::log10(std::fabs(value)));
    return std::fabs(printed - value) <= 0.5000001 * std::pow(10, first + 1 - digit);
}

/// Of any size from 1e-12 to 1e12 and either sign.
double any_number(std::mt19937_64& random) {
    std::uniform_real_distribution<double> exponent(-12, 12);
    const double value = std::pow(10, exponent(random));
    return random() % 2 == 0 ? value : -value;
}

}  // namespace

TEST_CASE("of any interval three digits of the estimate are right and two of every end") {
    std::mt19937_64 random(37);
    for (int i = 0; i < 20'000; ++i) {
        const double value = any_number(random);
        const double lower = value - std::fabs(any_number(random));
        const double upper = i % 3 == 0 ? 2 * value - lower : value + std::fabs(any_number(random));
        const auto style = i % 2 == 0 ? IntervalStyle::plus_minus : IntervalStyle::bounds;
        const std::string text = interval_text(value, lower, upper, style, i % 5);
        CAPTURE(text);
        REQUIRE(shows(std::stod(text), value, 3));
        if (text.find("±") != std::string::npos) {
            REQUIRE(shows(number_at(text, "±"), longer_side(value, lower, upper), 2));
        } else {
            REQUIRE(shows(number_at(text, "["), lower, 2));
            REQUIRE(shows(number_at(text, ", "), upper, 2));
        }
        REQUIRE(shows(std::stod(interval_text(value, none, none)), value, 3));
    }
}

TEST_CASE("intervals are all printed by their ends where the campaign wants it") {
    const auto bounds = IntervalStyle::bounds;
    CHECK(interval_text(3.21456, 3.19456, 3.23456, bounds) == "3.215 [3.195, 3.235]");
    CHECK(interval_text(3.21456, 3.19456, 3.23456, bounds, 1) == "3.21 [3.2, 3.2]");
    CHECK(interval_text(2.5, none, none, bounds) == "2.500");
    CHECK(interval_note({0.95}, bounds) == "[ ]: the ends of a 95 % confidence interval.");
    CHECK(
        interval_note({0.9, 0.95}) == "±: the longer side of a 90 % or 95 % confidence interval."
    );
}

TEST_CASE("shares are rounded to what matters") {
    CHECK(percent_text(0.95) == "95 %");
    CHECK(percent_text(0.975) == "97.5 %");
}
