#include "app/report/text_table.hpp"

#include <doctest/doctest.h>

using schedfarm::app::Alignment;
using schedfarm::app::display_width;
using schedfarm::app::Overflow;
using schedfarm::app::render;
using schedfarm::app::TextTable;

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
    CHECK(render(small_table()) ==
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

TEST_CASE("a terminal table has no control characters but line breaks") {
    TextTable table = small_table();
    table.title += "\x1b[2J";
    table.columns[0].heading = "si\x07ze";
    table.rows[0][0] = "a\tb\rc";
    table.notes = {"no\x7fte"};
    const std::string text = render(table);
    CHECK(text.find_first_of("\x1b\x07\t\r\x7f") == std::string::npos);
    CHECK(text.find("si?ze") != std::string::npos);
    CHECK(text.find("a?b?c") != std::string::npos);
}

TEST_CASE("width counts characters and not bytes") {
    CHECK(display_width("±1") == 2);
    CHECK(display_width("") == 0);
}

TEST_CASE("text is broken at spaces") {
    using schedfarm::app::wrapped;
    CHECK(wrapped("one two three", 8) == std::vector<std::string>{"one two", "three"});
    CHECK(
        wrapped("incomprehensible word", 8) == std::vector<std::string>{"incomprehensible", "word"}
    );
    CHECK(wrapped("", 8) == std::vector<std::string>{""});
}

TEST_CASE("a table too wide for a terminal comes in blocks with its labels repeated") {
    TextTable table;
    table.title = "Wide";
    table.label_columns = 1;
    table.columns = {{"policy", Alignment::left}};
    table.rows = {{"fcfs"}};
    for (const char* heading : {"first", "second", "third"}) {
        table.columns.push_back({heading, Alignment::left});
        table.rows[0].push_back(std::string(30, heading[0]));
    }
    // 6 + 2 + 30 + 2 + 30 = 70 characters; a third column would need 102.
    const std::string f(30, 'f');
    const std::string s(30, 's');
    const std::string t(30, 't');
    CHECK(
        render(table)
        == "Wide\n\npolicy  first" + std::string(27, ' ') + "second\n" + std::string(70, '-')
               + "\nfcfs    " + f + "  " + s + "\n\npolicy  third\n" + std::string(38, '-')
               + "\nfcfs    " + t + "\n"
    );
}

TEST_CASE("a table too wide for a terminal first breaks its headings") {
    TextTable table;
    table.title = "Wide";
    table.columns = {
        {std::string(20, 'a') + " " + std::string(20, 'b'), Alignment::right},
        {std::string(20, 'c') + " " + std::string(20, 'd'), Alignment::left}};
    table.rows = {{"1", "2"}};
    const std::string gap(19, ' ');
    CHECK(
        render(table)
        == "Wide\n\n" + std::string(20, 'a') + "  " + std::string(20, 'c') + "\n"
               + std::string(20, 'b') + "  " + std::string(20, 'd') + "\n" + std::string(42, '-')
               + "\n" + gap + "1  2\n"
    );
}

TEST_CASE("of columns that wrap those become narrow that make the table longer by the fewest lines"
) {
    TextTable table;
    table.title = "Wide";
    table.columns = {
        {"name", Alignment::left, Overflow::wrap},
        {"rate", Alignment::right, Overflow::wrap},
        {"ratio", Alignment::left}};
    // One row has a long name, all have two words in the second column.
    table.rows = {
        {"aaaaaaaaaa bbbbbbbbbb cccccccccc dddddddddd eeeeeeeeee ffffffffff", "1234.5 jobs/s", "1"},
        {"short", "1234.5 jobs/s", "2"},
        {"other", "1234.5 jobs/s", "3"}};
    CHECK(
        render(table, 60)
        == "Wide\n\n"
           "name                                             rate  ratio\n"
           "------------------------------------------------------------\n"
           "aaaaaaaaaa bbbbbbbbbb cccccccccc        1234.5 jobs/s  1\n"
           "dddddddddd eeeeeeeeee ffffffffff\n"
           "short                                   1234.5 jobs/s  2\n"
           "other                                   1234.5 jobs/s  3\n"
    );
}

TEST_CASE("beside names that are wider than a terminal texts stay wide enough to be read") {
    TextTable table;
    table.title = "Findings";
    table.columns = {{"cell", Alignment::left}, {"finding", Alignment::left, Overflow::wrap}};
    const std::string sentence =
        "the average of twenty replications does not settle in the first half";
    table.rows = {{std::string(100, 'n'), sentence}, {"short", "brief"}};
    const std::string text = render(table);
    CHECK(text.find("  the average of twenty replications does\n") != std::string::npos);
    CHECK(text.find(" not settle in the first half\n") != std::string::npos);
}

TEST_CASE("names that fill the line are not repeated in blocks, of which none would fit") {
    TextTable table;
    table.title = "Cells";
    table.columns = {
        {"cell", Alignment::left}, {"done", Alignment::right}, {"estimate", Alignment::left}};
    table.label_columns = 1;
    table.rows = {{std::string(100, 'n'), "2/3", "1.0 ±0.1"}, {"short", "3/3", "1.1 ±0.1"}};
    const auto headings = [&table](std::size_t width) {
        const std::string text = render(table, width);
        std::size_t count = 0;
        for (std::size_t at = 0; (at = text.find("\ncell ", at)) != std::string::npos; ++at) {
            ++count;
        }
        return count;
    };
    CHECK(headings(80) == 1);
    table.rows[0][0].resize(70);  // beside which each of the others fits
    CHECK(headings(80) == 2);
}
