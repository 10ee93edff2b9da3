#include "app/report/report.hpp"

#include <stdexcept>
#include <vector>

#include <doctest/doctest.h>

#include "results_schema/tables/table_filling.hpp"

#include "tests/app/report/analysed_results.hpp"
#include "tests/results_schema/fillable_results.hpp"

using schedfarm::app::layout;
using schedfarm::app::make_report;
using schedfarm::app::render;
using schedfarm::app::Report;
using schedfarm::app::ReportFormat;
using schedfarm::app::ReportRow;
using schedfarm::results_schema::absent;
using schedfarm::results_schema::add_row;
using schedfarm::results_schema::ResultFile;
using schedfarm::results_schema::set_attribute;
using schedfarm::tests::make_results;
using schedfarm::tests::table_to_fill;

namespace {

/// One bin-filling cell with an exact value: loss 0.0312 with standard error 0.0001.
ResultFile one_cell() {
    ResultFile results = make_results();
    set_attribute(results, "campaign_name", "one cell");
    add_row(
        table_to_fill(results, "cells"),
        {{"cell", 0},
         {"label", "[1, 4]"},
         {"experiment", "bin_filling"},
         {"policy", "fcfs"},
         {"workload", "w"},
         {"clusters", "[32]"},
         {"utilization", 0.5},
         {"replications_used", 10},
         {"replications_computed", 12},
         {"log_blocks", 0},
         {"status", "fixed"},
         {"most_demanding", ""},
         {"replication_key", "k"},
         {"resolved", "{}"},
         {"confidence", 0.95},
         {"interval", "skew_adjusted"},
         {"log_variance_ratio", absent},
         {"log_block_unit", "none"}}
    );
    add_row(
        table_to_fill(results, "factors"),
        {{"cell", 0}, {"factor", "sizes"}, {"label", "[1, 4]"}, {"number", 0.0}}
    );
    add_row(
        table_to_fill(results, "estimates"),
        {{"cell", 0},
         {"metric", "capacity_loss"},
         {"n", 10},
         {"mean", 0.0312},
         {"standard_error", 0.0001},
         {"lower", 0.0310},
         {"upper", 0.0314},
         {"confidence", 0.95},
         {"skewness", 0.0},
         {"method", "student_t"},
         {"given_log_lower", schedfarm::app::absent},
         {"given_log_upper", schedfarm::app::absent},
         {"unit", "1"}}
    );
    add_row(
        table_to_fill(results, "known_values"),
        {{"cell", 0},
         {"metric", "capacity_loss"},
         {"label", "exact"},
         {"value", 0.0315},
         {"is_exact", 1},
         {"source", "theory"}}
    );
    return results;
}

std::vector<double>& reals(ResultFile& results, const char* table, const char* name) {
    for (auto& candidate : table_to_fill(results, table).columns) {
        if (candidate.name == name) {
            return std::get<std::vector<double>>(candidate.data);
        }
    }
    throw std::out_of_range(name);
}

void add_reference(
    ResultFile& results, std::uint64_t cell = 0, const char* column = "bin filling"
) {
    add_row(
        table_to_fill(results, "reference"),
        {{"cell", cell},
         {"metric", "capacity_loss"},
         {"known_label", ""},
         {"column", column},
         {"value", 0.031},
         {"rounding", 0.0005},
         {"runs", 10000},
         {"measured", 0.0312},
         {"standard_error", 0.0001},
         {"lower", 0.0310},
         {"upper", 0.0314},
         {"z", 0.5},
         {"verdict", "agrees"},
         {"note", ""}}
    );
}

}  // namespace

TEST_CASE("a report without reference values shows estimates beside theory") {
    const Report report = make_report(one_cell());
    REQUIRE(report.rows.size() == 1);
    CHECK(report.rows[0].levels == std::vector<std::string>{"[1, 4]"});
    CHECK(report.rows[0].measured == 0.0312);
    CHECK(report.rows[0].known == 0.0315);
    CHECK(report.rows[0].known_z == doctest::Approx(-3));  // (0.0312 - 0.0315) / 0.0001
    CHECK(report.rows[0].replications == 10);
    CHECK_FALSE(report.has_references);
}

TEST_CASE("only a value of the cell itself is called theory") {
    ResultFile results = one_cell();
    const auto text_of_label = [&results](const std::string& label, std::int64_t is_exact) {
        for (auto& column : table_to_fill(results, "known_values").columns) {
            if (column.name == "label") {
                std::get<schedfarm::results_schema::Texts>(column.data).set(0, label);
            } else if (column.name == "is_exact") {
                std::get<std::vector<std::int64_t>>(column.data)[0] = is_exact;
            }
        }
        return render(layout(make_report(results), ReportFormat::markdown), ReportFormat::markdown);
    };
    for (const char* label : {"approximation eq. (4)", "exact from empty"}) {
        const std::string text = text_of_label(label, label[0] == 'e' ? 1 : 0);
        CHECK(text.find("| theory |") != std::string::npos);
        CHECK(text.find(std::string("theory: ") + label) != std::string::npos);
    }
    const std::string beside = text_of_label("M/M/1 at the same arrival rate", 0);
    CHECK(beside.find("theory") == std::string::npos);
    CHECK(beside.find("| M/M/1 at the same arrival rate |") != std::string::npos);
    CHECK(beside.find("| 0.03120 ±0.00020 | 0.03150 |") != std::string::npos);
}

