#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "engine/foundation/message_text.hpp"

#include "results_schema/schema.hpp"

#include "app/report/diff/cell_matching.hpp"
#include "app/report/diff/diff.hpp"
#include "app/report/result_view.hpp"

namespace schedfarm::app {

namespace {

using results_schema::Column;
using results_schema::ResultFile;
using results_schema::Table;

constexpr std::size_t most_lines = 12;
constexpr std::size_t longest_value = 32;

/// The columns that say which row a row is; a row has those that its table has.
constexpr std::array<const char*, 11> identity_columns = {
    "cell",
    "replication",
    "group",
    "first_cell",
    "second_cell",
    "factor",
    "metric",
    "step",
    "first_job",
    "probability",
    "bucket"};

std::string shown_value(const Column& column, std::size_t row) {
    const bool is_text = std::holds_alternative<Texts>(column.data);
    const std::string text = clipped(results_schema::value_text(column, row), longest_value);
    return is_text ? "'" + text + "'" : text;
}

/// "cell 3 (fcfs, 0.7), replication 17"
std::string row_name(const Table& table, std::size_t row, const CellLabels& labels) {
    std::string name;
    for (const char* identity : identity_columns) {
        const Column* column = table.find(identity);
        const std::string value = column == nullptr ? "" : results_schema::value_text(*column, row);
        if (value.empty()) {
            continue;
        }
        std::string word = identity;
        std::replace(word.begin(), word.end(), '_', ' ');
        name += fmt::format("{}{} {}", name.empty() ? "" : ", ", word, value);
        if (word == "cell") {
            const std::string label = labels.label(column_of<Counts>(table, identity)[row]);
            name += label == "cell " + value ? "" : " (" + label + ")";
        }
    }
    return name.empty() ? fmt::format("row {}", row) : name;
}

/// Rows of two tables that are the same row; the k-th of equal identity goes with the k-th.
struct RowMatching {
    std::vector<std::pair<std::size_t, std::size_t>> pairs;
    std::vector<std::size_t> only_a;
    std::vector<std::size_t> only_b;
};

std::string identity_of(const Table& table, std::size_t row) {
    std::string identity;
    for (const char* name : identity_columns) {
        if (const Column* column = table.find(name)) {
            identity += results_schema::value_text(*column, row) + "\n";
        }
    }
    return identity;
}

RowMatching match_rows(const Table& a, const Table& b) {
    std::map<std::string, std::vector<std::size_t>> waiting;
    for (std::size_t row = b.rows(); row-- > 0;) {
        waiting[identity_of(b, row)].push_back(row);
    }
    RowMatching matching;
    for (std::size_t row = 0; row < a.rows(); ++row) {
        std::vector<std::size_t>& candidates = waiting[identity_of(a, row)];
        if (candidates.empty()) {
            matching.only_a.push_back(row);
        } else {
            matching.pairs.emplace_back(row, candidates.back());
            candidates.pop_back();
        }
    }
    for (const auto& [identity, rows] : waiting) {
        matching.only_b.insert(matching.only_b.end(), rows.begin(), rows.end());
    }
    std::sort(matching.only_b.begin(), matching.only_b.end());
    return matching;
}

/// Collects what differs, in the order of the schema.
class BitwiseDiff {
  public:
    BitwiseDiff(const ResultFile& a, const ResultFile& b) : labels_a_(a), labels_b_(b) {
        for (const auto& schema : results_schema::schema_tables()) {
            compare_tables(a.find(schema.name), b.find(schema.name));
        }
    }

    const std::vector<std::string>& lines() const { return lines_; }

  private:
    static bool has_payload(const Table& table) {
        return std::any_of(table.columns.begin(), table.columns.end(), [](const Column& column) {
            return column.hashed;
        });
    }

    static std::string only_in(const char* side, const Table& table) {
        return fmt::format(
            "table {}: only in {} ({})", table.name, side, engine::counted(table.rows(), "row")
        );
    }

