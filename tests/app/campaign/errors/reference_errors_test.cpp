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

TEST_CASE("the columns of a reference are factors and the known ones") {
    CHECK(
        reference_errors("workload.component_sise,metric,value\n")
        == "r.csv:1:1: column 'workload.component_sise' is no factor of the campaign. Did you mean "
           "'workload.component_size'?"
    );
    CHECK(
        reference_errors("metric,metric,value\n")
        == "r.csv:1:8: column 'metric' is there twice. Remove one?"
    );
    CHECK(
        reference_errors("workload.component_size,runs\n")
        == "r.csv:1:1: there is no column 'metric'. Add it?\n"
           "r.csv:1:1: there is no column 'value'. Add it?"
    );
    CHECK(
        reference_errors("root:x:0:0:root:/root:/bin/bash\n")
        == "r.csv:1:1: this is no table of reference values (its first line names no column of "
           "one). Name a CSV file?"
    );
    CHECK(reference_errors("") == "r.csv: the file is empty");
}

TEST_CASE("a row of a reference fits exactly one cell") {
    CHECK(
        reference_errors(
            "# comment\n"
            "workload.component_size,horizon.fills,metric,known_label,value,runs,column\n"
            "\"[1, 6]\",10,capacity_loss,,0.1,,a\n"
        )
        == "r.csv:3:1: factor 'workload.component_size' has no level '[1, 6]'. Did you mean '[1, "
           "4]'?"
    );
    CHECK(
        reference_errors("workload.component_size,metric,known_label,value,runs,column\n"
                         "\"[1, 4]\",capacity_loss,,0.1,,a\n")
        == "r.csv:2:1: this row fits 2 cells (0 and 1, …). Add a column for horizon.fills?"
    );
    CHECK(
        row_errors("[1, 4],10,capacity_loss,,0.1,,a")
        == "r.csv:2:1: 8 fields, but the header has 7. Is a comma missing, or a quote around a "
           "label with commas?"
    );
    CHECK(
        row_errors("\"[1, 4]\",10.5,capacity_loss,,0.1,,a")
        == "r.csv:2:10: factor 'horizon.fills' has no level '10.5'. Did you mean '10'?"
    );
}

TEST_CASE("the fields of a reference are checked") {
    CHECK(
        row_errors("\"[1, 4]\",10,capacity_los,,0.1,,a")
        == "r.csv:2:13: metric 'capacity_los' is not observed in cell 0. Did you mean "
           "'capacity_loss'?"
    );
    CHECK(
        row_errors("\"[1, 4]\",10,capacity_loss,exakt,0.1,,a")
        == "r.csv:2:27: theory gives no 'exakt' for 'capacity_loss' in cell 0. Did you mean "
           "'exact'?"
    );
    CHECK(
        row_errors("\"[1, 4]\",10,capacity_loss,,abc,-1,a")
        == "r.csv:2:28: value 'abc' is not a number\n"
           "r.csv:2:32: runs '-1' is not a number of runs"
    );
    CHECK(
        row_errors("\"[1, 4]\",10,capacity_loss,,nan,,a")
        == "r.csv:2:28: value 'nan' is not a number"
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
    CHECK(
        row_errors("\001")
        == "r.csv:2:1: byte 0x01 is not text. Is this a CSV file, written in UTF-8?"
    );
}

}  // namespace schedfarm::app::tests
