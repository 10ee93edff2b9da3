#include "app/report/diff/diff.hpp"

#include <algorithm>
#include <bit>
#include <functional>
#include <limits>

#include <doctest/doctest.h>

#include "results_schema/result_io.hpp"
#include "results_schema/tables/table_filling.hpp"

#include "tests/app/report/analysed_results.hpp"
#include "tests/results_schema/fillable_results.hpp"

using namespace schedfarm::tests;           // NOLINT(google-build-using-namespace)
using namespace schedfarm::app;             // NOLINT(google-build-using-namespace)
using namespace schedfarm::results_schema;  // NOLINT(google-build-using-namespace)

namespace {

/// What `diff` says of the 2 × 2 campaign and the same after a change.
DiffReport diff_after(
    const std::function<void(ResultFile&)>& change, const DiffSettings& settings
) {
    const ResultFile a = two_by_two();
    ResultFile b = two_by_two();
    change(b);
    return diff({"a.h5", &a}, {"b.h5", &b}, settings);
}

template <typename T>
std::vector<T>& values(ResultFile& results, const char* table, const char* name) {
    for (Column& column : table_to_fill(results, table).columns) {
        if (column.name == name) {
            return std::get<std::vector<T>>(column.data);
        }
    }
    throw std::logic_error(name);
}

Texts& texts(ResultFile& results, const char* table, const char* name) {
    for (Column& column : table_to_fill(results, table).columns) {
        if (column.name == name) {
            return std::get<Texts>(column.data);
        }
    }
    throw std::logic_error(name);
}

void swap_first(Texts& column) {
    const std::string first = column[0];
    column.set(0, column[1]);
    column.set(1, first);
}

template <typename T>
void swap_first(std::vector<T>& column) {
    std::swap(column[0], column[1]);
}

void expect_contains(const std::string& text, const std::string& part) {
    CHECK_MESSAGE(text.find(part) != std::string::npos, "no '" << part << "' in:\n" << text);
}

constexpr DiffSettings bitwise{};
const DiffSettings overlap{DiffMode::overlap, 0.95, ""};
const DiffSettings paired{DiffMode::paired, 0.95, ""};

}  // namespace

TEST_CASE("equal payloads are one line whatever else differs") {
    const DiffReport report = diff_after(
        [](ResultFile& b) { values<std::uint64_t>(b, "cells", "replications_computed")[0] = 9; },
        bitwise
    );
    CHECK(report.outcome == DiffOutcome::same);
    REQUIRE(report.lines.size() == 1);
    expect_contains(report.lines[0], "Same payload: " + payload_hash(two_by_two()));
}

TEST_CASE("a value that differs is named with cell and replication and both numbers") {
    const DiffReport report = diff_after(
        [](ResultFile& b) {
            auto& response = values<double>(b, "replications", "response_time.mean");
            response[5] = 3.25;  // cell 1, replication 1: 3.01
            response[6] = 3.25;
        },
        bitwise
    );
    CHECK(report.outcome == DiffOutcome::different);
    REQUIRE(report.lines.size() == 4);
    CHECK(
        report.lines[3]
        == "- replications.response_time.mean: 2 of 16 rows, first cell 1 (fcfs, 0.9), replication "
           "1: 3.01 in A, 3.25 in B"
    );
}

TEST_CASE("rows and tables and columns that only one file has are named") {
    const DiffReport report = diff_after(
        [](ResultFile& b) {
            add_cell(b, 4, "sjf", 0.6);
            add_comparison(b, 0, 2, 0.5, 0.1, "second smaller");
            add_observation_column(table_to_fill(b, "replications"), "slowdown.mean", "1", "m");
        },
        bitwise
    );
    const std::string text = diff_text(report);
    expect_contains(text, "- cells: 1 of 5 rows only in B, first cell 4 (sjf, 0.6)");
    expect_contains(text, "- factors: 2 of 10 rows only in B");
    expect_contains(text, "- replications.slowdown.mean: only in B");
    expect_contains(text, "- table comparisons: only in B (1 row)");
}

