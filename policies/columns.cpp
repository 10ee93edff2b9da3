#include "policies/columns.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace schedfarm::policies {

using engine::ParameterProblem;
using engine::Parameters;

std::size_t row_count(const Parameters& parameters, ColumnNames columns) {
    std::size_t rows = 1;
    for (const char* column : columns) {
        rows = std::max(rows, parameters.at(column).as_list().size());
    }
    return rows;
}

double entry(const Parameters& parameters, const char* column, std::size_t row, double absent) {
    const engine::Value::List& list = parameters.at(column).as_list();
    return list.empty() ? absent : list.at(row).as_real();
}

std::vector<ParameterProblem> length_problems(
    const Parameters& parameters, ColumnNames columns, const std::string& row_name
) {
    const std::size_t rows = row_count(parameters, columns);
    for (const char* column : columns) {
        const std::size_t length = parameters.at(column).as_list().size();
        if (length != 0 && length != rows) {
            return {
                {column,
                 fmt::format(
                     "'{}' has {} entries where another list has {} (there is one for each {})",
                     column,
                     length,
                     rows,
                     row_name
                 ),
                 fmt::format("Give {} entries, or none for the default in each.", rows)}};
        }
    }
    return {};
}

}  // namespace schedfarm::policies
