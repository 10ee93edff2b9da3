#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "results_schema/tables/table_filling.hpp"

#include "app/report/class_names.hpp"
#include "app/report/report.hpp"
#include "app/report/sections/sections.hpp"

#include "tests/app/report/analysed_results.hpp"
#include "tests/results_schema/fillable_results.hpp"

using namespace schedfarm::tests;           // NOLINT(google-build-using-namespace)
using namespace schedfarm::app;             // NOLINT(google-build-using-namespace)
using namespace schedfarm::results_schema;  // NOLINT(google-build-using-namespace)

namespace {

using Cells = std::vector<std::string>;

void add_user(ResultFile& results, std::int64_t user, std::uint64_t users, double response) {
    add_row(
        table_to_fill(results, "users"),
        {{"cell", 1},
         {"user", user},
         {"users", users},
         {"jobs", 20},
         {"processor_time", 100.0},
         {"response_time", response},
         {"queueing_time", 0.5},
         {"bounded_slowdown", 1.25}}
    );
}

}  // namespace

TEST_CASE("means of job classes have a row per cell and class and a column per metric") {
    ResultFile results = two_by_two();
    CHECK(class_sections(results).empty());
    add_estimate(results, 3, "slowdown.mean[class=0]", 3, 0.25);
    add_estimate(results, 3, "slowdown.mean[class=10]", 4, 0.5);
    add_estimate(results, 3, "queueing_time.mean[class=10]", 7, 0.5);
    add_estimate(results, 3, "job_size.count[class=0]", 2514, 0);
    const auto sections = class_sections(results);
    REQUIRE(sections.size() == 1);
    REQUIRE(sections[0].columns.size() == 5);
    CHECK(sections[0].columns[4].heading == "jobs");
    REQUIRE(sections[0].rows.size() == 2);
    CHECK(sections[0].rows[0] == Cells{"fpfs, 0.9", "0", "3.00 ±0.25", "", "2514"});
    CHECK(sections[0].rows[1] == Cells{"fpfs, 0.9", "10", "4.00 ±0.50", "7.00 ±0.50", ""});
    CHECK(sections[0].notes == Cells{"±: the longer side of a 95 % confidence interval."});
}

TEST_CASE("what is published of clusters has a row per cell and cluster, and no column above") {
    ResultFile results = two_by_two();
    CHECK(cluster_sections(results).empty());
    add_estimate(results, 3, "supply[cluster=0]", 3, 0.25);
    add_estimate(results, 3, "supply[cluster=10]", 4, 0.5);
    add_estimate(results, 3, "consume[cluster=10]", 7, 0);
    CHECK(class_sections(results).empty());
    const auto sections = cluster_sections(results);
    REQUIRE(sections.size() == 1);
    REQUIRE(sections[0].columns.size() == 4);
    CHECK(sections[0].title == "By cluster");
    CHECK(sections[0].columns[3].heading == "consume");
    REQUIRE(sections[0].rows.size() == 2);
    CHECK(sections[0].rows[0] == Cells{"fpfs, 0.9", "0", "3.00 ±0.25", ""});
    CHECK(sections[0].rows[1] == Cells{"fpfs, 0.9", "10", "4.00 ±0.50", "7"});
    CHECK(sections[0].notes == Cells{"±: the longer side of a 95 % confidence interval."});

    const auto text = [&results] {
        return render(layout(make_report(results), ReportFormat::text), ReportFormat::text);
    };
    CHECK(text().find("supply") == std::string::npos);  // the section has it
    set_attribute(results, "report_metrics", "supply[cluster=10]");
    CHECK(text().find("supply, cluster 10") != std::string::npos);
}