TEST_CASE("a replication more does not hide which of the others differ") {
    const DiffReport report = diff_after(
        [](ResultFile& b) {
            // Cell 0 loses its first row: by position every row would differ.
            for (Column& column : table_to_fill(b, "replications").columns) {
                std::visit(
                    [](auto& v) {
                        if constexpr (requires { v.erase(v.begin()); }) {  // no column of texts
                            v.erase(v.begin() + 3);
                        }
                    },
                    column.data
                );
            }
        },
        bitwise
    );
    REQUIRE(report.lines.size() == 4);
    CHECK(
        report.lines[3]
        == "- replications: 1 of 16 rows only in A, first cell 0 (fcfs, 0.6), replication 3"
    );
}

TEST_CASE("every kind of NaN is the same") {
    ResultFile a = two_by_two();
    ResultFile b = two_by_two();
    values<double>(a, "factors", "number")[0] = std::bit_cast<double>(0x7ff8000000000000U);
    values<double>(b, "factors", "number")[0] = std::bit_cast<double>(0xfff8000000000001U);
    values<double>(b, "factors", "number")[1] = 7;
    CHECK(
        diff({"a.h5", &a}, {"b.h5", &b}, bitwise).lines[3]
        == "- factors.number: 1 of 8 rows, first cell 0 (fcfs, 0.6), factor load.utilization: 0 in "
           "A, 7 in B"
    );
}

TEST_CASE("minus zero is zero and a long list is cut") {
    CHECK(
        diff_after([](ResultFile& b) { values<double>(b, "factors", "number")[0] = -0.0; }, bitwise)
            .outcome
        == DiffOutcome::same
    );
    const DiffReport report = diff_after(
        [](ResultFile& b) {
            for (const char* column :
                 {"label", "experiment", "policy", "workload", "clusters", "status"}) {
                texts(b, "cells", column).set(0, texts(b, "cells", column)[0] + "x");
            }
            for (const char* column :
                 {"mean", "lower", "upper", "standard_error", "confidence", "skewness"}) {
                values<double>(b, "estimates", column)[0] += 1;
            }
            values<double>(b, "factors", "number")[1] = 7;
        },
        bitwise
    );
    REQUIRE(report.lines.size() == 3 + 12 + 1);
    CHECK(report.lines.back() == "- and 1 more");
}

TEST_CASE("intervals that do not overlap are listed and those that touch are not") {
    const DiffReport report = diff_after(
        [](ResultFile& b) {
            // Cell 0: A has 2.015 ± .02. Cell 1, queue: A has 9.03 ± .04.
            values<double>(b, "estimates", "lower")[0] = values<double>(b, "estimates", "upper")[0];
            values<double>(b, "estimates", "upper")[0] += 0.03;
            values<double>(b, "estimates", "mean")[3] = 9.2;
            values<double>(b, "estimates", "lower")[3] = 9.15;
            values<double>(b, "estimates", "upper")[3] = 9.25;
        },
        overlap
    );
    CHECK(report.outcome == DiffOutcome::different);
    CHECK(report.lines[2] == "1 of 8 intervals do not overlap.");
    expect_contains(
        diff_text(report), "fcfs, 0.9  mean queue length  9.030 ±0.040  9.200 ±0.050\n"
    );
}

TEST_CASE("cells are matched by what they are and not by their number") {
    const DiffReport report = diff_after(
        [](ResultFile& b) {
            // In B, cells 0 and 1 have changed places.
            for (Column& column : table_to_fill(b, "cells").columns) {
                if (column.name != "cell") {
                    std::visit([](auto& v) { swap_first(v); }, column.data);
                }
            }
            auto& cells = values<std::uint64_t>(b, "estimates", "cell");
            for (std::uint64_t& cell : cells) {
                cell = cell < 2 ? 1 - cell : cell;
            }
        },
        overlap
    );
    CHECK(report.outcome == DiffOutcome::same);
    CHECK(report.lines[2] == "0 of 8 intervals do not overlap.");
}

