#include "results_schema/tables/table_writing.hpp"

#include <algorithm>
#include <cstdint>
#include <new>

#include <zlib.h>

#include "results_schema/tables/record_layout.hpp"
#include "results_schema/tables/stored_text.hpp"

namespace schedfarm::results_schema {

namespace {

// Within HDF5's chunk cache of 1 MiB, so that readers stay fast.
constexpr std::size_t most_records_per_chunk = 1024;
constexpr std::size_t most_bytes_per_chunk = std::size_t{1} << 20;
constexpr unsigned gzip_level = 4;
constexpr int usual_memory = 8;  // of zlib
constexpr std::size_t checksum_bytes = 4;
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

/// As HDF5's filter of that name leaves them: the first bytes of all records, then the second ones.
std::vector<unsigned char> shuffled(const std::vector<char>& records, std::size_t record) {
    std::vector<unsigned char> bytes(records.size());
    const std::size_t count = records.size() / record;
    for (std::size_t byte = 0; byte < record; ++byte) {
        for (std::size_t row = 0; row < count; ++row) {
            bytes[byte * count + row] = static_cast<unsigned char>(records[row * record + byte]);
        }
    }
    return bytes;
}

/// As a stream of zlib. Among numbers whose bytes are shuffled there are runs to be found and
/// nothing else: to look for more takes twice the time. Leaves room for a checksum.
std::vector<unsigned char> deflated(const std::vector<unsigned char>& bytes, int strategy) {
    z_stream stream{};
    if (deflateInit2(&stream, gzip_level, Z_DEFLATED, MAX_WBITS, usual_memory, strategy) != Z_OK) {
        throw std::bad_alloc();
    }
    std::vector<unsigned char> stored(deflateBound(&stream, bytes.size()) + checksum_bytes);
    stream.next_in = const_cast<unsigned char*>(bytes.data());  // NOLINT: zlib only reads it
    stream.avail_in = static_cast<uInt>(bytes.size());
    stream.next_out = stored.data();
    stream.avail_out = static_cast<uInt>(stored.size());
    deflate(&stream, Z_FINISH);
    stored.resize(stream.total_out);
    deflateEnd(&stream);
    return stored;
}

/// Fletcher's checksum of 32 bits over the bytes by pairs, the first of a pair being the high one,
/// as HDF5's filter appends it. A sum is folded to 16 bits, which keeps its rest modulo 65,535.
void append_checksum(std::vector<unsigned char>& bytes) {
    const auto fold = [](std::uint64_t sum) {
        while (sum > 0xffffU) {
            sum = (sum & 0xffffU) + (sum >> 16U);
        }
        return sum;
    };
    std::uint64_t first = 0;
    std::uint64_t second = 0;
    for (std::size_t i = 0; i < bytes.size(); i += 2) {
        first += std::uint64_t{bytes[i]} << 8U | (i + 1 < bytes.size() ? bytes[i + 1] : 0U);
        second += first;  // of a megabyte at most: both sums keep within 64 bits
    }
    const std::uint64_t checksum = fold(second) << 16U | fold(first);
    for (std::size_t i = 0; i < checksum_bytes; ++i) {
        bytes.push_back(static_cast<unsigned char>(checksum >> (8 * i)));
    }
}

/// Chunk by chunk, filtered here as dataset_properties() says it: HDF5 has no choice of strategy.
void write_records(
    hid_t dataset, const Table& table, const RecordLayout& layout, std::size_t chunk
) {
    const bool has_texts =
        std::any_of(table.columns.begin(), table.columns.end(), [](const Column& column) {
            return std::holds_alternative<Texts>(column.data);
        });
    std::vector<char> records;
    for (std::size_t first = 0; first < table.rows(); first += chunk) {
        pack(table, layout, first, std::min(chunk, table.rows() - first), records);
        records.resize(chunk * layout.size);  // the last one, too, is stored whole
        auto stored =
            deflated(shuffled(records, layout.size), has_texts ? Z_DEFAULT_STRATEGY : Z_RLE);
        append_checksum(stored);
        const hsize_t start = first;
        checked(
            H5Dwrite_chunk(dataset, H5P_DEFAULT, 0, &start, stored.size(), stored.data()), "rows"
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
    write_records(dataset.id(), table, layout, chunk);
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
