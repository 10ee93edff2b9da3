#include "app/report/number_text.hpp"

#include <limits>

#include <doctest/doctest.h>

using namespace schedfarm::app;  // NOLINT(google-build-using-namespace)

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

TEST_CASE("an estimate has no more digits than its interval supports") {
    CHECK(interval_text(3.21456, 3.19456, 3.23456) == "3.215 ±0.020");
    CHECK(interval_text(1234.5, 1200, 1269) == "1234 ±34");  // half 34.5: to even
    CHECK(interval_text(12345, 12000, 12690) == "12340 ±340");
    CHECK(interval_text(2915665, 1698429, 4132901) == "2900000 ±1200000");
    CHECK(interval_text(0.5, 0.5, 0.5) == "0.50000 ±0.00000");
    CHECK(interval_text(1, 1 - 1e-14, 1 + 1e-14) == "1.00000 ±0.00000");
    CHECK(interval_text(1.309, 1.280, 1.353) == "1.309 ±0.044");  // the longer side, not 0.0365
    CHECK(interval_text(1.309, 1.265, 1.338) == "1.309 ±0.044");
    const double nan = std::numeric_limits<double>::quiet_NaN();
    CHECK(interval_text(2.5, nan, nan) == "2.500");
    CHECK(interval_text(0.0123456, nan, nan) == "0.01235");
    CHECK(interval_text(-98765.4, nan, nan) == "-98765");
    CHECK(interval_text(0, nan, nan) == "0.00000");
    CHECK(interval_text(nan, 1, 2).empty());
}

TEST_CASE("an interval of which one side is more than twice the other is printed by its ends") {
    CHECK(interval_text(20220, 13205, 59830) == "20000 [13000, 60000]");
    CHECK(interval_text(20220, 13205, 34250) == "20000 ±14000");  // exactly twice
    CHECK(interval_text(0.5, 0.1, 0.6) == "0.50 [0.10, 0.60]");
    const double infinity = std::numeric_limits<double>::infinity();
    CHECK(interval_text(23.25, 20.25, infinity) == "23.2 [20.2, ∞)");  // two digits of 3
    CHECK(interval_text(1, 1, 1 + 1e-15) == "1.00000 ±0.00000");       // rounding of a constant
}

TEST_CASE("intervals are all printed by their ends where the campaign wants it") {
    const auto bounds = IntervalStyle::bounds;
    CHECK(interval_text(3.21456, 3.19456, 3.23456, bounds) == "3.215 [3.195, 3.235]");
    CHECK(interval_text(3.21456, 3.19456, 3.23456, bounds, 1) == "3.2 [3.2, 3.2]");
    const double nan = std::numeric_limits<double>::quiet_NaN();
    CHECK(interval_text(2.5, nan, nan, bounds) == "2.500");
    CHECK(interval_note({0.95}, bounds) == "[ ]: the ends of a 95 % confidence interval.");
    CHECK(
        interval_note({0.9, 0.95}) == "±: the longer side of a 90 % or 95 % confidence interval."
    );
}

TEST_CASE("p-values and shares are rounded to what matters") {
    CHECK(p_text(0.01234) == "0.0123");
    CHECK(p_text(1e-12) == "<0.0001");
    CHECK(percent_text(0.95) == "95 %");
    CHECK(percent_text(0.975) == "97.5 %");
}
