#include "app/report/sections/sections.hpp"

#include <limits>
#include <string>

#include <doctest/doctest.h>

#include "results_schema/tables/table_filling.hpp"
#include "results_schema/tables/typed_columns.hpp"

#include "tests/app/report/analysed_results.hpp"
#include "tests/results_schema/fillable_results.hpp"

using namespace schedfarm::tests;           // NOLINT(google-build-using-namespace)
using namespace schedfarm::app;             // NOLINT(google-build-using-namespace)
using namespace schedfarm::results_schema;  // NOLINT(google-build-using-namespace)

namespace {

constexpr double no_number = std::numeric_limits<double>::quiet_NaN();

std::string text_of(const ResultFile& results) {
    return sections_text(results, ReportFormat::text);
}

void expect_contains(const std::string& text, const std::string& part) {
    CHECK_MESSAGE(text.find(part) != std::string::npos, "no '" << part << "' in:\n" << text);
}

void expect_within_80_columns(const std::string& text) {
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = text.find('\n', begin);
        const std::string line = text.substr(begin, end - begin);
        CHECK_MESSAGE(display_width(line) <= 80, line);
        begin = end + 1;
    }
}

void add_warm_up_check(
    ResultFile& results,
    std::uint64_t cell,
    std::uint64_t cut,
    const char* verdict,
    std::uint64_t replications = 64
) {
    add_row(
        table_to_fill(results, "warm_up_checks"),
        {{"cell", cell},
         {"replications", replications},
         {"warm_up_jobs", 200},
         {"mser_cut", cut},
         {"verdict", verdict}}
    );
}

template <typename T>
void set_column(ResultFile& results, const char* table, std::string_view name, T values) {
    for (Column& column : table_to_fill(results, table).columns) {
        if (column.name == name) {
            column.data = std::move(values);
        }
    }
}

}  // namespace

TEST_CASE("a file without analyses has no sections") {
    CHECK(report_sections(two_by_two()).empty());
}

TEST_CASE("a comparison shows pair and difference and verdict and gain") {
    ResultFile results = two_by_two();
    add_comparison(results, 0, 2, 0.52, 0.02, "second smaller");
    add_comparison(results, 1, 3, 0.01, 0.02, "not decided");
    const std::string text = text_of(results);
    expect_contains(text, "Differences of mean response time");
    expect_contains(text, "utilization 0.6  fcfs - fpfs  0.520 ±0.020   <0.0001  fpfs\n");
    expect_contains(text, "utilization 0.9  fcfs - fpfs  0.0100 ±0.020   0.4000  undecided\n");
    expect_contains(text, "utilization 0.6  fcfs - fpfs  2.40 (2.10–2.70)\n");
    // Two comparisons, the most significant at .975: the family's confidence is 1 - 2 * .025.
    expect_contains(
        text,
        "p-values, and which is smaller, hold for all 2 together at 95 % (Holm),\nevery interval "
        "alone, at the level at which Holm judges it."
    );
}

TEST_CASE("a comparison of few pairs has no column for a gain, and is flagged with its skewness") {
    ResultFile results = two_by_two();
    add_comparison(results, 0, 2, 0.52, 0.02, "second smaller");
    CHECK(text_of(results).find("shorter") != std::string::npos);
    for (const char* column :
         {"width_reduction", "width_reduction_lower", "width_reduction_upper"}) {
        set_column<Reals>(results, "comparisons", column, {no_number});
    }
    CHECK(text_of(results).find("horter") == std::string::npos);
    expect_contains(text_of(results), "Of fewer than 10 pairs (4, skewness up to ±1.3)");
    set_column<Counts>(results, "comparisons", "n", {10});
    CHECK(text_of(results).find("Of fewer than") == std::string::npos);
}

TEST_CASE("a comparison names the unstable cells that it leaves out") {
    ResultFile results = two_by_two();
    table_to_fill(results, "comparisons");
    CHECK(text_of(results).find("ifferences") == std::string::npos);
    add_stability(results, 3, "unstable", 1.92, -1);
    const std::string sentence =
        "Left out are pairs with an unstable cell, whose mean says nothing: fpfs, 0.9.";
    expect_contains(text_of(results), "No differences\n\n" + sentence);
    add_comparison(results, 0, 2, 0.52, 0.02, "second smaller");
    expect_contains(text_of(results), sentence);
    CHECK(text_of(results).find("No differences") == std::string::npos);
    for (int i = 0; i < 12; ++i) {
        const std::uint64_t cell = 4 + static_cast<std::uint64_t>(i);
        add_cell(results, cell, "p" + std::to_string(i), 0.5);
        add_stability(results, cell, "unstable", 1.92, -1);
    }
    expect_contains(text_of(results), "p8, 0.5;\nand 3 more.");
}