TEST_CASE("cells without counterpart are named and count as a difference") {
    const DiffReport report = diff_after(
        [](ResultFile& b) {
            texts(b, "cells", "policy").set(3, "fpfs(9)");
            add_cell(b, 4, "sjf", 0.6);
        },
        overlap
    );
    CHECK(report.outcome == DiffOutcome::different);
    CHECK(report.lines[2] == "0 of 6 intervals do not overlap.");
    CHECK(report.lines[3] == "Only in A: fpfs, 0.9.");
    CHECK(report.lines[4] == "Only in B: fpfs, 0.9; sjf, 0.6.");
}

TEST_CASE("a paired difference is found with its interval and the others are not") {
    const DiffReport report = diff_after(
        [](ResultFile& b) {
            // Cell 2 responds slower by .1 + (.001, -.001, .001, -.001): mean difference A - B
            // -.1, standard deviation .0011547, standard error .00057735, t = -173.2 with 3
            // degrees of freedom, p = 4.2e-7; 8 rows: adjusted 3.4e-6. Its own level after Holm is
            // 1 - .05 / 8 = .99375 (the other rows are equal: p = 1), t = 6.8952, half the interval
            // .003981.
            auto& response = values<double>(b, "replications", "response_time.mean");
            for (std::size_t r = 0; r < 4; ++r) {
                response[8 + r] += 0.1 + (r % 2 == 0 ? 0.001 : -0.001);
            }
        },
        paired
    );
    CHECK(report.outcome == DiffOutcome::different);
    CHECK(
        report.lines[2] == "1 of 8 means differ at 95 %; 7 are equal replication by replication."
    );
    REQUIRE(report.tables.size() == 1);
    REQUIRE(report.tables[0].rows.size() == 1);
    CHECK(
        report.tables[0].rows[0]
        == std::vector<
            std::string>{"fpfs, 0.6", "mean response time", "4", "-0.1000 ±0.0040", "<0.0001"}
    );
}

TEST_CASE("noise alone is no paired difference") {
    const DiffReport report = diff_after(
        [](ResultFile& b) {
            auto& response = values<double>(b, "replications", "response_time.mean");
            for (std::size_t r = 0; r < 4; ++r) {
                response[8 + r] += r % 2 == 0 ? 0.01 : -0.011;
            }
        },
        paired
    );
    CHECK(report.outcome == DiffOutcome::same);
    CHECK(
        report.lines[2] == "0 of 8 means differ at 95 %; 7 are equal replication by replication."
    );
    CHECK(report.tables.empty());
}

TEST_CASE("one metric may be compared alone by its column or by its probe") {
    const auto nothing = [](ResultFile&) {
    };
    for (const char* name : {"response_time", "response_time.mean"}) {
        const DiffReport report = diff_after(nothing, {DiffMode::paired, 0.95, name});
        CHECK(
            report.lines[2]
            == "0 of 4 means differ at 95 %; 4 are equal replication by replication."
        );
    }
    CHECK_THROWS_WITH_AS(
        diff_after(nothing, {DiffMode::overlap, 0.95, "slowdown"}),
        "no metric 'slowdown' in both files. They have: response_time.mean, queue_length.mean",
        ResultError
    );
}

TEST_CASE("files without an interval are not called alike") {
    const auto take_intervals = [](ResultFile& results) {
        const double nan = std::numeric_limits<double>::quiet_NaN();
        for (const char* name : {"lower", "upper", "standard_error"}) {
            auto& column = values<double>(results, "estimates", name);
            std::fill(column.begin(), column.end(), nan);
        }
    };
    CHECK_THROWS_WITH_AS(
        diff_after(take_intervals, overlap),
        "a.h5 and b.h5: no cell has an interval of a metric in both (one replication gives none). "
        "Use --mode bitwise",
        ResultError
    );
}

