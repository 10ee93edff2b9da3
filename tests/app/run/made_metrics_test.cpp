#include "app/run/tables/made_metrics.hpp"

#include <cmath>
#include <string>
#include <tuple>

#include <doctest/doctest.h>

#include "results_schema/absent.hpp"
#include "results_schema/tables/table_filling.hpp"
#include "results_schema/tables/typed_columns.hpp"

#include "app/campaign/keys/run_column.hpp"

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

struct Made {
    double mean = absent;
    double lower = absent;
    double upper = absent;
    double confidence = absent;
};

/// What the table has of a cell, where the report asks for one metric.
Made made_of(ResultFile results, std::uint64_t cell, const char* metric) {
    set_attribute(results, "report_metrics", metric);
    const Table table = made_metrics_table(results);
    for (const Row& row : rows_of(table)) {
        if (row.count("cell") == cell && row.text("metric") == metric) {
            return {row.real("mean"), row.real("lower"), row.real("upper"), row.real("confidence")};
        }
    }
    return {};
}

Made of_cell(std::uint64_t cell, const char* metric) {
    return made_of(three_runs(), cell, metric);
}

}  // namespace

TEST_CASE("extremes over the replications are exact and have no interval") {
    CHECK(of_cell(0, "least a.mean").mean == 1);
    CHECK(of_cell(0, "greatest a.mean").mean == 5);
    CHECK(of_cell(0, "greatest b").mean == 2);
    CHECK(std::isnan(of_cell(0, "least a.mean").lower));
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
        const Made ratio = made_of(with_intervals(confidence, interval), 0, "a.mean / b");
        CHECK(ratio.mean == 2);
        CHECK(ratio.confidence == confidence);
        CHECK(ratio.upper - 2 == doctest::Approx(sides * error).epsilon(1e-6));
        CHECK(2 - ratio.lower == doctest::Approx(sides * error).epsilon(1e-6));
    }
}

TEST_CASE("a skewed ratio of sums is adjusted where its cell is") {
    // A / C is A's mean over 10. 2, 5, 1 have mean 8/3, deviations -2/3, 7/3, -5/3, squares 78/9,
    // cubes 210/27 = 70/9; s = sqrt(13/3), G1 = 3/2 · 70/9 / (13/3)^1.5, b = G1 / (6 sqrt 3).
    const Made ratio = made_of(with_intervals(0.9, "skew_adjusted"), 0, "a.mean / c");
    const double b = 1.5 * 70 / 9 / std::pow(13.0 / 3, 1.5) / (6 * std::sqrt(3.0));
    const double error = std::sqrt(13.0 / 9) / 10;
    const auto pivot = [b](double r) {
        return (std::cbrt(1 + 6 * b * (r - b)) - 1) / (2 * b);
    };
    CHECK(ratio.mean == doctest::Approx(8.0 / 30));
    CHECK(ratio.lower == doctest::Approx(8.0 / 30 - pivot(2.919986) * error).epsilon(1e-6));
    CHECK(ratio.upper == doctest::Approx(8.0 / 30 - pivot(-2.919986) * error).epsilon(1e-6));
}

TEST_CASE("over a resampled log a ratio of sums speaks of logs like it") {
    // Five weeks, three replications: degrees of freedom of 1 / (1/4 + 1/2), at least 1: t
    // = 6.313752 at 90 %. Variance ratio 2: the deviation 3/4 of a replication times sqrt(2 · 5/4 +
    // 1/3). No skewness.
    const Made ratio = made_of(with_intervals(0.9, "skew_adjusted", 5, 2), 0, "a.mean / b");
    const double error = 0.75 * std::sqrt(2.5 + 1.0 / 3);
    CHECK(ratio.mean == 2);
    // Its ordinary interval would reach below 0, and nothing here is negative: a log scale.
    CHECK(ratio.lower == doctest::Approx(2 / std::exp(6.313752 * error / 2)).epsilon(1e-5));
    CHECK(ratio.upper == doctest::Approx(2 * std::exp(6.313752 * error / 2)).epsilon(1e-5));
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
        return made_of(results, cell, column).mean;
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
}

TEST_CASE("exact values have their distance and slowdowns the share of one job") {
    ResultFile results = schedfarm::tests::two_by_two();
    // Cell 0: mean response time 2.015, half the interval .1.
    add_row(
        table_to_fill(results, "known_values"),
        {{"cell", 0},
         {"metric", "response_time.mean"},
         {"label", "exact"},
         {"value", 2.0},
         {"is_exact", 1},
         {"source", "a textbook"}}
    );
    double error = absent;
    double mean = absent;
    for (const Row& row : rows_of(table_to_fill(results, "estimates"))) {
        if (row.count("cell") == 0 && row.text("metric") == "response_time.mean") {
            error = row.real("standard_error");
            mean = row.real("mean");
        }
    }
    REQUIRE(error > 0);
    CHECK(
        made_of(results, 0, "z of response_time.mean").mean == doctest::Approx((mean - 2) / error)
    );
    CHECK(std::isnan(made_of(results, 1, "z of response_time.mean").mean));

    // Replications of equally many jobs with mean slowdowns 2 and 6, largest shares .5 and .25: one
    // job has 1.5 of 8.
    ResultFile slow = make_results();
    schedfarm::tests::add_cell(slow, 0, "fcfs", 0.6);
    Table& table = table_to_fill(slow, "replications");
    add_observation_column(table, "slowdown.mean", "1", "mean");
    add_observation_column(table, "slowdown.largest_share", "1", "share");
    for (std::uint64_t r = 0; r < 2; ++r) {
        add_row(
            table,
            {{"cell", 0},
             {"replication", r},
             {"fingerprint", r},
             {"jobs", 10},
             {"slowdown.mean", r == 0 ? 2.0 : 6.0},
             {"slowdown.largest_share", r == 0 ? 0.5 : 0.25}}
        );
    }
    CHECK(made_of(slow, 0, "share of the largest slowdown").mean == doctest::Approx(1.5 / 8));
}