TEST_CASE("a selection names the cell selected and after how many replications others left") {
    ResultFile results = two_by_two();
    for (const std::uint64_t cell : {0U, 2U}) {
        add_row(
            table_to_fill(results, "selections"),
            {{"group", "load.utilization=0.6"},
             {"cell", cell},
             {"metric", "response_time.mean"},
             {"n", cell == 0 ? 80 : 160},
             {"mean", 2.015},
             {"indifference", 0.05},
             {"confidence", 0.95},
             {"procedure", "kn"},
             {"standing", cell == 0 ? "eliminated" : "selected"}}
        );
    }
    const std::string text = text_of(results);
    expect_contains(text, "utilization 0.6  fcfs  2.015   80  eliminated after 80\n");
    expect_contains(text, "                 fpfs  2.015  160  selected\n");
    expect_contains(text, "With probability at least 95 %");
    expect_contains(text, "than every other by 0.05 or more; where others come closer");
    set_column<Texts>(results, "selections", "procedure", {"gsp", "gsp"});
    expect_contains(text_of(results), "from it (GSP)");
    CHECK(text.find("leading") == std::string::npos);
    CHECK(text.find("Equal") == std::string::npos);
    set_column<Texts>(results, "selections", "standing", {"equal", "selected"});
    expect_contains(text_of(results), "fcfs  2.015   80  equal\n");
    expect_contains(text_of(results), "Equal: in every replication that both have");
}

TEST_CASE("only cells without a steady state are shown and each with its evidence") {
    ResultFile results = two_by_two();
    add_stability(results, 0, "stable", 1.01, -1);
    add_stability(results, 1, "unstable", 1.0, 3);
    add_stability(results, 2, "not_stationary", 1.25, -1);
    add_stability(results, 3, "unstable", 1.92, -1);
    const std::string text = text_of(results);
    CHECK(text.find("fcfs, 0.6") == std::string::npos);
    expect_contains(text, "fcfs, 0.9  unstable        the queue passed its limit");
    expect_contains(text, "horizon.queue_limit");
    expect_contains(text, "lower the load");
    expect_contains(text, "812.5, after 100432 jobs had");
    expect_contains(text, "fpfs, 0.6  not stationary  queueing time grows by 25 %");
    expect_contains(text, "fpfs, 0.9  unstable        queueing time doubles from the first");
    expect_contains(text, "(ratio 1.92 [1.82,");
    expect_contains(text, "above that\n");
    expect_within_80_columns(text);
}

TEST_CASE("the critical ratio is named where the file says how long the warm-up is") {
    ResultFile results = two_by_two();
    add_stability(results, 3, "unstable", 1.92, -1);
    add_warm_up_check(results, 3, 100, "long enough");  // 200 of 1000 jobs: f = .2
    const std::string text = text_of(results);
    // m = .6; [2/3 (1 - .6^1.5) / .4] / [2/3 (.6^1.5 - .2^1.5) / .4] = .535242 / .375315 = 1.4261
    expect_contains(text, "above the critical 1.43)");
    CHECK(text.find("Warm-ups") == std::string::npos);
}

TEST_CASE("of a cell that theory knows to be unstable the evidence is the maximal utilization") {
    ResultFile results = two_by_two();
    add_stability(results, 3, "unstable", 1.02, -1);
    add_row(
        table_to_fill(results, "placements"),
        {{"cell", 3},
         {"rho_max", 0.75},
         {"lower", 0.75},
         {"upper", 0.75},
         {"fraction", 1.2},
         {"method", "exact"},
         {"pilot", -1}}
    );
    const std::string text = text_of(results);
    expect_contains(text, "fpfs, 0.9  unstable  the load is 1.2 of the maximal utilization, 0.75");
    CHECK(text.find("engthen") == std::string::npos);
}

