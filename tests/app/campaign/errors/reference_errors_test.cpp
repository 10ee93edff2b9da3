// Wrong reference files: exact messages with line and column of the field.
#include <doctest/doctest.h>

#include "tests/app/campaign/campaign_text.hpp"

namespace schedfarm::app::tests {

namespace {

/// Of a campaign of 2 x 2 cells beside the file.
std::string reference_errors(const std::string& csv) {
    return errors_of(filling_grid_with("r.csv"), {{"r.csv", csv}});
}

/// Of a file of this row below a right header.
std::string row_errors(const std::string& row) {
    return reference_errors(
        "workload.component_size,horizon.fills,metric,known_label,value,runs,column\n" + row + "\n"
    );
}

}  // namespace

TEST_CASE("a reference must be among the files") {
    CHECK(
        errors_of({{10, "reference: x.csv"}})
        == "a.yaml:10:12: x.csv is not among the campaign's files"
    );
    CHECK(
        errors_of({{10, "reference: [x.csv]"}})
        == "a.yaml:10:12: 'reference' must be the name of a CSV file. Write 'reference: "
           "values.csv'?"
    );
}

TEST_CASE("a reference is well-formed text with its quotes in place") {
    CHECK(
        row_errors("\"[1, 4],10,capacity_loss,,0.1,,a")
        == "r.csv:2:1: a quoted field is not closed. Is a quote missing?"
    );
    CHECK(
        row_errors("\"[1, 4]\"x,10,capacity_loss,,0.1,,a")
        == "r.csv:2:9: text behind a quoted field. Is a comma missing?"
    );
    CHECK(
        row_errors("[1\" 4],10,capacity_loss,,0.1,,a")
        == "r.csv:2:3: a quote within a field. Put the whole field in quotes and write \"\" for a "
           "quote?"
    );
    CHECK(reference_errors("") == "r.csv: the file is empty");
    CHECK(
        row_errors("\001")
        == "r.csv:2:1: byte 0x01 is not text. Is this a CSV file, written in UTF-8?"
    );
}

}  // namespace schedfarm::app::tests
