#include "app/report/run_columns.hpp"

#include <cmath>
#include <string>

#include <doctest/doctest.h>

#include "results_schema/tables/table_filling.hpp"

#include "app/report/report.hpp"

#include "tests/app/report/analysed_results.hpp"
#include "tests/results_schema/fillable_results.hpp"

using namespace schedfarm::app;             // NOLINT(google-build-using-namespace)
using namespace schedfarm::tests;           // NOLINT(google-build-using-namespace)
using namespace schedfarm::results_schema;  // NOLINT(google-build-using-namespace)

namespace {

/// Cell 0 alone has runs: A is 2, 5, 1; B is 1, 2, 1.
ResultFile three_runs() {
    ResultFile results = make_results();
    set_attribute(results, "campaign_name", "three runs");
    schedfarm::tests::add_cell(results, 0, "fcfs", 0.6);
    schedfarm::tests::add_cell(results, 1, "fcfs", 0.9);
    Table& table = table_to_fill(results, "replications");
    add_observation_column(table, "a.mean", "1", "A");
    add_observation_column(table, "b", "1", "B");
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
             {"b", b[r]}}
        );
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

TEST_CASE("the ratio of sums has the interval of the jackknife") {
    // 8 / 4 = 2. Without each run: 6/3 = 2, 3/2 = 1.5, 7/3; their mean is 35/18 and the deviations
    // 1/18, -8/18, 7/18. Standard error: sqrt(2/3 (1 + 64 + 49) / 324) = sqrt(19) / 9; t of 2
    // degrees of freedom at 97.5 % is 4.302653.
    const auto ratio = of_cell(0, "a.mean / b");
    CHECK(ratio.mean == 2);
    CHECK(ratio.standard_error == doctest::Approx(std::sqrt(19.0) / 9).epsilon(1e-12));
    CHECK(
        ratio.interval.half_width() == doctest::Approx(4.302653 * std::sqrt(19.0) / 9).epsilon(1e-6)
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