TEST_CASE("loads found by bisection are shown with their interval and answers") {
    ResultFile results = two_by_two();
    add_row(
        table_to_fill(results, "saturation"),
        {{"cell", 1},
         {"rho_max", 0.7312},
         {"lower", 0.7271},
         {"upper", 0.7369},
         {"standard_error", no_number},
         {"n", 4},
         {"backlog", 0},
         {"exact", no_number},
         {"method", "drift"}}
    );
    add_row(
        table_to_fill(results, "search_steps"),
        {{"cell", 1},
         {"step", 0},
         {"first_replication", 0},
         {"replications", 4},
         {"utilization", 0.5},
         {"observed", 0.1},
         {"standard_error", 0.1},
         {"side", "above"},
         {"reliability", 0.95},
         {"median", 0.73},
         {"lower", 0.7},
         {"upper", 0.8}}
    );
    const std::string text = text_of(results);
    expect_contains(text, "Loads searched for");
    expect_contains(text, "fcfs, 0.9  0.7312 [0.7271, 0.7369]");
    expect_contains(text, "[0.700, 0.800]");
    expect_contains(text, "backlog grows");
    CHECK(text.find("by backlog") == std::string::npos);
    expect_within_80_columns(text);
}

TEST_CASE("cells that differ in backlog only make a ladder") {
    ResultFile results = make_results();
    add_saturated(results, "fpfs", 16, 0.8654, 0.002);
    add_saturated(results, "fpfs", 1, 0.7071, 0.002);
    add_saturated(results, "fcfs", 1, 0.7069, 0.002);
    std::string text = text_of(results);
    expect_contains(text, "Maximal utilization by backlog");
    expect_contains(text, "fpfs         1  0.7071 ±0.0020\n            16  0.8654 ±0.0020\n");
    expect_contains(text, "The maximal utilization depends on the backlog: state");
    CHECK(text.find("fcfs") == std::string::npos);  // one rung is no ladder
    add_saturated(results, "fcfs", 256, 0.7072, 0.002);
    text = text_of(results);
    expect_contains(text, "fcfs         1  0.7069 ±0.0020\n           256  0.7072 ±0.0020\n");
    expect_contains(text, "depends on the backlog in 1 of 2 ladders");
}

TEST_CASE("a ladder whose intervals overlap claims no dependence") {
    ResultFile results = make_results();
    add_saturated(results, "fcfs", 1, 0.7069, 0.002);
    add_saturated(results, "fcfs", 256, 0.7072, 0.002);
    expect_contains(text_of(results), "No dependence of the maximal utilization on the backlog");
}

TEST_CASE("quantiles stand side by side") {
    ResultFile results = two_by_two();
    for (const std::uint64_t cell : {0U, 2U}) {
        for (const double p : {0.5, 0.99}) {
            const double value = 2 + 10 * p;
            add_row(
                table_to_fill(results, "quantiles"),
                {{"cell", cell},
                 {"metric", "response_time"},
                 {"probability", p},
                 {"value", value},
                 {"lower", value - 0.15},
                 {"upper", value + 0.15},
                 {"confidence", 0.95},
                 {"own_mean", p > 0.9 && cell == 2 ? 0.88 * value : value + 0.1},
                 {"jobs", 4000}}
            );
        }
    }
    const std::string text = text_of(results);
    expect_contains(text, "Quantiles of response time");
    expect_contains(text, "cell       p50         p99\n");
    expect_contains(text, "fpfs, 0.6  7.00 ±0.15  11.90 ±0.15\n");
    expect_contains(text, "to 0.25 % of the value.");
    expect_contains(text, "at worst p99 by -12 % in 1 cell: too few");
}

TEST_CASE("control variates are shown beside the plain estimate") {
    ResultFile results = two_by_two();
    add_row(
        table_to_fill(results, "controlled_estimates"),
        {{"cell", 1},
         {"metric", "response_time.mean"},
         {"controls", "service_time.mean, job_size.mean"},
         {"n", 4},
         {"mean", 3.01},
         {"standard_error", 0.005},
         {"lower", 3.0},
         {"upper", 3.02},
         {"confidence", 0.95},
         {"r_squared", 0.55},
         {"loss_factor", 1.005},
         {"variance_reduction", 2.2}}
    );
    const std::string text = text_of(results);
    expect_contains(text, "fcfs, 0.9  3.010 ±0.010   3.015 ±0.020     0.55                2.20\n");
    expect_contains(text, "\n±: the longer side of a 95 % confidence interval.\n");
    expect_contains(text, "Controls of known mean: mean job size, mean service time.");
    set_column<Reals>(results, "controlled_estimates", "variance_reduction", {0.96});
    expect_contains(text_of(results), "0.96, does not pay\n");
}

