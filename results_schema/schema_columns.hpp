// How the tables of the schema are written down: one function per kind of column, and of table.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "results_schema/schema.hpp"

namespace schedfarm::results_schema::columns {

inline ColumnSchema count(std::string name, std::string meaning, std::string example) {
    return {std::move(name), ColumnType::count, "1", std::move(meaning), true, std::move(example)};
}

inline ColumnSchema integer(std::string name, std::string meaning, std::string example) {
    return {
        std::move(name), ColumnType::integer, "1", std::move(meaning), true, std::move(example)};
}

inline ColumnSchema real(
    std::string name, std::string unit, std::string meaning, std::string example
) {
    return {
        std::move(name),
        ColumnType::real,
        std::move(unit),
        std::move(meaning),
        true,
        std::move(example)};
}

inline ColumnSchema text(
    std::string name, std::string meaning, std::string example, std::vector<std::string> words = {}
) {
    return {
        std::move(name),
        ColumnType::text,
        "",
        std::move(meaning),
        true,
        std::move(example),
        std::move(words)};
}

inline ColumnSchema outside_payload(ColumnSchema column) {
    column.hashed = false;
    return column;
}

inline TableSchema outside_payload(TableSchema table) {
    for (ColumnSchema& column : table.columns) {
        column.hashed = false;
    }
    return table;
}

/// The unit of a number that belongs to a metric.
inline constexpr const char* unit_of_metric = "that of the metric";

inline ColumnSchema cell() {
    return count("cell", "number of the cell, row of `cells`", "3");
}

inline ColumnSchema replication() {
    return count(
        "replication",
        "index of the replication within the cell, from 0; where the program lengthened the "
        "horizon from k * 1000000",
        "17"
    );
}

inline ColumnSchema metric(std::string example) {
    return text("metric", "name of an observation column of `replications`", std::move(example));
}

inline ColumnSchema lower_end(std::string unit, std::string example) {
    return real(
        "lower", std::move(unit), "lower end of the confidence interval", std::move(example)
    );
}

inline ColumnSchema upper_end(std::string unit, std::string example) {
    return real(
        "upper", std::move(unit), "upper end of the confidence interval", std::move(example)
    );
}

inline ColumnSchema confidence() {
    return real("confidence", "1", "nominal coverage of the interval", "0.95");
}

/// A table that a file may lack, with rows for one cell after the other.
inline TableSchema table_by_cell(
    std::string name, std::string meaning, RowOrder order, std::vector<ColumnSchema> columns
) {
    return {
        std::move(name),
        std::move(meaning),
        Presence::optional,
        {"cell"},
        order,
        std::move(columns)};
}

/// A table that a file may lack, with rows in any order.
inline TableSchema unordered_table(
    std::string name, std::string meaning, std::vector<ColumnSchema> columns
) {
    return {
        std::move(name),
        std::move(meaning),
        Presence::optional,
        {},
        RowOrder::any,
        std::move(columns)};
}

}  // namespace schedfarm::results_schema::columns