TEST_CASE("where all jobs are of one class without a name the table says what would make several") {
    ResultFile results = two_by_two();
    add_estimate(results, 2, "slowdown.mean[class=0]", 3, 0.25);
    add_estimate(results, 3, "slowdown.mean[class=0]", 3, 0.25);
    const auto notes_of = [&results] {
        return class_sections(results).at(0).notes;
    };
    REQUIRE(notes_of().size() == 2);
    CHECK(notes_of()[1].find("its parameter `classes`") != std::string::npos);
    for (const std::uint64_t cell : {2U, 3U}) {
        add_row(
            table_to_fill(results, "job_classes"),
            {{"cell", cell}, {"class", 0}, {"name", "queue 7"}}
        );
    }
    CHECK(notes_of().size() == 1);
}

TEST_CASE("job classes are called what the workload calls them, wherever they are shown") {
    ResultFile results = two_by_two();
    add_estimate(results, 3, "slowdown.mean[class=0]", 3, 0.25);
    add_estimate(results, 3, "slowdown.mean[class=1]", 4, 0.5);
    for (const std::uint64_t cell : {2U, 3U}) {
        for (const std::uint64_t job_class : {0U, 1U}) {
            add_row(
                table_to_fill(results, "job_classes"),
                {{"cell", cell},
                 {"class", job_class},
                 {"name", job_class == 0 ? "interactive" : "batch"}}
            );
        }
    }
    const auto sections = class_sections(results);
    REQUIRE(sections.size() == 1);
    CHECK(sections[0].columns[2].heading == "which is");
    CHECK(sections[0].rows[1] == Cells{"fpfs, 0.9", "1", "batch", "4.00 ±0.50"});
    CHECK(ClassNames(results).sentences() == Cells{"Class 0: interactive; class 1: batch."});

    const auto text = [&](ReportFormat format) {
        return render(layout(make_report(results), format), format);
    };
    CHECK(text(ReportFormat::csv).find(",note,class_name\n") != std::string::npos);
    CHECK(text(ReportFormat::csv).find(",,interactive\n") != std::string::npos);
    CHECK(text(ReportFormat::text).find("Class 0") == std::string::npos);  // the section has it
    set_attribute(results, "report_metrics", "slowdown.mean[class=1]");
    CHECK(
        text(ReportFormat::text).find("Class 0: interactive; class 1: batch.") != std::string::npos
    );

    add_row(
        table_to_fill(results, "job_classes"), {{"cell", 0}, {"class", 0}, {"name", "queue 7"}}
    );
    const auto sentences = ClassNames(results).sentences();
    REQUIRE(sentences.size() == 2);
    CHECK(sentences[0].find("Class 0: queue 7 (") == 0);
    CHECK(sentences[1].find("; fpfs, 0.9).") != std::string::npos);
}

TEST_CASE("metrics by class stand in the main table only where the campaign names them, and in CSV"
) {
    ResultFile results = two_by_two();
    add_estimate(results, 3, "slowdown.mean[class=0]", 3, 0.25);
    const auto headings = [&](ReportFormat format) {
        return render(layout(make_report(results), format), format);
    };
    CHECK(headings(ReportFormat::text).find("class 0") == std::string::npos);
    CHECK(headings(ReportFormat::text).find("response") != std::string::npos);
    CHECK(headings(ReportFormat::csv).find("slowdown.mean[class=0]") != std::string::npos);
    set_attribute(results, "report_metrics", "slowdown.mean[class=0]");
    CHECK(headings(ReportFormat::text).find("class 0") != std::string::npos);
}

TEST_CASE("means of users end with all others together") {
    ResultFile results = two_by_two();
    CHECK(user_sections(results).empty());
    add_user(results, 42, 1, 12.5);
    add_user(results, -1, 7, 3.25);
    const auto sections = user_sections(results);
    REQUIRE(sections.size() == 1);
    REQUIRE(sections[0].rows.size() == 2);
    CHECK(sections[0].rows[0] == Cells{"fcfs, 0.9", "42", "20", "12.50", "0.500", "1.25"});
    CHECK(sections[0].rows[1] == Cells{"fcfs, 0.9", "7 others", "20", "3.25", "0.500", "1.25"});
}