TEST_CASE("intervals of a report are printed as its file says") {
    ResultFile results = one_cell();
    const auto text = [&results] {
        return render(layout(make_report(results), ReportFormat::markdown), ReportFormat::markdown);
    };
    CHECK(text().find("[ ]") == std::string::npos);
    reals(results, "estimates", "upper")[0] = 0.0320;
    CHECK(text().find("| 0.03120 [0.03100, 0.03200] |") != std::string::npos);
    CHECK(
        text().find("[ ]: its ends, where one side is more than twice the other.")
        != std::string::npos
    );
    reals(results, "estimates", "upper")[0] = 0.0314;
    set_attribute(results, "report_intervals", "bounds");
    CHECK(text().find("| 0.03120 [0.03100, 0.03140] |") != std::string::npos);
    CHECK(text().find("[ ]: the ends of a 95 % confidence interval.") != std::string::npos);
}

TEST_CASE("a report with reference values prints the paper's digits beside ours") {
    ResultFile results = one_cell();
    add_reference(results);
    const Report report = make_report(results);
    const std::string text = render(layout(report, ReportFormat::text), ReportFormat::text);
    CHECK(
        text.find("[1, 4]  bin filling  0.031  0.03120 ±0.00020  0.03150  0.5  agrees")
        != std::string::npos
    );
    CHECK(text.find("bin filling: 1 of 1 agree (largest |z| 0.5).") != std::string::npos);
    // Sentences are paragraphs in Markdown; a terminal breaks them into lines.
    const std::string markdown =
        render(layout(report, ReportFormat::markdown), ReportFormat::markdown);
    CHECK(markdown.find("its own noise and rounding included; a percentage") != std::string::npos);
}

TEST_CASE("rows beside a paper's values are told apart, by all factors if need be") {
    ResultFile results = schedfarm::tests::two_by_two();
    set_attribute(results, "report_rows", "load.utilization");
    add_reference(results, 0, "fcfs");
    add_reference(results, 2, "fpfs");
    const std::vector<std::string> utilization{"load.utilization"};
    CHECK(make_report(results).factors == utilization);

    ResultFile unnamed = schedfarm::tests::two_by_two();
    set_attribute(unnamed, "report_rows", "load.utilization");
    add_reference(unnamed, 0, "");
    CHECK(make_report(unnamed).factors == utilization);
    CHECK(make_report(unnamed).rows[0].column.empty());
    CHECK(make_report(unnamed).summary[0] == "1 of 1 agree (largest |z| 0.5).");
    add_reference(unnamed, 2, "");
    const Report report = make_report(unnamed);
    CHECK(report.factors == std::vector<std::string>{"policy", "load.utilization"});
    REQUIRE(report.rows.size() == 2);
    CHECK(report.rows[0].levels != report.rows[1].levels);
    for (auto& column : table_to_fill(unnamed, "reference").columns) {
        if (column.name == "metric") {
            std::get<schedfarm::results_schema::Texts>(column.data).set(1, "response_time.mean");
        }
    }
    CHECK(make_report(unnamed).rows[0].column == "capacity loss");
    CHECK(make_report(unnamed).rows[1].column == "mean response time");
}

TEST_CASE("a report says what ± is, where people read it") {
    const auto text_of = [](const ResultFile& results, ReportFormat format) {
        return render(layout(make_report(results), format), format, 60);
    };
    const std::string line = "\n±: the longer side of a 95 % confidence interval.\n";
    ResultFile results = schedfarm::tests::two_by_two();
    for (const ReportFormat format : {ReportFormat::text, ReportFormat::markdown}) {
        CHECK(text_of(results, format).find(line) != std::string::npos);
    }
    CHECK(text_of(results, ReportFormat::latex).find("longer side") != std::string::npos);
    CHECK(text_of(results, ReportFormat::csv).find("longer side") == std::string::npos);

    reals(results, "estimates", "confidence")[0] = 0.9;
    CHECK(
        text_of(results, ReportFormat::text)
            .find("\n±: the longer side of a 90 % or 95 % confidence interval.\n")
        != std::string::npos
    );
    for (const char* end : {"lower", "upper"}) {
        for (double& value : reals(results, "estimates", end)) {
            value = schedfarm::app::absent;
        }
    }
    CHECK(text_of(results, ReportFormat::text).find("±") == std::string::npos);

    ResultFile printed = one_cell();
    add_reference(printed);
    CHECK(text_of(printed, ReportFormat::text).find(line) != std::string::npos);
}

