#include "results_schema/version_1.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "engine/foundation/former_words.hpp"

#include "results_schema/checks/validation.hpp"
#include "results_schema/result_io.hpp"
#include "results_schema/schema.hpp"

namespace schedfarm::results_schema {

namespace {

/// Columns and attributes whose texts name metrics.
constexpr std::array<std::string_view, 10> naming_texts{
    "metric",
    "controls",
    "expression",
    "most_demanding",
    "resolved",
    "where",
    "quantity",
    "value",
    "report_metrics",
    "report_figures"};

bool names_metrics(std::string_view name) {
    return std::find(naming_texts.begin(), naming_texts.end(), name) != naming_texts.end();
}

std::string meaning_in_2(std::string meaning) {
    constexpr std::string_view former = "queueing time";
    std::size_t at = meaning.find(former);
    while (at != std::string::npos) {
        meaning.replace(at, former.size(), "wait");
        at = meaning.find(former, at);
    }
    return meaning;
}

/// Where the schema words a meaning otherwise than it did, the column is the same.
void upgrade(Column& column, const TableSchema& schema) {
    column.name = engine::with_current_words(column.name);
    column.meaning = meaning_in_2(column.meaning);
    for (const ColumnSchema& known : schema.columns) {
        if (known.name == column.name) {
            column.meaning = known.meaning;
        }
    }
    auto* const texts = std::get_if<Texts>(&column.data);
    for (std::size_t i = 0; texts != nullptr && names_metrics(column.name) && i < texts->size();
         ++i) {
        texts->set(i, engine::with_current_words((*texts)[i]));
    }
}

}  // namespace

void upgrade_from_1(ResultFile& results) {
    const bool is_sound = payload_problems(results).empty();
    for (Table& table : results.tables) {
        const TableSchema& schema = *find_table_schema(table.name);
        table.meaning = schema.meaning;
        for (Column& column : table.columns) {
            upgrade(column, schema);
        }
    }
    for (Attribute& attribute : results.attributes) {
        if (attribute.name == "schema_version") {
            attribute.value = fmt::format("{}.{}", schema_major, schema_minor);
        } else if (attribute.name == "payload_hash" && is_sound) {
            attribute.value = payload_hash(results);
        } else if (auto* text = std::get_if<std::string>(&attribute.value);
                   text != nullptr && names_metrics(attribute.name)) {
            *text = engine::with_current_words(*text);
        }
    }
}

}  // namespace schedfarm::results_schema
