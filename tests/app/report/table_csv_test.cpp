#include "app/report/table_csv.hpp"

#include <algorithm>
#include <limits>
#include <sstream>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "results_schema/tables/table_filling.hpp"

#include "tests/app/report/analysed_results.hpp"

using namespace schedfarm::tests;           // NOLINT(google-build-using-namespace)
using namespace schedfarm::app;             // NOLINT(google-build-using-namespace)
using namespace schedfarm::results_schema;  // NOLINT(google-build-using-namespace)

namespace {

std::vector<std::string> lines_of_table(const ResultFile& results, const std::string& name) {
    std::istringstream text(table_csv(results, name));
    std::vector<std::string> lines;
    for (std::string line; std::getline(text, line);) {
        lines.push_back(line);
    }
    return lines;
}

}  // namespace

TEST_CASE("a table of the file as CSV has every digit and the levels of its cells") {
    ResultFile results = two_by_two();
    add_estimate(results, 3, "slowdown.mean", 1.0 / 3, 0.25);
    const auto lines = lines_of_table(results, "estimates");
    REQUIRE(lines.size() == 1 + 9);
    CHECK(
        lines[0] == "cell,policy,load.utilization,metric,n,mean,standard_error,lower,upper,confidence,"
                    "skewness,method,given_log_lower,given_log_upper,unit"
    );
    CHECK(lines[9].starts_with("3,fpfs,0.9,slowdown.mean,4,0.3333333333333333,"));
}

TEST_CASE("the cells of a comparison are called by what distinguishes them") {
    ResultFile results = two_by_two();
    add_comparison(results, 1, 3, -2, 0.5, "first smaller");
    const auto lines = lines_of_table(results, "comparisons");
    REQUIRE(lines.size() == 2);
    CHECK(lines[0].starts_with("group,first_cell,first,second_cell,second,metric,n,difference,"));
    CHECK(lines[1].starts_with("load.utilization=0.9,1,fcfs,3,fpfs,response_time.mean,4,-2,"));
    CHECK(lines[1].ends_with(",first smaller"));
}

TEST_CASE("a factor that a column of the table is called like has no column of its own") {
    const auto lines = lines_of_table(two_by_two(), "cells");
    CHECK(lines[0].starts_with("cell,load.utilization,label,experiment,policy,"));
}

TEST_CASE("what is not a number is empty") {
    ResultFile results = two_by_two();
    add_estimate(results, 3, "slowdown.mean", 3, std::numeric_limits<double>::quiet_NaN());
    const std::string line = lines_of_table(results, "estimates").back();
    CHECK(line.find("nan") == std::string::npos);
    CHECK(line.find(",3,") != std::string::npos);
}

TEST_CASE("the names of tables are those of the file") {
    const auto names = table_names(two_by_two());
    CHECK(names.front() == "cells");
    CHECK(std::find(names.begin(), names.end(), "estimates") != names.end());
}
