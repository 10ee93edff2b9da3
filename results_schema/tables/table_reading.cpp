#include "results_schema/tables/table_reading.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "results_schema/result_io.hpp"
#include "results_schema/schema.hpp"
#include "results_schema/tables/hdf5_attributes.hpp"
#include "results_schema/tables/hdf5_handle.hpp"
#include "results_schema/tables/record_layout.hpp"
#include "results_schema/tables/stored_text.hpp"
#include "results_schema/tables/table_filling.hpp"

namespace schedfarm::results_schema {

namespace {

constexpr std::size_t bytes_of_block = std::size_t{1} << 20;

/// The columns of the layout, empty, with unit, meaning and payload mark from the dataset.
std::vector<Column> make_columns(hid_t dataset, const RecordLayout& layout) {
    const auto units = read_texts(dataset, "units");
    const auto meanings = read_texts(dataset, "meanings");
    const auto hashed = read_integers(dataset, "hashed");
    std::vector<Column> columns;
    for (std::size_t i = 0; i < layout.fields.size(); ++i) {
        const Field& field = layout.fields[i];
        columns.push_back(
            {stored_text(field.name),
             units && i < units->size() ? (*units)[i] : "",
             meanings && i < meanings->size() ? (*meanings)[i] : "",
             hashed && i < hashed->size() && (*hashed)[i] != 0,
             make_column_data(field.type)}
        );
    }
    return columns;
}

std::size_t count_rows(hid_t space, const std::string& table) {
    if (H5Sget_simple_extent_type(space) != H5S_SIMPLE || H5Sget_simple_extent_ndims(space) != 1) {
        throw ResultError(fmt::format("table '{}' is not one-dimensional", table));
    }
    return static_cast<std::size_t>(checked(H5Sget_simple_extent_npoints(space), table));
}

void read_records(hid_t dataset, const RecordLayout& layout, Table& table) {
    const Handle space(H5Dget_space(dataset), H5Sclose, table.name);
    const std::size_t rows = count_rows(space.id(), table.name);
    reserve_rows(table, rows);
    const Handle type = make_record_type(layout, Representation::memory);
    const std::size_t block = std::max<std::size_t>(1, bytes_of_block / layout.size);
    std::vector<char> records(std::min(block, rows) * layout.size);
    const Handle transfer = make_transfer_properties(dataset, rows, layout.size);
    for (std::size_t first = 0; first < rows; first += block) {
        const hsize_t start = first;
        const hsize_t count = std::min(block, rows - first);
        const Handle place(H5Screate_simple(1, &count, nullptr), H5Sclose, table.name);
        checked(
            H5Sselect_hyperslab(space.id(), H5S_SELECT_SET, &start, nullptr, &count, nullptr),
            table.name
        );
        checked(
            H5Dread(dataset, type.id(), place.id(), space.id(), transfer.id(), records.data()),
            table.name
        );
        unpack(records, layout, count, table.columns);
    }
}

struct Links {
    std::vector<std::string> names;
    std::string elsewhere;  ///< one that leads to another place, or another file
};

herr_t take_link(hid_t /*group*/, const char* name, const H5L_info_t* info, void* taken) {
    auto& links = *static_cast<Links*>(taken);
    links.names.emplace_back(name);
    if (info->type != H5L_TYPE_HARD) {
        links.elsewhere = name;
    }
    return 0;
}

/// The rows could lie in another file.
void expect_own_rows(hid_t dataset, const std::string& name) {
    const Handle properties(H5Dget_create_plist(dataset), H5Pclose, name);
    if (H5Pget_layout(properties.id()) == H5D_VIRTUAL
        || H5Pget_external_count(properties.id()) > 0) {
        throw ResultError(fmt::format("table '{}' lies in another file", name));
    }
}

}  // namespace

Table read_table(hid_t file, const std::string& name) {
    const Handle dataset(H5Dopen2(file, name.c_str(), H5P_DEFAULT), H5Dclose, name);
    expect_own_rows(dataset.id(), name);
    const Handle type(H5Dget_type(dataset.id()), H5Tclose, name);
    if (H5Tget_class(type.id()) != H5T_COMPOUND) {
        throw ResultError(fmt::format("table '{}' is not a compound dataset", name));
    }
    const RecordLayout layout = layout_of(type.id());
    Table table{name, read_text(dataset.id(), "meaning").value_or(""), {}};
    table.columns = make_columns(dataset.id(), layout);
    read_records(dataset.id(), layout, table);
    return table;
}

std::vector<std::string> link_names(hid_t group) {
    Links links;
    checked(H5Literate(group, H5_INDEX_NAME, H5_ITER_INC, nullptr, take_link, &links), "group");
    if (!links.elsewhere.empty() && links.elsewhere != "notes") {
        throw ResultError(fmt::format(
            "cannot be read ('{}' is a link; a result file holds all that it is made of). Name the "
            "file as it was written",
            stored_text(links.elsewhere)
        ));
    }
    return links.names;
}

}  // namespace schedfarm::results_schema
