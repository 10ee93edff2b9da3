#include <algorithm>
#include <charconv>
#include <new>
#include <optional>
#include <stdexcept>

#include <fmt/format.h>

#include "results_schema/hdf5_attributes.hpp"
#include "results_schema/hdf5_handle.hpp"
#include "results_schema/loaded_file.hpp"
#include "results_schema/record_layout.hpp"
#include "results_schema/result_io.hpp"
#include "results_schema/schema.hpp"
#include "results_schema/schema_history.hpp"
#include "results_schema/seal.hpp"
#include "results_schema/validation.hpp"
#include "results_schema/whole_file.hpp"

namespace schedfarm::results_schema {

namespace {

constexpr std::size_t bytes_read_at_once = std::size_t{1} << 20;

std::optional<SchemaVersion> parse_version(const std::string& text) {
    SchemaVersion version;
    const char* end = text.data() + text.size();
    const auto major = std::from_chars(text.data(), end, version.major);
    if (major.ec != std::errc() || major.ptr == end || *major.ptr != '.') {
        return std::nullopt;
    }
    const auto minor = std::from_chars(major.ptr + 1, end, version.minor);
    if (minor.ec != std::errc() || minor.ptr != end) {
        return std::nullopt;
    }
    return version;
}

/// Without locks: a file under its final name is whole, and some file systems know no locks.
Handle open_file(const std::filesystem::path& path) {
    const Handle access = make_properties(H5P_FILE_ACCESS);
#if H5_VERSION_GE(1, 10, 7)
    checked(H5Pset_file_locking(access.id(), false, true), "file locking");
#endif
    return {H5Fopen(path.c_str(), H5F_ACC_RDONLY, access.id()), H5Fclose, "open"};
}

SchemaVersion expect_readable_version(hid_t file) {
    if (read_text(file, "filetype") != filetype) {
        throw ResultError(
            "not a result file (an HDF5 file of another program). Name a file that `schedfarm run` "
            "wrote"
        );
    }
    const std::string text = read_text(file, "schema_version").value_or("");
    const auto version = parse_version(text);
    if (!version) {
        throw ResultError(fmt::format("cannot be read (its schema version is '{}')", text));
    }
    if (version->major < oldest_readable_major || version->major > schema_major) {
        throw ResultError(fmt::format(
            "cannot be read (its schema version is {}; this program reads {}.0 to {}.x). Use the "
            "program that wrote it, or run its campaign again",
            text,
            oldest_readable_major,
            schema_major
        ));
    }
    return *version;
}

void read_root_attributes(hid_t file, LoadedFile& loaded) {
    for (const std::string& name : attribute_names(file)) {
        auto attribute = read_scalar(file, name);
        if (!attribute) {
            loaded.remarks.push_back(
                fmt::format("attribute '{}' is neither text, int64 nor float64", name)
            );
            continue;
        }
        if (const AttributeSchema* schema = find_attribute_schema(name)) {
            attribute->meaning = schema->meaning;
        }
        loaded.results.attributes.push_back(std::move(*attribute));
    }
    // In the order of the schema; what it does not have comes last.
    std::stable_sort(
        loaded.results.attributes.begin(),
        loaded.results.attributes.end(),
        [](const Attribute& a, const Attribute& b) {
            const auto position = [](const Attribute& attribute) {
                const AttributeSchema* schema = find_attribute_schema(attribute.name);
                const auto& all = schema_attributes();
                return schema == nullptr ? all.size()
                                         : static_cast<std::size_t>(schema - all.data());
            };
            return position(a) < position(b);
        }
    );
}

/// The columns of the layout, empty, with unit, meaning and payload mark from the dataset.
std::vector<Column> make_columns(hid_t dataset, const RecordLayout& layout) {
    const auto units = read_texts(dataset, "units");
    const auto meanings = read_texts(dataset, "meanings");
    const auto hashed = read_integers(dataset, "hashed");
    std::vector<Column> columns;
    for (std::size_t i = 0; i < layout.fields.size(); ++i) {
        const Field& field = layout.fields[i];
        columns.push_back(
            {field.name,
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
    const Handle type = make_record_type(layout, Representation::memory);
    const std::size_t block = std::max<std::size_t>(1, bytes_read_at_once / layout.size);
    std::vector<char> records(std::min(block, rows) * layout.size);
    for (std::size_t first = 0; first < rows; first += block) {
        const hsize_t start = first;
        const hsize_t count = std::min(block, rows - first);
        const Handle place(H5Screate_simple(1, &count, nullptr), H5Sclose, table.name);
        checked(
            H5Sselect_hyperslab(space.id(), H5S_SELECT_SET, &start, nullptr, &count, nullptr),
            table.name
        );
        checked(
            H5Dread(dataset, type.id(), place.id(), space.id(), H5P_DEFAULT, records.data()),
            table.name
        );
        unpack(records, layout, count, table.columns);
    }
}

Table read_table(hid_t file, const std::string& name, std::vector<std::string>& remarks) {
    const Handle dataset(H5Dopen2(file, name.c_str(), H5P_DEFAULT), H5Dclose, name);
    const Handle type(H5Dget_type(dataset.id()), H5Tclose, name);
    if (H5Tget_class(type.id()) != H5T_COMPOUND) {
        throw ResultError(fmt::format("table '{}' is not a compound dataset", name));
    }
    const RecordLayout layout = layout_of(type.id());
    Table table{name, read_text(dataset.id(), "meaning").value_or(""), {}};
    table.columns = make_columns(dataset.id(), layout);
    std::vector<std::string> names;
    for (const Field& field : layout.fields) {
        names.push_back(field.name);
    }
    if (read_texts(dataset.id(), "columns") != names) {
        remarks.push_back(fmt::format("{}: the attribute 'columns' does not name the columns", name)
        );
    }
    for (const std::string& attribute : attribute_names(dataset.id())) {
        if (attribute != "meaning" && attribute != "columns" && attribute != "units"
            && attribute != "meanings" && attribute != "hashed") {
            remarks.push_back(
                fmt::format("{}: attribute '{}' is not in the schema", name, attribute)
            );
        }
    }
    read_records(dataset.id(), layout, table);
    return table;
}

herr_t take_link(hid_t /*group*/, const char* name, const H5L_info_t* /*info*/, void* names) {
    static_cast<std::vector<std::string>*>(names)->emplace_back(name);
    return 0;
}

void remark_unknown_objects(hid_t file, std::vector<std::string>& remarks) {
    std::vector<std::string> names;
    checked(H5Literate(file, H5_INDEX_NAME, H5_ITER_INC, nullptr, take_link, &names), "root group");
    for (const std::string& name : names) {
        if (find_table_schema(name) == nullptr) {
            remarks.push_back(fmt::format("'{}' is not in the schema", name));
        }
    }
}

LoadedFile load(const std::filesystem::path& path) {
    const QuietErrors quiet;
    const Handle file = open_file(path);
    LoadedFile loaded;
    loaded.version = expect_readable_version(file.id());
    read_root_attributes(file.id(), loaded);
    for (const TableSchema& schema : schema_tables()) {
        if (checked(H5Lexists(file.id(), schema.name.c_str(), H5P_DEFAULT), schema.name) > 0) {
            loaded.results.tables.push_back(read_table(file.id(), schema.name, loaded.remarks));
        }
    }
    remark_unknown_objects(file.id(), loaded.remarks);
    return loaded;
}

/// What would lead a reader of the tables astray.
std::vector<std::string> problems_for_readers(const LoadedFile& loaded) {
    const bool is_later = loaded.version.minor > schema_minor;
    std::vector<std::string> problems =
        is_later ? missing_parts(loaded.results)
                 : table_problems(loaded.results, schema_tables_of(loaded.version.minor));
    if (problems.empty()) {
        problems = is_later ? unknown_cells(loaded.results) : consistency_problems(loaded.results);
    }
    return problems;
}

[[noreturn]] void throw_damaged(const std::filesystem::path& path, std::string_view reason) {
    throw ResultError(fmt::format(
        "{}: damaged or cut short ({}). Its journal can give it back: `schedfarm rebuild`",
        path.string(),
        reason
    ));
}

}  // namespace

LoadedFile load_results(const std::filesystem::path& path) {
    expect_hdf5_file(path);
    try {
        expect_unbroken_seal(path);
        return load(path);
    } catch (const Hdf5Failure& failure) {
        throw_damaged(path, failure.what());
    } catch (const ResultError& error) {
        throw ResultError(fmt::format("{}: {}", path.string(), error.what()));
    } catch (const std::bad_alloc&) {
        throw_damaged(path, "it asks for more memory than there is");
    } catch (const std::length_error&) {
        throw_damaged(path, "it asks for more memory than there is");
    }
}

ResultFile read_results(const std::filesystem::path& path) {
    LoadedFile loaded = load_results(path);
    const std::vector<std::string> problems = problems_for_readers(loaded);
    if (!problems.empty()) {
        throw ResultError(fmt::format(
            "{}: does not agree with schema {}.{} ({}; {} problem{} in all). `schedfarm check` "
            "lists them, and `schedfarm rebuild` makes the file anew from its journal",
            path.string(),
            loaded.version.major,
            loaded.version.minor,
            problems.front(),
            problems.size(),
            problems.size() == 1 ? "" : "s"
        ));
    }
    return std::move(loaded.results);
}

}  // namespace schedfarm::results_schema
