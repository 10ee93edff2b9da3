// Tables among a policy's parameters: one list for each column, one entry for each row (a queue, a
// partition). An empty list stands for the default in every row; a table has as many rows as its
// longest column, at least one.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "engine/foundation/parameters.hpp"

namespace schedfarm::policies {

using ColumnNames = std::span<const char* const>;

std::size_t row_count(const engine::Parameters& parameters, ColumnNames columns);

/// The entry of a row, or `absent` where the list is empty.
double entry(
    const engine::Parameters& parameters, const char* column, std::size_t row, double absent
);

/// Columns of different lengths.
std::vector<engine::ParameterProblem> length_problems(
    const engine::Parameters& parameters, ColumnNames columns, const std::string& row_name
);

}  // namespace schedfarm::policies
