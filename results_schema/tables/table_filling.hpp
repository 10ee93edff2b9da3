// How the tables of a result file are filled: rows by column name, so that no value can end in the
// wrong column, and attributes whose type and meaning come from the schema.
#pragma once

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "results_schema/tables/table.hpp"

namespace schedfarm::results_schema {

/// A value for one column of a row.
struct NamedValue {
    using Data = std::variant<std::int64_t, std::uint64_t, double, std::string>;

    template <std::signed_integral T>
    NamedValue(std::string_view name, T number) : column(name), value(std::int64_t{number}) {}
    template <std::unsigned_integral T>
    NamedValue(std::string_view name, T number) : column(name), value(std::uint64_t{number}) {}
    template <std::floating_point T>
    NamedValue(std::string_view name, T number) : column(name), value(double{number}) {}
    template <typename T>
        requires std::constructible_from<std::string, T> NamedValue(std::string_view name, T&& text)
            : column(name), value(std::in_place_type<std::string>, std::forward<T>(text)) {}

        std::string_view column;
        Data value;
};

/// Adds a row: `add_row(table, {{"cell", cell}, {"metric", name}, {"mean", mean}})`. Integers are
/// converted to the column's type where they fit. REQUIRES: every column of the schema once, in any
/// order, with a value that fits its type; observation columns that are left out are NaN.
void add_row(Table& table, std::span<const NamedValue> row);
inline void add_row(Table& table, std::initializer_list<NamedValue> row) {
    add_row(table, std::span(row));
}

/// Takes memory for so many rows at once.
void reserve_rows(Table& table, std::size_t rows);

/// Adds an observation column to `replications`; a name that is there already is left alone. Rows
/// present get NaN.
void add_observation_column(
    Table& table, const std::string& name, const std::string& unit, const std::string& meaning
);

/// Sets an attribute of the root; its meaning comes from the schema. REQUIRES: the schema has it,
/// with the type of the value.
void set_attribute(
    ResultFile& results,
    std::string_view name,
    std::variant<std::string, std::int64_t, double> value
);

}  // namespace schedfarm::results_schema
