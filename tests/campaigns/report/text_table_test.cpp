#include "campaigns/report/text_table.hpp"

#include <doctest/doctest.h>

using schedfarm::campaigns::Alignment;
using schedfarm::campaigns::display_width;
using schedfarm::campaigns::render;
using schedfarm::campaigns::ReportFormat;
using schedfarm::campaigns::TextTable;

namespace {

TextTable small_table() {
    TextTable table;
    table.title = "Loss";
    table.source = "Table 1";
    table.columns = {{"size", Alignment::left}, {"loss", Alignment::right}};
    table.rows = {{"[1, 4]", "0.03 ±0.01"}, {"all|any", "0.1"}};
    table.notes = {"2 of 2"};
    return table;
}

}  // namespace

TEST_CASE("a terminal table aligns columns by what a reader sees") {
    CHECK(render(small_table(), ReportFormat::text) ==
          "Loss\n"
          "Table 1\n"
          "\n"
          "size           loss\n"
          "-------------------\n"
          "[1, 4]   0.03 ±0.01\n"
          "all|any         0.1\n"
          "\n"
          "2 of 2\n");
}

TEST_CASE("width counts characters and not bytes") {
    CHECK(display_width("±1") == 2);
    CHECK(display_width("") == 0);
}

TEST_CASE("markdown escapes the column separator") {
    const std::string text = render(small_table(), ReportFormat::markdown);
    CHECK(text.find("| all\\|any | 0.1 |") != std::string::npos);
    CHECK(text.find("|:---|---:|") != std::string::npos);
}

TEST_CASE("csv quotes fields that hold commas or quotes") {
    TextTable table = small_table();
    table.rows.push_back({"say \"hi\"", "1"});
    CHECK(
        render(table, ReportFormat::csv)
        == "size,loss\n\"[1, 4]\",0.03 ±0.01\nall|any,0.1\n\"say \"\"hi\"\"\",1\n"
    );
}

TEST_CASE("latex escapes what latex would interpret") {
    TextTable table = small_table();
    table.rows = {{"a_b & 50 %", "0.03 ±0.01"}};
    const std::string text = render(table, ReportFormat::latex);
    CHECK(text.find("a\\_b \\& 50 \\% & 0.03 $\\pm$0.01 \\\\") != std::string::npos);
}
