#include "results_schema/tables/table_filling.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "engine/foundation/expect.hpp"

#include "results_schema/absent.hpp"
#include "results_schema/schema.hpp"

namespace schedfarm::results_schema {

namespace {

/// Appends a value to a column of another type where nothing is lost.
struct Append {
    const Table& table;
    const Column& column;

    template <typename List, typename V>
    void operator()(List& values, const V& value) const {
        using T = typename List::value_type;
        if constexpr (std::is_same_v<T, V>) {
            values.push_back(value);
        } else if constexpr (std::integral<T> && std::integral<V>) {
            SCHEDFARM_EXPECT(
                std::in_range<T>(value),
                fmt::format("{} does not fit column '{}' of '{}'", value, column.name, table.name)
            );
            values.push_back(static_cast<T>(value));
        } else if constexpr (std::is_same_v<T, double> && std::integral<V>) {
            values.push_back(static_cast<double>(value));
        } else {
            engine::throw_contract_violation(
                "types agree",
                __FILE__,
                __LINE__,
                fmt::format(
                    "column '{}' of '{}' is {}",
                    column.name,
                    table.name,
                    type_word(type_of(column.data))
                )
            );
        }
    }
};

/// Number of a column. Rows mostly name the columns in their order: `expected` is looked at first.
std::size_t column_to_fill(const Table& table, std::string_view name, std::size_t expected) {
    const std::vector<Column>& columns = table.columns;
    if (expected < columns.size() && columns[expected].name == name) {
        return expected;
    }
    const auto found = std::find_if(columns.begin(), columns.end(), [&](const Column& column) {
        return column.name == name;
    });
    SCHEDFARM_EXPECT(
        found != columns.end(), fmt::format("no column '{}' in '{}'", name, table.name)
    );
    return static_cast<std::size_t>(found - columns.begin());
}

}  // namespace

void add_row(Table& table, std::span<const NamedValue> row) {
    const std::size_t rows_before = table.rows();
    std::size_t expected = 0;
    for (const NamedValue& named : row) {
        const std::size_t place = column_to_fill(table, named.column, expected);
        expected = place + 1;
        Column& column = table.columns[place];
        SCHEDFARM_EXPECT(
            column.size() == rows_before,
            fmt::format("column '{}' of '{}' is named twice", column.name, table.name)
        );
        std::visit(Append{table, column}, column.data, named.value);
    }
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
        Column& column = table.columns[i];
        if (column.size() > rows_before) {
            continue;
        }
        const TableSchema* schema = find_table_schema(table.name);
        SCHEDFARM_EXPECT(
            schema != nullptr, fmt::format("the schema has no table '{}'", table.name)
        );
        SCHEDFARM_EXPECT(
            i >= schema->columns.size(),
            fmt::format("column '{}' of '{}' has no value", column.name, table.name)
        );
        std::get<std::vector<double>>(column.data).push_back(absent);
    }
}

void reserve_rows(Table& table, std::size_t rows) {
    for (Column& column : table.columns) {
        std::visit([rows](auto& values) { values.reserve(rows); }, column.data);
    }
}

void add_observation_column(
    Table& table, const std::string& name, const std::string& unit, const std::string& meaning
) {
    if (table.find(name) == nullptr) {
        table.columns.push_back(
            {name, unit, meaning, true, std::vector<double>(table.rows(), absent)}
        );
    }
}

void set_attribute(
    ResultFile& results,
    std::string_view name,
    std::variant<std::string, std::int64_t, double> value
) {
    const AttributeSchema* schema = find_attribute_schema(name);
    SCHEDFARM_EXPECT(schema != nullptr, fmt::format("the schema has no attribute '{}'", name));
    SCHEDFARM_EXPECT(
        type_of(value) == schema->type,
        fmt::format("attribute '{}' is {}", name, type_word(schema->type))
    );
    Attribute attribute{schema->name, std::move(value), schema->meaning};
    for (Attribute& present : results.attributes) {
        if (present.name == name) {
            present = std::move(attribute);
            return;
        }
    }
    results.attributes.push_back(std::move(attribute));
}

}  // namespace schedfarm::results_schema