TEST_CASE("files that cannot be compared are refused with a reason") {
    const auto other_seed = [](ResultFile& b) {
        set_attribute(b, "seed", "8");
    };
    const auto other_policies = [](ResultFile& b) {
        texts(b, "cells", "policy") = Texts(4, "sjf");
    };
    const auto one_replication = [](ResultFile& b) {
        for (Column& column : table_to_fill(b, "replications").columns) {
            std::visit([](auto& v) { v.resize(1); }, column.data);
        }
    };
    CHECK_THROWS_WITH_AS(
        diff_after(other_seed, paired), doctest::Contains("different seeds ( and 8)"), ResultError
    );
    CHECK(diff_after(other_seed, overlap).outcome == DiffOutcome::same);
    CHECK_THROWS_WITH_AS(
        diff_after(other_policies, overlap), doctest::Contains("no cell is in both"), ResultError
    );
    CHECK_THROWS_WITH_AS(
        diff_after(one_replication, paired),
        doctest::Contains("a paired difference needs two"),
        ResultError
    );
}

namespace {

/// Of reservations over a log, with its checksum as campaigns have it.
std::string workload_over(const std::string& file, const std::string& checksum) {
    return "{reserved_version: {jobs: {trace: {file: " + file + ", sha256: " + checksum
           + ", from: \"\"}}, share: 0.3}}";
}

/// What `diff` says where all cells of A and B have these workloads.
DiffReport diff_of_workloads(
    const std::string& of_a, const std::string& of_b, const DiffSettings& settings
) {
    ResultFile a = two_by_two();
    ResultFile b = two_by_two();
    texts(a, "cells", "workload") = Texts(4, of_a);
    texts(b, "cells", "workload") = Texts(4, of_b);
    return diff({"a.h5", &a}, {"b.h5", &b}, settings);
}

const std::string sum = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";
const std::string other_sum = "fedcba9876543210fedcba9876543210fedcba9876543210fedcba9876543210";

}  // namespace

TEST_CASE("cells over two versions of a log are the same cells and the logs differ") {
    for (const DiffSettings& settings : {overlap, paired, bitwise}) {
        const DiffReport report = diff_of_workloads(
            workload_over("\"/a \\\"b, c.swf\"", sum),
            workload_over("\"/a \\\"b, c.swf\"", other_sum),
            settings
        );
        CHECK(report.outcome == DiffOutcome::different);
        const std::string text = diff_text(report);
        expect_contains(text, "The logs differ: /a \\\"b, c.swf.");
        REQUIRE(report.tables.size() == 1);
        CHECK(report.tables[0].title == "Logs that differ");
        const std::vector<std::string> row{"/a \\\"b, c.swf", "0123456789ab", "fedcba987654", "4"};
        REQUIRE(report.tables[0].rows.size() == 1);
        CHECK(report.tables[0].rows[0] == row);
    }
}

TEST_CASE("cells from before logs were checksummed are the same cells as later ones") {
    const std::string known = workload_over("log.swf", sum);
    const std::string unknown = workload_over("log.swf", "\"\"");
    for (const DiffSettings& settings : {overlap, paired}) {
        const DiffReport later = diff_of_workloads(unknown, known, settings);
        CHECK(later.outcome == DiffOutcome::same);
        expect_contains(diff_text(later), "A does not tell what was in log.swf when it was run");
        expect_contains(
            diff_text(diff_of_workloads(known, unknown, settings)), "\nB does not tell"
        );
        const DiffReport same = diff_of_workloads(known, known, settings);
        CHECK(same.lines.size() == 3);
        CHECK(diff_of_workloads(unknown, unknown, settings).lines == same.lines);
    }
    CHECK_THROWS_WITH_AS(
        diff_of_workloads(known, workload_over("other.swf", sum), overlap),
        doctest::Contains("no cell is in both"),
        ResultError
    );
}
