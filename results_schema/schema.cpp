#include "results_schema/schema.hpp"

#include <algorithm>

#include "engine/foundation/expect.hpp"

#include "results_schema/job_logs.hpp"

namespace schedfarm::results_schema {

const TableSchema* find_table_schema(std::string_view name) {
    const auto& tables = schema_tables();
    const auto found = std::find_if(tables.begin(), tables.end(), [&](const TableSchema& table) {
        return table.name == name;
    });
    if (found != tables.end()) {
        return &*found;
    }
    for (const TableSchema& schema : job_log_schema()) {
        if (name.starts_with(schema.name + "/")) {
            return &schema;
        }
    }
    return nullptr;
}

const AttributeSchema* find_attribute_schema(std::string_view name) {
    const auto& all = schema_attributes();
    const auto found = std::find_if(all.begin(), all.end(), [&](const AttributeSchema& attribute) {
        return attribute.name == name;
    });
    return found == all.end() ? nullptr : &*found;
}

ColumnData make_column_data(ColumnType type) {
    switch (type) {
        case ColumnType::integer:
            return std::vector<std::int64_t>();
        case ColumnType::count:
            return std::vector<std::uint64_t>();
        case ColumnType::real:
            return std::vector<double>();
        case ColumnType::text:
            break;
    }
    return Texts();
}

ColumnType type_of(const ColumnData& data) {
    // The order of the alternatives of ColumnData is that of ColumnType.
    return static_cast<ColumnType>(data.index());
}

ColumnType type_of(const std::variant<std::string, std::int64_t, double>& value) {
    if (std::holds_alternative<std::string>(value)) {
        return ColumnType::text;
    }
    return std::holds_alternative<double>(value) ? ColumnType::real : ColumnType::integer;
}

std::string_view type_word(ColumnType type) {
    switch (type) {
        case ColumnType::integer:
            return "int64";
        case ColumnType::count:
            return "uint64";
        case ColumnType::real:
            return "float64";
        case ColumnType::text:
            break;
    }
    return "text";
}

Table make_table(std::string_view name) {
    const TableSchema* schema = find_table_schema(name);
    SCHEDFARM_EXPECT(schema != nullptr, "the schema has no table '" + std::string(name) + "'");
    Table table{schema->name, schema->meaning, {}};
    for (const ColumnSchema& column : schema->columns) {
        table.columns.push_back(
            {column.name, column.unit, column.meaning, column.hashed, make_column_data(column.type)}
        );
    }
    return table;
}

}  // namespace schedfarm::results_schema
