#include "tests/app/foreign/damaged_tables.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <string>
#include <vector>

#include "results_schema/schema.hpp"
#include "results_schema/tables/hdf5_attributes.hpp"
#include "results_schema/tables/hdf5_handle.hpp"

#include "tests/app/foreign/random_choice.hpp"

namespace schedfarm::tests {

namespace {

using results_schema::attribute_names;
using results_schema::checked;
using results_schema::Handle;

/// A dataset, its type and its records as they lie in the file.
struct Records {
    Handle dataset;
    Handle type;
    std::size_t rows = 0;
    std::size_t size = 0;
    std::vector<char> bytes;
};

std::vector<std::string> tables_in(hid_t file) {
    std::vector<std::string> names;
    for (const auto& schema : results_schema::schema_tables()) {
        if (H5Lexists(file, schema.name.c_str(), H5P_DEFAULT) > 0) {
            names.push_back(schema.name);
        }
    }
    return names;
}

Records read(hid_t file, const std::string& name) {
    Handle dataset(H5Dopen2(file, name.c_str(), H5P_DEFAULT), H5Dclose, name);
    Handle type(H5Dget_type(dataset.id()), H5Tclose, name);
    const Handle space(H5Dget_space(dataset.id()), H5Sclose, name);
    const auto rows = static_cast<std::size_t>(H5Sget_simple_extent_npoints(space.id()));
    const std::size_t size = H5Tget_size(type.id());
    std::vector<char> bytes(rows * size);
    checked(H5Dread(dataset.id(), type.id(), H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes.data()), name);
    return {std::move(dataset), std::move(type), rows, size, std::move(bytes)};
}

/// One field, or any bytes, of one record.
void overwrite_value(Records& records, RandomChoice& choice) {
    constexpr std::array<std::uint64_t, 8> telling = {
        0,
        1,
        1000,
        0xffffffffU,
        0xffffffffffffffffU,
        0x7ff8000000000000U,   // not a number
        0x7ff0000000000000U,   // infinity
        0xbff0000000000000U};  // −1
    if (records.rows == 0) {
        return;
    }
    const auto column = static_cast<unsigned>(
        choice.below(static_cast<std::size_t>(H5Tget_nmembers(records.type.id())))
    );
    const std::size_t offset = H5Tget_member_offset(records.type.id(), column);
    char* const place = records.bytes.data() + choice.below(records.rows) * records.size + offset;
    const std::uint64_t number = choice.once_in(3) ? choice.bits() : choice.of(telling);
    std::memcpy(place, &number, std::min(sizeof number, records.size - offset));
}

/// A table of this type in place of the one there; its rows are those of `bytes`, cut or repeated.
void replace_table(hid_t file, const std::string& name, const Records& records, hsize_t rows) {
    H5Ldelete(file, name.c_str(), H5P_DEFAULT);
    const Handle space(H5Screate_simple(1, &rows, nullptr), H5Sclose, name);
    const Handle dataset(
        H5Dcreate2(
            file, name.c_str(), records.type.id(), space.id(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT
        ),
        H5Dclose,
        name
    );
    std::vector<char> bytes(rows * records.size);
    for (std::size_t i = 0; i < bytes.size() && !records.bytes.empty(); ++i) {
        bytes[i] = records.bytes[i % records.bytes.size()];
    }
    checked(
        H5Dwrite(dataset.id(), records.type.id(), H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes.data()), name
    );
}

/// The table without one of its columns.
void drop_column(hid_t file, const std::string& name, RandomChoice& choice) {
    const Handle dataset(H5Dopen2(file, name.c_str(), H5P_DEFAULT), H5Dclose, name);
    const Handle type(H5Dget_type(dataset.id()), H5Tclose, name);
    const auto members = static_cast<unsigned>(H5Tget_nmembers(type.id()));
    const auto dropped = static_cast<unsigned>(choice.below(members));
    Records fewer{
        Handle(H5Dopen2(file, name.c_str(), H5P_DEFAULT), H5Dclose, name),
        Handle(H5Tcreate(H5T_COMPOUND, H5Tget_size(type.id())), H5Tclose, name),
        0,
        H5Tget_size(type.id()),
        {}};
    for (unsigned i = 0; i < members; ++i) {
        char* const member = H5Tget_member_name(type.id(), i);
        const Handle of_member(H5Tget_member_type(type.id(), i), H5Tclose, name);
        const std::size_t offset = H5Tget_member_offset(type.id(), i);
        const std::string known = i == dropped && choice.once_in(2) ? "renamed" : member;
        if (i != dropped || known != member) {
            H5Tinsert(fewer.type.id(), known.c_str(), offset, of_member.id());
        }
        H5free_memory(member);
    }
    replace_table(file, name, fewer, choice.below(4));
}

void set_text(hid_t object, const std::string& name, const std::string& text) {
    const Handle type = results_schema::make_text_type(text.size() + 1);
    const Handle space(H5Screate(H5S_SCALAR), H5Sclose, name);
    H5Adelete(object, name.c_str());
    const Handle attribute(
        H5Acreate2(object, name.c_str(), type.id(), space.id(), H5P_DEFAULT, H5P_DEFAULT),
        H5Aclose,
        name
    );
    checked(H5Awrite(attribute.id(), type.id(), text.c_str()), name);
}

void change_attribute(hid_t object, RandomChoice& choice) {
    const std::vector<std::string> names = attribute_names(object);
    const std::array<const char*, 7> texts = {"", "1.0", "3.1", "3.9", "4.0", "7", "a\nb"};
    if (names.empty()) {
        return;
    }
    const std::string name = choice.once_in(3) ? "schema_version" : choice.of(names);
    if (choice.once_in(3)) {
        H5Adelete(object, name.c_str());
    } else {
        set_text(object, name, choice.of(texts));
    }
}

void damage(hid_t file, RandomChoice& choice) {
    const std::vector<std::string> tables = tables_in(file);
    if (tables.empty()) {
        return;
    }
    const std::string& name = choice.of(tables);
    const std::string& other = choice.of(tables);
    switch (choice.below(9)) {
        case 0:
            H5Ldelete(file, name.c_str(), H5P_DEFAULT);
            break;
        case 1:
            replace_table(file, other, read(file, name), choice.below(9));
            break;
        case 2: {
            const Records records = read(file, name);
            replace_table(file, name, records, choice.below(2 * records.rows + 2));
            break;
        }
        case 3:
            drop_column(file, name, choice);
            break;
        case 4:
            change_attribute(file, choice);
            break;
        case 5:
            change_attribute(
                Handle(H5Dopen2(file, name.c_str(), H5P_DEFAULT), H5Dclose, name).id(), choice
            );
            break;
        default: {
            Records records = read(file, name);
            overwrite_value(records, choice);
            checked(
                H5Dwrite(
                    records.dataset.id(),
                    records.type.id(),
                    H5S_ALL,
                    H5S_ALL,
                    H5P_DEFAULT,
                    records.bytes.data()
                ),
                name
            );
            break;
        }
    }
}

}  // namespace

void damage_tables(const std::filesystem::path& path, std::uint64_t seed) {
    const results_schema::QuietErrors quiet;
    RandomChoice choice(seed);
    const Handle file(H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT), H5Fclose, "open");
    for (std::size_t changes = 1 + choice.below(3); changes > 0; --changes) {
        damage(file.id(), choice);
    }
}

}  // namespace schedfarm::tests
