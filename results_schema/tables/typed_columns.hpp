// Columns of a table by their type: what a column holds is known by its name. Pure.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <fmt/format.h>

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

}  // namespace schedfarm::results_schema
