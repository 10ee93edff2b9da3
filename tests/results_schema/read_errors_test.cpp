// Files that are no result files, or none that this program reads: one clear error each.
#include <array>
#include <functional>

#include <doctest/doctest.h>
#include <hdf5.h>
#include <sys/stat.h>
#include <unistd.h>

#include "results_schema/result_io.hpp"
#include "results_schema/tables/hdf5_attributes.hpp"
#include "results_schema/tables/hdf5_handle.hpp"

#include "tests/results_schema/example_results.hpp"
#include "tests/results_schema/stored_results.hpp"
#include "tests/results_schema/temporary_folder.hpp"

using namespace schedfarm::results_schema;  // NOLINT(google-build-using-namespace)
using namespace schedfarm::tests;           // NOLINT(google-build-using-namespace)
namespace fs = std::filesystem;

namespace {

std::string error_of_reading(const fs::path& path) {
    try {
        read_results(path);
    } catch (const ResultError& error) {
        return error.what();
    }
    return "no error";
}

void put_text(hid_t file, const char* name, const char* text) {
    if (H5Aexists(file, name) > 0) {
        H5Adelete(file, name);
    }
    const Handle type = make_text_type(H5T_VARIABLE);
    const Handle space(H5Screate(H5S_SCALAR), H5Sclose, "space");
    const Handle attribute(
        H5Acreate2(file, name, type.id(), space.id(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose, name
    );
    checked(H5Awrite(attribute.id(), type.id(), static_cast<void*>(&text)), name);
}

/// The example results with a change made by HDF5 itself.
std::string error_after(const std::function<void(hid_t)>& change) {
    const TemporaryFolder folder;
    write_results(folder / "results.h5", example_results());
    {
        const Handle file(
            H5Fopen((folder / "results.h5").c_str(), H5F_ACC_RDWR, H5P_DEFAULT), H5Fclose, "open"
        );
        change(file.id());
    }
    return error_of_reading(folder / "results.h5");
}

/// A table in place of `farm`, with one row of the type.
void replace_farm(hid_t file, hid_t type, hid_t space) {
    H5Ldelete(file, "farm", H5P_DEFAULT);
    const Handle dataset(
        H5Dcreate2(file, "farm", type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
        H5Dclose,
        "farm"
    );
}

/// A record of one column, `rank`.
Handle compound_of(hid_t member) {
    Handle type(H5Tcreate(H5T_COMPOUND, H5Tget_size(member)), H5Tclose, "type");
    checked(H5Tinsert(type.id(), "rank", 0, member), "member");
    return type;
}

bool contains(const std::string& text, const char* part) {
    return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("a file that is not there or is a folder or a pipe is an error at once") {
    const TemporaryFolder folder;
    CHECK(contains(error_of_reading(folder / "absent.h5"), "(No such file or directory)"));
    CHECK(contains(error_of_reading(folder.path()), "not a regular file"));
    REQUIRE(::mkfifo((folder / "pipe").c_str(), 0600) == 0);
    CHECK(contains(error_of_reading(folder / "pipe"), "not a regular file"));
}

TEST_CASE("a text file and an empty file are not result files") {
    const TemporaryFolder folder;
    put_bytes(folder / "text.h5", "cell,mean\n0,1\n");
    put_bytes(folder / "empty.h5", "");
    CHECK(contains(error_of_reading(folder / "text.h5"), "text.h5: not a result file"));
    CHECK(contains(error_of_reading(folder / "empty.h5"), "not a result file"));
}

TEST_CASE("an HDF5 file of another program is refused before anything else is read") {
    const TemporaryFolder folder;
    {
        const Handle file(
            H5Fcreate((folder / "other.h5").c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT),
            H5Fclose,
            "create"
        );
    }
    CHECK(contains(error_of_reading(folder / "other.h5"), "an HDF5 file of another program"));
    CHECK(contains(
        error_after([](hid_t file) { put_text(file, "filetype", "something else"); }),
        "an HDF5 file of another program"
    ));
}

TEST_CASE("another major version is refused with the versions that are read") {
    const auto with_version = [](const char* version) {
        return error_after([&](hid_t file) { put_text(file, "schema_version", version); });
    };
    CHECK(contains(with_version("4.0"), "its schema version is 4.0; this program reads 3.x"));
    CHECK(contains(with_version("2.0"), "its schema version is 2.0; this program reads 3.x"));
    CHECK(contains(with_version("0.9"), "its schema version is 0.9"));
    for (const char* nonsense : {"", "1", "1.", "1.0.0", "one", "-1.0x", "99999999999.0"}) {
        CHECK(contains(with_version(nonsense), "its schema version is '"));
    }
    CHECK(with_version("3.1") == "no error");
    CHECK(contains(
        error_after([](hid_t file) { H5Adelete(file, "schema_version"); }),
        "its schema version is ''"
    ));
}

TEST_CASE("a later minor version is read") {
    const TemporaryFolder folder;
    write_results(folder / "results.h5", example_results());
    {
        const Handle file(
            H5Fopen((folder / "results.h5").c_str(), H5F_ACC_RDWR, H5P_DEFAULT), H5Fclose, "open"
        );
        put_text(file.id(), "schema_version", "3.1");
        put_text(file.id(), "novelty", "of version 3.1");
    }
    CHECK(read_results(folder / "results.h5").tables.size() == example_results().tables.size());
    CHECK(read_results(folder / "results.h5").attribute("novelty") != nullptr);
}

TEST_CASE("a file without permission is an error") {
    const TemporaryFolder folder;
    write_results(folder / "results.h5", example_results());
    ::chmod((folder / "results.h5").c_str(), 0);
    if (::geteuid() == 0) {
        REQUIRE(::chmod(folder.path().c_str(), 0755) == 0);
        REQUIRE(::seteuid(65534) == 0);
        const std::string error = error_of_reading(folder / "results.h5");
        REQUIRE(::seteuid(0) == 0);
        CHECK(contains(error, "(Permission denied)"));
    } else {
        CHECK(contains(error_of_reading(folder / "results.h5"), "(Permission denied)"));
    }
}

TEST_CASE("a table of another shape is an error that names it") {
    const std::array<hsize_t, 2> two = {2, 2};
    const Handle square(H5Screate_simple(2, two.data(), nullptr), H5Sclose, "square");
    const Handle line(H5Screate_simple(1, two.data(), nullptr), H5Sclose, "line");
    const std::string no_compound =
        error_after([&](hid_t file) { replace_farm(file, H5T_NATIVE_DOUBLE, line.id()); });
    const std::string not_flat = error_after([&](hid_t file) {
        replace_farm(file, compound_of(H5T_NATIVE_UINT64).id(), square.id());
    });
    CHECK(contains(no_compound, "results.h5: table 'farm' is not a compound dataset"));
    CHECK(contains(not_flat, "results.h5: table 'farm' is not one-dimensional"));
}

TEST_CASE("a column of a type that no result file has is an error that names it") {
    const hsize_t one = 1;
    const Handle line(H5Screate_simple(1, &one, nullptr), H5Sclose, "line");
    const Handle text = make_text_type(H5T_VARIABLE);
    for (const hid_t member : {H5T_NATIVE_INT32, H5T_NATIVE_FLOAT, text.id(), H5T_NATIVE_LDOUBLE}) {
        const Handle type = compound_of(member);
        const std::string error =
            error_after([&](hid_t file) { replace_farm(file, type.id(), line.id()); });
        CHECK(contains(error, "column 'rank' has a type that no schema version has"));
    }
}

TEST_CASE("HDF5 prints nothing and its own error printing is as it was before") {
    H5E_auto2_t before = nullptr;
    H5E_auto2_t after = nullptr;
    void* data = nullptr;
    H5Eget_auto2(H5E_DEFAULT, &before, &data);
    const TemporaryFolder folder;
    put_bytes(folder / "cut.h5", "\x89HDF\r\n\x1a\n");
    CHECK(contains(error_of_reading(folder / "cut.h5"), "damaged or cut short"));
    H5Eget_auto2(H5E_DEFAULT, &after, &data);
    CHECK((before != nullptr && before == after));
}
