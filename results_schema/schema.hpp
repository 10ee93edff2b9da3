// The one description of a result file: its root attributes, its tables and their columns, as the
// tables of SCHEMA.md have them. Writing, reading, checking and hashing follow it. A change there
// is a change of the schema version in result_io.hpp: minor for an addition, major for anything
// else.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "results_schema/tables/table.hpp"

namespace schedfarm::results_schema {

inline constexpr const char* filetype = "schedfarm results";

enum class ColumnType : std::uint8_t {
    integer,  ///< int64
    count,    ///< uint64
    real,     ///< float64
    text,     ///< UTF-8
};

enum class Presence : std::uint8_t { required, optional };

enum class RowOrder : std::uint8_t { any, non_decreasing, strictly_increasing };

/// Which columns a table may have after those of the schema.
enum class ExtraColumns : std::uint8_t {
    none,
    observations,  ///< reals in the payload, with unit and meaning of their own
};

struct ColumnSchema {
    std::string name;
    ColumnType type = ColumnType::real;
    std::string unit;  ///< "1" for dimensionless; empty for texts
    std::string meaning;
    bool hashed = true;  ///< part of the payload
    std::string example;
    std::vector<std::string> words = {};  ///< the admissible texts; empty: any
};

struct TableSchema {
    std::string name;
    std::string meaning;
    Presence presence = Presence::required;
    std::vector<std::string> key;  ///< columns that order the rows
    RowOrder order = RowOrder::any;
    std::vector<ColumnSchema> columns;
    ExtraColumns extra = ExtraColumns::none;
};

/// Who gives an attribute its value.
enum class Origin : std::uint8_t { caller, writer };

struct AttributeSchema {
    std::string name;
    ColumnType type = ColumnType::text;
    Presence presence = Presence::required;
    Origin origin = Origin::caller;
    std::string meaning;
    std::string example;
};

/// The last part of SCHEMA.md.
std::string_view schema_page();

/// All tables, in the order in which they are written and hashed.
const std::vector<TableSchema>& schema_tables();
/// Null when the schema has no such table; those of a job log are found by their paths.
const TableSchema* find_table_schema(std::string_view name);

/// All attributes of the root group, in the order in which they are written.
const std::vector<AttributeSchema>& schema_attributes();
const AttributeSchema* find_attribute_schema(std::string_view name);

/// The table without rows. REQUIRES: the schema has it.
Table make_table(std::string_view name);
/// An empty column of the type.
ColumnData make_column_data(ColumnType type);
ColumnType type_of(const ColumnData& data);
ColumnType type_of(const std::variant<std::string, std::int64_t, double>& value);
/// "int64", "uint64", "float64", "text".
std::string_view type_word(ColumnType type);

}  // namespace schedfarm::results_schema
