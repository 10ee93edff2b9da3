#include "app/report/run_columns.hpp"

#include <cmath>
#include <string>
#include <tuple>

#include <doctest/doctest.h>

#include "results_schema/absent.hpp"
#include "results_schema/tables/table_filling.hpp"
#include "results_schema/tables/typed_columns.hpp"

#include "app/report/report.hpp"

#include "tests/app/report/analysed_results.hpp"
#include "tests/results_schema/fillable_results.hpp"

using namespace schedfarm::app;             // NOLINT(google-build-using-namespace)
using namespace schedfarm::tests;           // NOLINT(google-build-using-namespace)
using namespace schedfarm::results_schema;  // NOLINT(google-build-using-namespace)

namespace {

/// Cell 0 alone has runs: A is 2, 5, 1; B is 1, 2, 1; C is 10.
ResultFile three_runs() {
    ResultFile results = make_results();
    set_attribute(results, "campaign_name", "three runs");
    schedfarm::tests::add_cell(results, 0, "fcfs", 0.6);
    schedfarm::tests::add_cell(results, 1, "fcfs", 0.9);
    Table& table = table_to_fill(results, "replications");
    add_observation_column(table, "a.mean", "1", "A");
    add_observation_column(table, "b", "1", "B");
    add_observation_column(table, "c", "1", "C");
    const double a[] = {2, 5, 1};
    const double b[] = {1, 2, 1};
    for (std::uint64_t r = 0; r < 3; ++r) {
        add_row(
            table,
            {{"cell", 0},
             {"replication", r},
             {"fingerprint", r},
             {"jobs", 10},
             {"a.mean", a[r]},
             {"b", b[r]},
             {"c", 10.0}}
        );
    }
    return results;
}

/// The same, with these intervals asked for in cell 0.
ResultFile with_intervals(
    double confidence,
    const std::string& interval,
    std::uint64_t log_blocks = 0,
    double log_variance_ratio = absent
) {
    ResultFile results = three_runs();
    for (Column& column : table_to_fill(results, "cells").columns) {
        if (column.name == "confidence") {
            std::get<Reals>(column.data)[0] = confidence;
        } else if (column.name == "interval") {
            column.data = Texts{interval, interval};
        } else if (column.name == "log_blocks") {
            std::get<Counts>(column.data)[0] = log_blocks;
        } else if (column.name == "log_variance_ratio") {
            std::get<Reals>(column.data)[0] = log_variance_ratio;
        }
    }
    return results;
}

schedfarm::engine::Estimate of_cell(std::uint64_t cell, const char* column) {
    return run_column_estimate(three_runs(), cell, parse_run_column(column));
}

}  // namespace

TEST_CASE("extremes over the replications are exact and have no interval") {
    CHECK(of_cell(0, "least a.mean").mean == 1);
    CHECK(of_cell(0, "greatest a.mean").mean == 5);
    CHECK(of_cell(0, "greatest b").mean == 2);
    CHECK(std::isnan(of_cell(0, "least a.mean").interval.lower));
    CHECK(std::isnan(of_cell(1, "least a.mean").mean));
}

TEST_CASE("the ratio of sums has the interval that its cell has") {
    // 8 / 4 = 2; residuals 0, 1, -1, whose deviation is 1 and skewness 0; standard error
    // 1 / (sqrt 3 · 4/3) = sqrt(3) / 4. t of 2 degrees of freedom: 4.302653 at 95 %, 2.919986 at
    // 90 %. Without skewness the adjusted interval is Student's.
    const double error = std::sqrt(3.0) / 4;
    for (const auto& [interval, confidence, sides] :
         {std::tuple{"student_t", 0.95, 4.302653},
          std::tuple{"student_t", 0.9, 2.919986},
          std::tuple{"skew_adjusted", 0.9, 2.919986}}) {
        const auto ratio = run_column_estimate(
            with_intervals(confidence, interval), 0, parse_run_column("a.mean / b")
        );
        CHECK(ratio.mean == 2);
        CHECK(ratio.confidence == confidence);
        CHECK(ratio.standard_error == doctest::Approx(error).epsilon(1e-12));
        CHECK(ratio.interval.half_width() == doctest::Approx(sides * error).epsilon(1e-6));
    }
}

TEST_CASE("a skewed ratio of sums is adjusted where its cell is") {
    // A / C is A's mean over 10. 2, 5, 1 have mean 8/3, deviations -2/3, 7/3, -5/3, squares 78/9,
    // cubes 210/27 = 70/9; s = sqrt(13/3), G1 = 3/2 · 70/9 / (13/3)^1.5, b = G1 / (6 sqrt 3).
    const auto ratio = run_column_estimate(
        with_intervals(0.9, "skew_adjusted"), 0, parse_run_column("a.mean / c")
    );
    const double b = 1.5 * 70 / 9 / std::pow(13.0 / 3, 1.5) / (6 * std::sqrt(3.0));
    const double error = std::sqrt(13.0 / 9) / 10;
    const auto pivot = [b](double r) {
        return (std::cbrt(1 + 6 * b * (r - b)) - 1) / (2 * b);
    };
    CHECK(ratio.mean == doctest::Approx(8.0 / 30));
    CHECK(
        ratio.interval.lower == doctest::Approx(8.0 / 30 - pivot(2.919986) * error).epsilon(1e-6)
    );
    CHECK(
        ratio.interval.upper == doctest::Approx(8.0 / 30 - pivot(-2.919986) * error).epsilon(1e-6)
    );
}

