// Results compared to the bit: NaN equals itself, −0 differs from 0.
#pragma once

#include <bit>
#include <string>

#include "results_schema/tables/table.hpp"

namespace schedfarm::tests {

template <typename T>
bool same_value(const T& a, const T& b) {
    if constexpr (std::is_same_v<T, double>) {
        return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
    } else {
        return a == b;
    }
}

inline bool same_data(const results_schema::ColumnData& a, const results_schema::ColumnData& b) {
    if (a.index() != b.index()) {
        return false;
    }
    return std::visit(
        [&]<typename List>(const List& values) {
            using T = typename List::value_type;
            const auto& others = std::get<List>(b);
            bool same = values.size() == others.size();
            for (std::size_t i = 0; same && i < values.size(); ++i) {
                same = same_value<T>(values[i], others[i]);
            }
            return same;
        },
        a
    );
}

/// The first difference as text; empty when there is none.
inline std::string difference(const results_schema::Table& a, const results_schema::Table& b) {
    if (a.name != b.name || a.meaning != b.meaning || a.columns.size() != b.columns.size()) {
        return a.name + ": another table";
    }
    for (std::size_t i = 0; i < a.columns.size(); ++i) {
        const auto& x = a.columns[i];
        const auto& y = b.columns[i];
        if (x.name != y.name || x.unit != y.unit || x.meaning != y.meaning || x.hashed != y.hashed
            || !same_data(x.data, y.data)) {
            return a.name + "." + x.name;
        }
    }
    return {};
}

}  // namespace schedfarm::tests
