// How the tables of the schema are written down: one function per kind of column.
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
    return count("replication", "index of the replication within the cell, from 0", "17");
}

inline ColumnSchema metric(std::string example) {
    return text("metric", "name of an observation column of `replications`", std::move(example));
}

}  // namespace schedfarm::results_schema::columns