TEST_CASE("over a resampled log a ratio of sums speaks of logs like it") {
    // Five weeks, three replications: degrees of freedom of 1 / (1/4 + 1/2), at least 1: t
    // = 6.313752 at 90 %. Variance ratio 2: the deviation 3/4 of a replication times sqrt(2 · 5/4 +
    // 1/3). No skewness.
    const auto ratio = run_column_estimate(
        with_intervals(0.9, "skew_adjusted", 5, 2), 0, parse_run_column("a.mean / b")
    );
    const double error = 0.75 * std::sqrt(2.5 + 1.0 / 3);
    CHECK(ratio.mean == 2);
    CHECK(ratio.standard_error == doctest::Approx(error).epsilon(1e-12));
    // Its ordinary interval would reach below 0, and nothing here is negative: a log scale.
    CHECK(
        ratio.interval.lower == doctest::Approx(2 / std::exp(6.313752 * error / 2)).epsilon(1e-5)
    );
    CHECK(
        ratio.interval.upper == doctest::Approx(2 * std::exp(6.313752 * error / 2)).epsilon(1e-5)
    );
}

TEST_CASE("the runs beyond an extreme are few by the number of runs alone") {
    // 1 - .05^(1/n): .95 of one run, 1 - sqrt(.05) of two; of 59 below 5 %, of 58 not (Wilks).
    CHECK(share_beyond(1, 0.95) == doctest::Approx(0.95));
    CHECK(share_beyond(2, 0.95) == doctest::Approx(1 - std::sqrt(0.05)));
    CHECK(share_beyond(59, 0.95) < 0.05);
    CHECK(share_beyond(58, 0.95) > 0.05);
}

TEST_CASE("a report has the columns of runs that the campaign asks for and says what they tell") {
    ResultFile results = schedfarm::tests::two_by_two();
    set_attribute(
        results,
        "report_metrics",
        "least response_time.mean\ngreatest response_time.mean\nqueue_length.mean / "
        "response_time.mean"
    );
    // Cell 0: responses 2.00 ... 2.03; queue lengths 6.00 ... 6.06, sums 24.12 and 8.06.
    const Report report = make_report(results);
    REQUIRE(report.rows.size() == 12);
    CHECK(report.rows[0].measured == 2);
    CHECK(report.rows[1].measured == doctest::Approx(2.03));
    CHECK(report.rows[2].measured == doctest::Approx(24.12 / 8.06));
    CHECK(report.rows[2].lower < report.rows[2].measured);
    REQUIRE(report.summary.size() == 3);
    CHECK(report.summary[0] == "±: the longer side of a 95 % confidence interval.");  // the ratio's
    CHECK(report.summary[1].find("Of fewer than 10 replications (4) the") == 0);
    // 1 - .05^(1/4) = .527
    CHECK(report.summary[2].find("of 4 runs or more") != std::string::npos);
    CHECK(report.summary[2].find("at most 53 % of") != std::string::npos);
}

TEST_CASE("wall times are medians, beyond those of another cell replication by replication") {
    // fpfs at 0.9 (cell 3): 9, 5, 7, 4 s; fcfs at 0.9 (cell 1): 1, 1, 6, 2 s in replications 0
    // to 3.
    ResultFile results = schedfarm::tests::two_by_two();
    const double seconds[2][4] = {{9, 5, 7, 4}, {1, 1, 6, 2}};
    for (std::uint64_t r = 4; r-- > 0;) {
        for (const std::uint64_t cell : {3U, 1U}) {
            add_row(
                table_to_fill(results, "timings"),
                {{"cell", cell},
                 {"replication", r},
                 {"seconds", seconds[cell == 3 ? 0 : 1][r]},
                 {"rank", 0},
                 {"run", 1},
                 {"began", 0.0}}
            );
        }
    }
    const auto of = [&](std::uint64_t cell, const char* column) {
        return median_wall_time_ms(results, cell, parse_run_column(column));
    };
    CHECK(of(3, "wall_time_ms") == 6000);
    CHECK(of(1, "wall_time_ms") == 1500);
    // 8, 4, 1, 2 s; the medians themselves differ by 4.5 s.
    CHECK(of(3, "wall_time_ms beyond fcfs") == 3000);
    CHECK(std::isnan(of(1, "wall_time_ms beyond fcfs")));
    CHECK(std::isnan(of(3, "wall_time_ms beyond 0.6")));  // cell 2 has no timings
    CHECK(std::isnan(of(0, "wall_time_ms")));
    CHECK(text_of(parse_run_column("wall_time_ms beyond fcfs")) == "wall_time_ms beyond fcfs");
    CHECK(text_of(parse_run_column("wall_time_ms")) == "wall_time_ms");

    set_attribute(results, "report_metrics", "wall_time_ms beyond fcfs");
    const Report report = make_report(results);
    REQUIRE(report.rows.size() == 4);
    CHECK(report.rows[3].measured == 3000);
    REQUIRE(report.summary.size() == 1);
    CHECK(report.summary[0].find("no results") != std::string::npos);
}
