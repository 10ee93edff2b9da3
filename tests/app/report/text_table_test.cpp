#include "app/report/text_table.hpp"

#include <doctest/doctest.h>

using schedfarm::app::Alignment;
using schedfarm::app::Constant;
using schedfarm::app::display_width;
using schedfarm::app::Overflow;
using schedfarm::app::render;
using schedfarm::app::ReportFormat;
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

TEST_CASE("no rendering has control characters but line breaks") {
    TextTable table = small_table();
    table.title += "\x1b[2J";
    table.columns[0].heading = "si\x07ze";
    table.rows[0][0] = "a\tb\rc";
    table.notes = {"no\x7fte"};
    for (const ReportFormat format :
         {ReportFormat::text, ReportFormat::markdown, ReportFormat::csv, ReportFormat::latex}) {
        const std::string text = render(table, format);
        CHECK(text.find_first_of("\x1b\x07\t\r\x7f") == std::string::npos);
        CHECK(text.find("si?ze") != std::string::npos);
        CHECK(text.find("a?b?c") != std::string::npos);
    }
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
    table.rows = {{"a_b & 50 %", "0.03 ±0.01"}, {"R² × λ", "<0.0001"}, {"x^2 ~ 5", "a|b"}};
    const std::string text = render(table, ReportFormat::latex);
    CHECK(
        text.find("x\\textasciicircum{}2 \\textasciitilde{} 5 & a$|$b \\\\") != std::string::npos
    );
    CHECK(text.find("R$^2$ $\\times$ $\\lambda$ & $<$0.0001 \\\\") != std::string::npos);
    CHECK(text.find("a\\_b \\& 50 \\% & 0.03 $\\pm$0.01 \\\\") != std::string::npos);
    // After the \\ of the row before, [ and * would begin its argument.
    table.rows = {{"[1, 4]", "[0, 1]"}, {"*", "√2 [1, ∞)"}};
    const std::string guarded = render(table, ReportFormat::latex);
    CHECK(
        guarded.find("\n{}[1, 4] & [0, 1] \\\\\n{}* & $\\surd$2 [1, $\\infty$) \\\\\n")
        != std::string::npos
    );
}

TEST_CASE("latex has signs for minus, no dashes of its own, labels and rules") {
    TextTable table = small_table();
    table.title = "Loss -- at 5 %";
    table.rows = {{"-0.5 [-1, -.25]", "2001-03-05"}, {"--cell", "sjf - fcfs, at-1 (-3)"}};
    const std::string text = render(table, ReportFormat::latex);
    CHECK(text.find("$-$0.5 [$-$1, $-$.25] & 2001-03-05 \\\\\n") != std::string::npos);
    CHECK(
        text.find("-{}-cell & sjf $-$ fcfs, at-1 ($-$3) \\\\\n\\bottomrule\n") != std::string::npos
    );
    CHECK(
        text.find("\\caption{Loss -{}- at 5 \\%}\n\\label{tab:Loss-at-5-}\n") != std::string::npos
    );
    table.label = "my loss";
    CHECK(render(table, ReportFormat::latex).find("\\label{tab:my-loss}") != std::string::npos);
}

TEST_CASE("latex tables that are too wide or too high are divided, with headings and caption again"
) {
    TextTable table = small_table();
    table.rows.assign(100, {"1", "0.5"});
    const auto count = [&table](const std::string& part) {
        const std::string text = render(table, ReportFormat::latex);
        std::size_t found = 0;
        for (std::size_t at = 0; (at = text.find(part, at)) != std::string::npos; ++at) {
            ++found;
        }
        return found;
    };
    CHECK(count("1 & 0.5 \\\\\n") == 100);
    CHECK(count("\\begin{table}") == 3);  // 45 rows, 45, 10 and the note
    CHECK(count("\\caption{Loss (continued)}") == 2);
    CHECK(count("\\label") == 1);
    CHECK(count("size & loss") == 3);
    table.rows = {{"1", std::string(90, 'x')}};
    table.columns.push_back({std::string(90, 'y')});
    table.rows[0].emplace_back("2");
    table.label_columns = 1;
    CHECK(count("\\begin{table}") == 1);
    CHECK(count("\\begin{tabular}") == 2);
}

TEST_CASE("text is broken at spaces and cut with a sign") {
    using schedfarm::app::clipped;
    using schedfarm::app::wrapped;
    CHECK(wrapped("one two three", 8) == std::vector<std::string>{"one two", "three"});
    CHECK(
        wrapped("incomprehensible word", 8) == std::vector<std::string>{"incomprehensible", "word"}
    );
    CHECK(wrapped("", 8) == std::vector<std::string>{""});
    CHECK(clipped("ρ = 0.75", 5) == "ρ = …");
    CHECK(clipped("ρ", 1) == "ρ");
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
        render(table, ReportFormat::text)
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
        render(table, ReportFormat::text)
        == "Wide\n\n" + std::string(20, 'a') + "  " + std::string(20, 'c') + "\n"
               + std::string(20, 'b') + "  " + std::string(20, 'd') + "\n" + std::string(42, '-')
               + "\n" + gap + "1  2\n"
    );
}

TEST_CASE("a constant of a table too wide for a terminal is told once") {
    TextTable table;
    table.title = "Wide";
    table.label_columns = 1;
    table.columns = {
        {"cell", Alignment::left},
        {"mean", Alignment::left},
        {"n", Alignment::right, Overflow::widen, Constant::told_once},
        {"status", Alignment::left, Overflow::widen, Constant::told_once}};
    const std::string mean(60, '5');
    table.rows = {{"0", mean, "20", "fixed"}, {"1", mean, "20", "fixed"}};
    table.notes = {"A note."};
    SUBCASE("not where the table fits") {
        CHECK(render(table, ReportFormat::text).find("  n  status\n") != std::string::npos);
    }
    SUBCASE("the last first, and no more than it takes") {
        table.rows[1][1] += "12345";
        const std::string text = render(table, ReportFormat::text);
        CHECK(text.find("mean" + std::string(63, ' ') + " n\n") != std::string::npos);
        CHECK(text.find("\n\nstatus in every row: fixed.\nA note.\n") != std::string::npos);
        CHECK(text.find("n in every row") == std::string::npos);
    }
    SUBCASE("only a constant") {
        table.rows[1][1] += "12345";
        table.rows[1][3] = "met";
        const std::string text = render(table, ReportFormat::text);
        CHECK(text.find("n in every row: 20.\n") != std::string::npos);
        CHECK(text.find("  status\n") != std::string::npos);
    }
    SUBCASE("elsewhere it stays in every row") {
        table.rows[1][1] += "12345";
        CHECK(render(table, ReportFormat::markdown).find("| 20 | fixed |") != std::string::npos);
    }
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
        render(table, ReportFormat::text, 60)
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
    const std::string text = render(table, ReportFormat::text);
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
        const std::string text = render(table, ReportFormat::text, width);
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
