#include "tests/results_schema/schema_markdown.hpp"

#include <vector>

#include <fmt/format.h>

#include "results_schema/job_logs.hpp"
#include "results_schema/schema.hpp"

namespace schedfarm::tests {

namespace {

using namespace results_schema;  // NOLINT(google-build-using-namespace)

std::string in_backticks(const std::string& text) {
    return text.empty() ? "" : "`" + text + "`";
}

std::string joined(const std::vector<std::string>& names) {
    std::string text;
    for (const std::string& name : names) {
        text += (text.empty() ? "" : ", ") + in_backticks(name);
    }
    return text;
}

std::string order_sentence(const TableSchema& table) {
    switch (table.order) {
        case RowOrder::any:
            return "in any order";
        case RowOrder::non_decreasing:
            return "by " + joined(table.key);
        case RowOrder::strictly_increasing:
            return "by " + joined(table.key) + ", each at most once";
    }
    return {};
}

std::string attributes_markdown() {
    std::string text =
        "### Root attributes\n\n| attribute | type | present | meaning | example |\n"
        "|---|---|---|---|---|\n";
    for (const AttributeSchema& attribute : schema_attributes()) {
        text += fmt::format(
            "| `{}` | {} | {} | {} | {} |\n",
            attribute.name,
            type_word(attribute.type),
            attribute.presence == Presence::required ? "always" : "optional",
            attribute.meaning,
            in_backticks(attribute.example)
        );
    }
    return text;
}

std::string table_markdown(const TableSchema& table) {
    std::string text = fmt::format(
        "\n### `/{}`\n\n{}: {}. Rows {}.\n\n"
        "| column | type | unit | payload | meaning | example |\n|---|---|---|---|---|---|\n",
        table.name,
        table.presence == Presence::required ? "Always present" : "Optional",
        table.meaning,
        order_sentence(table)
    );
    for (const ColumnSchema& column : table.columns) {
        text += fmt::format(
            "| `{}` | {} | {} | {} | {}{} | {} |\n",
            column.name,
            type_word(column.type),
            column.unit,
            column.hashed ? "yes" : "",
            column.meaning,
            column.words.empty() ? "" : "; one of " + joined(column.words),
            in_backticks(column.example)
        );
    }
    if (table.extra == ExtraColumns::observations) {
        text +=
            "| *observation* | float64 | its own | yes | its own: see the attributes `units` and "
            "`meanings` of the dataset | `3.19` |\n";
    }
    return text;
}

}  // namespace

std::string schema_markdown() {
    std::string text = attributes_markdown();
    for (const TableSchema& table : schema_tables()) {
        text += table_markdown(table);
    }
    for (TableSchema table : job_log_schema()) {
        table.name += "/<cell>/<replication>";
        text += table_markdown(table);
    }
    return text;
}

}  // namespace schedfarm::tests
