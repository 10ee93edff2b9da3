// Columns of a table by their type: what a column holds is known by its name. Pure.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "results_schema/absent.hpp"
#include "results_schema/result_io.hpp"
#include "results_schema/tables/table.hpp"

namespace schedfarm::results_schema {

using Counts = std::vector<std::uint64_t>;
using Integers = std::vector<std::int64_t>;
using Reals = std::vector<double>;

/// Throws where the table has no such column; ResultError where it is of another type.
template <typename T>
const T& column_of(const Table& table, std::string_view name) {
    const T* data = std::get_if<T>(&table.at(name).data);
    if (data == nullptr) {
        throw ResultError(
            fmt::format("column '{}' of table '{}' has an unexpected type", name, table.name)
        );
    }
    return *data;
}

/// To be filled: all columns of a table have one length in the end.
template <typename T>
T& column_of(Table& table, std::string_view name) {
    return const_cast<T&>(column_of<T>(std::as_const(table), name));  // NOLINT: of this table
}

/// A value of any type, with every digit.
inline std::string value_text(const Column& column, std::size_t row) {
    return std::visit([row](const auto& all) { return fmt::format("{}", all[row]); }, column.data);
}

/// A row of a table: its values by the names of their columns. Goes over rows as an iterator does.
/// REQUIRES for a value: the table has the row, and the column, of that type.
class Row {
  public:
    Row(const Table& table, std::size_t index) : table_(&table), index_(index) {}

    const Table& table() const { return *table_; }
    std::size_t index() const { return index_; }
    std::uint64_t count(std::string_view name) const {
        return column_of<Counts>(*table_, name)[index_];
    }
    std::int64_t integer(std::string_view name) const {
        return column_of<Integers>(*table_, name)[index_];
    }
    double real(std::string_view name) const { return column_of<Reals>(*table_, name)[index_]; }
    const std::string& text(std::string_view name) const {
        return column_of<Texts>(*table_, name)[index_];
    }

    std::string shown(std::string_view name) const { return value_text(table_->at(name), index_); }

    /// Of a column of any numbers. REQUIRES: it holds no texts.
    double number(std::string_view name) const {
        const auto number = [this](const auto& all) {
            if constexpr (std::is_same_v<decltype(all), const Texts&>) {
                return absent;
            } else {
                return static_cast<double>(all[index_]);
            }
        };
        return std::visit(number, table_->at(name).data);
    }

    Row before() const { return {*table_, index_ - 1}; }

    const Row& operator*() const { return *this; }
    Row& operator++() {
        ++index_;
        return *this;
    }
    bool operator==(const Row& other) const { return index_ == other.index_; }

  private:
    const Table* table_;
    std::size_t index_;
};

/// For `for (const Row& row : rows_of(table))`.
struct Rows {
    const Table& table;

    Row begin() const { return {table, 0}; }
    Row end() const { return {table, table.rows()}; }
};

inline Rows rows_of(const Table& table) {
    return {table};
}

}  // namespace schedfarm::results_schema