    void compare_tables(const Table* a, const Table* b) {
        if (a != nullptr && b != nullptr) {
            compare_columns(*a, *b);
        } else if (a != nullptr && has_payload(*a)) {
            lines_.push_back(only_in("A", *a));
        } else if (b != nullptr && has_payload(*b)) {
            lines_.push_back(only_in("B", *b));
        }
    }

    void compare_columns(const Table& a, const Table& b) {
        if (!has_payload(a) && !has_payload(b)) {
            return;
        }
        const RowMatching rows = match_rows(a, b);
        say_unmatched("A", a, rows.only_a, labels_a_);
        say_unmatched("B", b, rows.only_b, labels_b_);
        for (const Column& column : a.columns) {
            const Column* other = b.find(column.name);
            if (column.hashed && other != nullptr) {
                compare_values(a, column, *other, rows);
            } else if (column.hashed) {
                lines_.push_back(fmt::format("{}.{}: only in A", a.name, column.name));
            }
        }
        for (const Column& column : b.columns) {
            if (column.hashed && a.find(column.name) == nullptr) {
                lines_.push_back(fmt::format("{}.{}: only in B", b.name, column.name));
            }
        }
    }

    void say_unmatched(
        const char* side,
        const Table& table,
        const std::vector<std::size_t>& rows,
        const CellLabels& labels
    ) {
        if (!rows.empty()) {
            lines_.push_back(fmt::format(
                "{}: {} of {} only in {}, first {}",
                table.name,
                rows.size(),
                engine::counted(table.rows(), "row"),
                side,
                row_name(table, rows.front(), labels)
            ));
        }
    }

    void compare_values(
        const Table& table, const Column& a, const Column& b, const RowMatching& rows
    ) {
        std::size_t differing = 0;
        std::string first;
        for (const auto& [row_a, row_b] : rows.pairs) {
            if (same_value(a, row_a, b, row_b)) {
                continue;
            }
            if (differing++ == 0) {
                first = fmt::format(
                    "{}: {} in A, {} in B",
                    row_name(table, row_a, labels_a_),
                    shown_value(a, row_a),
                    shown_value(b, row_b)
                );
            }
        }
        if (differing > 0) {
            lines_.push_back(fmt::format(
                "{}.{}: {} of {}, first {}",
                table.name,
                a.name,
                differing,
                engine::counted(rows.pairs.size(), "row"),
                first
            ));
        }
    }

    CellLabels labels_a_;
    CellLabels labels_b_;
    std::vector<std::string> lines_;
};

/// Circumstances that explain a difference.
std::string differing_attributes(const ResultFile& a, const ResultFile& b) {
    std::string text;
    for (const char* name :
         {"seed", "campaign_hash", "results_version", "program_version", "git_revision"}) {
        const std::string of_a = text_attribute(a, name);
        const std::string of_b = text_attribute(b, name);
        if (of_a != of_b) {
            text += fmt::format(
                "{}{} '{}' and '{}'",
                text.empty() ? "" : "; ",
                name,
                clipped(of_a, 13),
                clipped(of_b, 13)
            );
        }
    }
    return text;
}

}  // namespace

DiffReport diff_bitwise(const DiffSide& a, const DiffSide& b) {
    DiffReport report;
    const std::string hash = results_schema::payload_hash(*a.results);
    if (hash == results_schema::payload_hash(*b.results)) {
        report.lines = {fmt::format("Same payload: {}", hash)};
        return report;
    }
    report.outcome = DiffOutcome::different;
    report.lines = {"A: " + a.name, "B: " + b.name, "The payloads differ:"};
    std::vector<std::string> found = BitwiseDiff(*a.results, *b.results).lines();
    if (found.empty()) {
        found = {"the same rows, in another order"};
    }
    for (std::size_t i = 0; i < std::min(found.size(), most_lines); ++i) {
        report.lines.push_back("- " + found[i]);
    }
    if (found.size() > most_lines) {
        report.lines.push_back(fmt::format("- and {} more", found.size() - most_lines));
    }
    say_logs(matched_cells(a, b), report);
    const std::string attributes = differing_attributes(*a.results, *b.results);
    if (!attributes.empty()) {
        report.lines.push_back("Other circumstances: " + attributes + ".");
    }
    return report;
}

}  // namespace schedfarm::app
