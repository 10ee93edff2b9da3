// One admissible choice for every alternative of a table of distributions, made from the
// descriptions of its parameters alone, so that tests which loop over a table name none.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "engine/foundation/parameters.hpp"

namespace schedfarm::engine {

/// A value of the row's type and range; `index`, the place in the table, makes rows differ.
inline Value example_value(const ParameterDescription& row, int index) {
    std::vector<double> admissible;
    for (const double candidate : {2.0 + index, 0.5, 1.0, 4.0}) {
        if (row.range.contains(candidate)) {
            admissible.push_back(candidate);
        }
    }
    REQUIRE(!admissible.empty());
    switch (row.type) {
        case ParameterType::integer:
            return static_cast<std::int64_t>(admissible.front());
        case ParameterType::integer_list:
            return Value::List{static_cast<std::int64_t>(admissible.front())};
        case ParameterType::real_list:
            return Value::List(admissible.begin(), admissible.end());
        default:
            REQUIRE(row.type == ParameterType::real);
            return admissible.front();
    }
}

/// Every parameter without a default gets an example.
inline Choice example_choice(const Alternative& alternative) {
    Choice choice{.name = alternative.name};
    int index = 0;
    for (const ParameterDescription& row : alternative.parameters) {
        if (!row.default_value) {
            choice.parameters.set(row.name, example_value(row, index));
        }
        ++index;
    }
    return choice;
}

/// A choice written down: `choice("erlang", {{"shape", 2}})`.
inline Choice choice(
    std::string name, const std::vector<std::pair<std::string, Value>>& parameters = {}
) {
    Choice result{.name = std::move(name)};
    for (const auto& [key, value] : parameters) {
        result.parameters.set(key, value);
    }
    return result;
}

}  // namespace schedfarm::engine
