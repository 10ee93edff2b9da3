// How the columns of a table lie side by side in the records of a compound dataset: packed, in
// column order, little-endian in the file, texts of fixed length with a closing NUL.
#pragma once

#include <cstddef>
#include <vector>

#include "results_schema/schema.hpp"
#include "results_schema/tables/hdf5_handle.hpp"
#include "results_schema/tables/table.hpp"

namespace schedfarm::results_schema {

struct Field {
    std::string name;
    ColumnType type = ColumnType::real;
    std::size_t offset = 0;
    std::size_t size = 0;
};

struct RecordLayout {
    std::vector<Field> fields;
    std::size_t size = 0;  ///< of a record, bytes

    void add(std::string name, ColumnType type, std::size_t field_size);
};

/// Texts get the length of the longest. Texts must be stored texts already.
RecordLayout layout_of(const Table& table);

/// The layout that a dataset's type has; throws ResultError when its members are not of the four
/// types that the schema has.
RecordLayout layout_of(hid_t compound_type);

enum class Representation : std::uint8_t { file, memory };

Handle make_record_type(const RecordLayout& layout, Representation representation);

/// Copies rows [first, first + count) of the columns into records.
void pack(
    const Table& table,
    const RecordLayout& layout,
    std::size_t first,
    std::size_t count,
    std::vector<char>& records
);

/// Appends `count` records to the columns. REQUIRES: the columns are those of the layout.
void unpack(
    const std::vector<char>& records,
    const RecordLayout& layout,
    std::size_t count,
    std::vector<Column>& columns
);

}  // namespace schedfarm::results_schema