TEST_CASE("replications that are all equal are told with the rule of three") {
    const auto text_of = [](const ResultFile& results) {
        return render(layout(make_report(results), ReportFormat::text), ReportFormat::text, 1000);
    };
    ResultFile results = one_cell();
    CHECK(text_of(results).find("rule of three") == std::string::npos);
    for (const char* end : {"mean", "lower", "upper"}) {
        reals(results, "estimates", end)[0] = 0;
    }
    // 1 − .05^(1/10) = .2589
    const std::string line = "10 of them or more. With 95 % confidence, up to 26 % of others";
    CHECK(text_of(results).find(line) != std::string::npos);
    reals(results, "estimates", "upper")[0] = 0.2589;  // of a share, whose interval has that end
    CHECK(text_of(results).find(line) != std::string::npos);
}

TEST_CASE("a report says where an interval is missing") {
    const auto text_of = [](const ResultFile& results) {
        return render(layout(make_report(results), ReportFormat::text), ReportFormat::text, 1000);
    };
    const auto has = [](const std::string& text, const char* words) {
        return text.find(words) != std::string::npos;
    };
    ResultFile results = schedfarm::tests::two_by_two();
    CHECK_FALSE(has(text_of(results), "One replication"));
    for (const char* end : {"lower", "upper"}) {
        reals(results, "estimates", end)[0] = schedfarm::app::absent;
    }
    CHECK_FALSE(has(text_of(results), "One replication"));  // there are four
    for (schedfarm::results_schema::Column& column : table_to_fill(results, "cells").columns) {
        if (column.name == "replications_used") {
            std::get<std::vector<std::uint64_t>>(column.data)[0] = 1;
        }
    }
    CHECK(has(text_of(results), "One replication: no interval."));
}

TEST_CASE("a pilot is called so where it has no level, and in CSV nothing is said") {
    ReportRow placed;
    placed.levels = {"sjf", "0.4423"};
    placed.column = "response_time.mean";
    placed.measured = 1.25;
    ReportRow pilot;
    pilot.cell = 1;
    pilot.levels = {"sjf", ""};
    pilot.column = "capacity_loss";
    pilot.measured = 0.125;
    Report report;
    report.factors = {"policy", "load.utilization"};
    report.rows = {placed, pilot};
    CHECK(
        render(layout(report, ReportFormat::markdown), ReportFormat::markdown).find("| pilot |")
        != std::string::npos
    );
    CHECK(
        render(layout(report, ReportFormat::csv), ReportFormat::csv)
            .find("sjf,,capacity_loss,,0.125,")
        != std::string::npos
    );
    report.has_references = true;
    CHECK(
        render(layout(report, ReportFormat::text), ReportFormat::text).find(" pilot ")
        != std::string::npos
    );
}

TEST_CASE("csv carries every digit") {
    ResultFile results = one_cell();
    add_reference(results);
    const std::string text =
        render(layout(make_report(results), ReportFormat::csv), ReportFormat::csv);
    CHECK(
        text.find("\"[1, 4]\",bin filling,0.031,0.0312,0.031,0.0314,0.95,0.0315,exact,")
        != std::string::npos
    );
}

TEST_CASE("several metrics stand side by side under names that a reader knows") {
    const Report report = make_report(schedfarm::tests::two_by_two());
    const std::string text = render(layout(report, ReportFormat::text), ReportFormat::text);
    CHECK(
        text
        == "two by two\n\n"
           "policy  utilization  mean response time  mean queue length  n  status\n"
           "---------------------------------------------------------------------\n"
           "fcfs    0.6          2.015 ±0.020        6.030 ±0.040       4  fixed\n"
           "        0.9          3.015 ±0.020        9.030 ±0.040       4  fixed\n"
           "fpfs    0.6          4.015 ±0.020        12.030 ±0.040      4  fixed\n"
           "        0.9          5.015 ±0.020        15.030 ±0.040      4  fixed\n\n"
           "±: the longer side of a 95 % confidence interval.\n"
           "Of fewer than 10 replications (4) the skewness is hardly known: where they are\n"
           "skewed, intervals and p-values hold less often than they say.\n"
    );
}

TEST_CASE("what the program watches for its own sake is not shown unless the campaign asks") {
    ResultFile results = schedfarm::tests::two_by_two();
    for (const char* column :
         {"backlog_growth",
          "queueing_time.warm_up",
          "queueing_time.first_half",
          "queueing_time.second_half"}) {
        schedfarm::tests::add_estimate(results, 3, column, 1, 0.1);
    }
    CHECK(make_report(results).rows.size() == 8);
    set_attribute(results, "report_metrics", "queueing_time.first_half");
    const Report asked = make_report(results);
    REQUIRE(asked.rows.size() == 4);
    CHECK(asked.rows[3].column == "queueing_time.first_half");
    CHECK(asked.rows[3].measured == 1);
}
