#include "results_schema/tables/table_writing.hpp"

#include <algorithm>

#include "results_schema/tables/record_layout.hpp"
#include "results_schema/tables/stored_text.hpp"

namespace schedfarm::results_schema {

namespace {

// Within HDF5's chunk cache of 1 MiB, so that readers stay fast.
constexpr std::size_t most_records_per_chunk = 1024;
constexpr std::size_t most_bytes_per_chunk = std::size_t{1} << 20;
constexpr unsigned gzip_level = 4;
// Attributes lie in the object header up to this number, where a checksum guards them.
constexpr unsigned most_attributes_in_header = 256;

void write_attribute(hid_t object, const char* name, hid_t type, hid_t space, const void* value) {
    const Handle attribute(
        H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose, name
    );
    checked(H5Awrite(attribute.id(), type, value), name);
}

Handle scalar_space() {
    return {H5Screate(H5S_SCALAR), H5Sclose, "scalar"};
}

Handle list_space(std::size_t size) {
    const hsize_t length = size;
    return {H5Screate_simple(1, &length, nullptr), H5Sclose, "list"};
}

void write_text(hid_t object, const char* name, const std::string& text) {
    const std::string stored = stored_text(text);
    const char* characters = stored.c_str();
    const Handle type = make_text_type(H5T_VARIABLE);
    write_attribute(object, name, type.id(), scalar_space().id(), static_cast<void*>(&characters));
}

void write_texts(hid_t object, const char* name, const std::vector<std::string>& texts) {
    std::vector<std::string> stored(texts.size());
    std::vector<const char*> characters(texts.size());
    for (std::size_t i = 0; i < texts.size(); ++i) {
        stored[i] = stored_text(texts[i]);
        characters[i] = stored[i].c_str();
    }
    const Handle type = make_text_type(H5T_VARIABLE);
    write_attribute(
        object,
        name,
        type.id(),
        list_space(texts.size()).id(),
        static_cast<void*>(characters.data())
    );
}

/// What makes a table readable without this schema.
void write_description(hid_t dataset, const Table& table) {
    std::vector<std::string> names;
    std::vector<std::string> units;
    std::vector<std::string> meanings;
    std::vector<std::int64_t> hashed;
    for (const Column& column : table.columns) {
        names.push_back(column.name);
        units.push_back(column.unit);
        meanings.push_back(column.meaning);
        hashed.push_back(column.hashed ? 1 : 0);
    }
    write_text(dataset, "meaning", table.meaning);
    write_texts(dataset, "columns", names);
    write_texts(dataset, "units", units);
    write_texts(dataset, "meanings", meanings);
    write_attribute(
        dataset, "hashed", H5T_NATIVE_INT64, list_space(hashed.size()).id(), hashed.data()
    );
}

Handle dataset_properties(hsize_t chunk) {
    Handle properties = creation_properties(H5P_DATASET_CREATE);
    if (chunk > 0) {
        checked(H5Pset_chunk(properties.id(), 1, &chunk), "chunks");
        checked(H5Pset_shuffle(properties.id()), "shuffle filter");
        checked(H5Pset_deflate(properties.id(), gzip_level), "gzip filter");
        checked(H5Pset_fletcher32(properties.id()), "checksums");
    }
    return properties;
}

void write_records(
    hid_t dataset, hid_t space, const Table& table, const RecordLayout& layout, std::size_t block
) {
    const Handle type = make_record_type(layout, Representation::memory);
    std::vector<char> records;
    const Handle transfer = make_transfer_properties(dataset, table.rows(), layout.size);
    for (std::size_t first = 0; first < table.rows(); first += block) {
        const hsize_t start = first;
        const hsize_t count = std::min(block, table.rows() - first);
        pack(table, layout, first, count, records);
        checked(
            H5Sselect_hyperslab(space, H5S_SELECT_SET, &start, nullptr, &count, nullptr), "rows"
        );
        const Handle block_space = list_space(count);
        checked(
            H5Dwrite(dataset, type.id(), block_space.id(), space, transfer.id(), records.data()),
            "rows"
        );
    }
}

}  // namespace

Handle creation_properties(hid_t property_class) {
    Handle properties = make_properties(property_class);
    checked(H5Pset_obj_track_times(properties.id(), false), "object times");
    checked(
        H5Pset_attr_phase_change(
            properties.id(), most_attributes_in_header, most_attributes_in_header - 1
        ),
        "attribute storage"
    );
    return properties;
}

void write_root_attribute(hid_t root, const Attribute& attribute) {
    const char* name = attribute.name.c_str();
    if (const auto* text = std::get_if<std::string>(&attribute.value)) {
        write_text(root, name, *text);
    } else if (const auto* integer = std::get_if<std::int64_t>(&attribute.value)) {
        write_attribute(root, name, H5T_NATIVE_INT64, scalar_space().id(), integer);
    } else {
        const double* real = std::get_if<double>(&attribute.value);
        write_attribute(root, name, H5T_NATIVE_DOUBLE, scalar_space().id(), real);
    }
}

void write_table(hid_t file, const Table& table) {
    const RecordLayout layout = layout_of(table);
    const std::size_t chunk = std::min(
        {table.rows(),
         most_records_per_chunk,
         std::max<std::size_t>(1, most_bytes_per_chunk / layout.size)}
    );
    const Handle type = make_record_type(layout, Representation::file);
    const Handle space = list_space(table.rows());
    const Handle properties = dataset_properties(chunk);
    const Handle dataset(
        H5Dcreate2(
            file,
            table.name.c_str(),
            type.id(),
            space.id(),
            H5P_DEFAULT,
            properties.id(),
            H5P_DEFAULT
        ),
        H5Dclose,
        table.name
    );
    write_records(dataset.id(), space.id(), table, layout, chunk);
    write_description(dataset.id(), table);
}

Handle make_group(hid_t parent, const std::string& name) {
    const Handle properties = creation_properties(H5P_GROUP_CREATE);
    return {
        H5Gcreate2(parent, name.c_str(), H5P_DEFAULT, properties.id(), H5P_DEFAULT),
        H5Gclose,
        name};
}

}  // namespace schedfarm::results_schema
