#include "results_schema/tables/record_layout.hpp"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include "engine/foundation/expect.hpp"

#include "results_schema/tables/stored_text.hpp"

namespace schedfarm::results_schema {

namespace {

constexpr std::size_t number_size = 8;

std::size_t size_of_field(const Column& column) {
    const auto* texts = std::get_if<Texts>(&column.data);
    if (texts == nullptr) {
        return number_size;
    }
    std::size_t longest = 0;
    for (const std::string& text : *texts) {
        longest = std::max(longest, text.size());
    }
    return longest + 1;
}

hid_t number_type(ColumnType type, Representation representation) {
    const bool in_file = representation == Representation::file;
    switch (type) {
        case ColumnType::integer:
            return in_file ? H5T_STD_I64LE : H5T_NATIVE_INT64;
        case ColumnType::count:
            return in_file ? H5T_STD_U64LE : H5T_NATIVE_UINT64;
        case ColumnType::real:
            return in_file ? H5T_IEEE_F64LE : H5T_NATIVE_DOUBLE;
        case ColumnType::text:
            break;
    }
    engine::throw_contract_violation("number", __FILE__, __LINE__, "a text is no number");
}

ColumnType type_of_member(hid_t member, const std::string& name) {
    const std::size_t size = H5Tget_size(member);
    switch (H5Tget_class(member)) {
        case H5T_STRING:
            if (H5Tis_variable_str(member) == 0) {
                return ColumnType::text;
            }
            break;
        case H5T_FLOAT:
            if (size == number_size) {
                return ColumnType::real;
            }
            break;
        case H5T_INTEGER:
            if (size == number_size) {
                return H5Tget_sign(member) == H5T_SGN_NONE ? ColumnType::count
                                                           : ColumnType::integer;
            }
            break;
        default:
            break;
    }
    throw ResultError(
        fmt::format("column '{}' has a type that no schema version has", stored_text(name))
    );
}

std::string member_name(hid_t compound_type, unsigned index) {
    char* text = H5Tget_member_name(compound_type, index);
    if (text == nullptr) {
        throw_hdf5_failure("column name");
    }
    std::string name(text);
    H5free_memory(text);
    return name;
}

template <typename Number>
void put(char* place, const Number& value) {
    std::memcpy(place, &value, sizeof value);
}
void put(char* place, const std::string& value) {
    std::copy(value.begin(), value.end(), place);  // the NUL is there already
}

template <typename Number>
void append(const char* place, std::size_t /*size*/, std::vector<Number>& values) {
    std::memcpy(&values.emplace_back(), place, sizeof(Number));
}
void append(const char* place, std::size_t size, Texts& values) {
    values.push_back(stored_text({place, ::strnlen(place, size)}));
}

}  // namespace

void RecordLayout::add(std::string name, ColumnType type, std::size_t field_size) {
    fields.push_back({std::move(name), type, size, field_size});
    size += field_size;
}

RecordLayout layout_of(const Table& table) {
    RecordLayout layout;
    for (const Column& column : table.columns) {
        layout.add(column.name, type_of(column.data), size_of_field(column));
    }
    return layout;
}

RecordLayout layout_of(hid_t compound_type) {
    RecordLayout layout;
    const int members = checked(H5Tget_nmembers(compound_type), "columns");
    for (int i = 0; i < members; ++i) {
        const auto index = static_cast<unsigned>(i);
        std::string name = member_name(compound_type, index);
        const Handle member(H5Tget_member_type(compound_type, index), H5Tclose, "column type");
        const ColumnType type = type_of_member(member.id(), name);
        // A text that fills its field has no closing NUL: room for one is made in memory.
        const std::size_t room = type == ColumnType::text ? 1 : 0;
        layout.add(std::move(name), type, H5Tget_size(member.id()) + room);
    }
    return layout;
}

Handle make_record_type(const RecordLayout& layout, Representation representation) {
    Handle record(H5Tcreate(H5T_COMPOUND, layout.size), H5Tclose, "record type");
    for (const Field& field : layout.fields) {
        if (field.type == ColumnType::text) {
            const Handle text = make_text_type(field.size);
            checked(H5Tinsert(record.id(), field.name.c_str(), field.offset, text.id()), "column");
        } else {
            const hid_t number = number_type(field.type, representation);
            checked(H5Tinsert(record.id(), field.name.c_str(), field.offset, number), "column");
        }
    }
    return record;
}

void pack(
    const Table& table,
    const RecordLayout& layout,
    std::size_t first,
    std::size_t count,
    std::vector<char>& records
) {
    records.assign(count * layout.size, '\0');
    for (std::size_t i = 0; i < layout.fields.size(); ++i) {
        char* place = records.data() + layout.fields[i].offset;
        const auto put_rows = [&](const auto& values) {
            for (std::size_t row = first; row < first + count; ++row) {
                put(place, values[row]);
                place += layout.size;
            }
        };
        std::visit(put_rows, table.columns[i].data);
    }
}

void unpack(
    const std::vector<char>& records,
    const RecordLayout& layout,
    std::size_t count,
    std::vector<Column>& columns
) {
    for (std::size_t i = 0; i < layout.fields.size(); ++i) {
        const Field& field = layout.fields[i];
        const char* place = records.data() + field.offset;
        const auto take_rows = [&](auto& values) {
            for (std::size_t row = 0; row < count; ++row) {
                append(place, field.size, values);
                place += layout.size;
            }
        };
        std::visit(take_rows, columns[i].data);
    }
}

}  // namespace schedfarm::results_schema