TEST_CASE("only warm-ups with a warning are shown") {
    ResultFile results = two_by_two();
    add_warm_up_check(results, 0, 100, "long enough");
    add_warm_up_check(results, 1, 350, "short");
    add_warm_up_check(results, 3, 500, "not settled");
    const std::string text = text_of(results);
    CHECK(text.find("fcfs, 0.6") == std::string::npos);
    expect_contains(text, "fcfs, 0.9  MSER-5 of the average of 64 replications cuts 350 jobs, the");
    expect_contains(text, "fpfs, 0.9  the average of 64 replications does not settle");
    ResultFile single = two_by_two();
    add_warm_up_check(single, 1, 350, "short", 1);
    add_warm_up_check(single, 2, 500, "not settled", 1);
    expect_contains(text_of(single), "MSER-5 of the average of 1 replication cuts 350 jobs");
    expect_contains(text_of(single), "the average of 1 replication does not settle");
    add_stability(results, 3, "unstable", 1.92, -1);
    CHECK(text_of(results).find("does not settle") == std::string::npos);  // it never would
    expect_within_80_columns(text);
}

TEST_CASE("cells that ended before their target name the most demanding metric") {
    ResultFile results = two_by_two();
    for (Column& column : table_to_fill(results, "cells").columns) {
        if (column.name == "status") {
            std::get<Texts>(column.data).set(3, "not_met_cap");
        }
        if (column.name == "most_demanding") {
            std::get<Texts>(column.data).set(3, "queue_length.mean");
        }
    }
    // mean 3 * 5 + .03, half the interval .04: .04 / 15.03 = .27 %
    expect_contains(
        text_of(results), "fpfs, 0.9  4  cap       mean queue length      15.030 ±0.040 (0.27 %)\n"
    );
}

TEST_CASE("a cell whose target has no mean is told so and not to raise its cap") {
    ResultFile results = two_by_two();
    for (Column& column : table_to_fill(results, "cells").columns) {
        if (column.name == "status") {
            std::get<Texts>(column.data).set(3, "not_met_missing");
        }
        if (column.name == "most_demanding") {
            std::get<Texts>(column.data).set(3, "response_time.mean[class=1]");
        }
    }
    const std::string text = text_of(results);
    expect_contains(text, "fpfs, 0.9  4  no value  mean response time, class 1");
    expect_contains(text, "No value: some replications have none of the metric");
    CHECK(text.find("Raise the cap") == std::string::npos);
}

TEST_CASE("of many cells that failures leave incomplete the first are told and the others counted"
) {
    for (const int failed : {10, 13}) {
        ResultFile results = two_by_two();
        for (int i = 0; i < failed; ++i) {
            const std::uint64_t cell = table_to_fill(results, "cells").rows();
            add_cell(results, cell, "fcfs", 0.1 + 0.01 * i);
            for (Column& column : table_to_fill(results, "cells").columns) {
                if (column.name == "status") {
                    auto& texts = std::get<Texts>(column.data);
                    texts.set(texts.size() - 1, "incomplete");
                }
            }
            add_row(
                table_to_fill(results, "failures"),
                {{"cell", cell},
                 {"replication", 0},
                 {"status", "failed"},
                 {"message", "thrown"},
                 {"replay", "schedfarm replay a.yaml"}}
            );
        }
        const std::string text = text_of(results);
        std::size_t told = 0;
        for (std::size_t at = 0; (at = text.find(": incomplete.", at)) != std::string::npos; ++at) {
            ++told;
        }
        CHECK(told == 10);
        const std::string rest = "3 more cells are incomplete; table cells of the file has all.";
        CHECK((text.find(rest) != std::string::npos) == (failed == 13));
    }
}

TEST_CASE("sections follow in markdown and are left out of csv") {
    ResultFile results = two_by_two();
    add_comparison(results, 0, 2, 0.52, 0.02, "second smaller");
    expect_contains(
        sections_text(results, ReportFormat::markdown), "### Differences of mean response time"
    );
    CHECK(sections_text(results, ReportFormat::csv).empty());
}
