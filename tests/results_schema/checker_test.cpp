#include <functional>
#include <limits>
#include <utility>

#include <doctest/doctest.h>
#include <hdf5.h>

#include "results_schema/hdf5_handle.hpp"
#include "results_schema/result_io.hpp"
#include "results_schema/table_filling.hpp"
#include "results_schema/validation.hpp"

#include "tests/results_schema/example_results.hpp"
#include "tests/results_schema/temporary_folder.hpp"

using namespace schedfarm::results_schema;  // NOLINT(google-build-using-namespace)
using namespace schedfarm::tests;           // NOLINT(google-build-using-namespace)

namespace {

template <typename T>
std::vector<T>& values(ResultFile& results, const char* table, const char* column) {
    for (Column& candidate : table_to_fill(results, table).columns) {
        if (candidate.name == column) {
            return std::get<std::vector<T>>(candidate.data);
        }
    }
    throw std::logic_error(column);
}

std::vector<std::uint64_t>& counts(ResultFile& results, const char* table, const char* column) {
    return values<std::uint64_t>(results, table, column);
}

using Change = std::function<void(ResultFile&)>;

/// The problems of the example results after a change, as one text.
std::string joined(const std::vector<std::string>& problems) {
    std::string text;
    for (const std::string& problem : problems) {
        text += (text.empty() ? "" : "; ") + problem;
    }
    return text;
}

std::string structure_after(const Change& change) {
    ResultFile results = example_results();
    change(results);
    return joined(structural_problems(results));
}

/// Consistency as `check` finds it, through a file.
std::string check_after(const Change& change) {
    ResultFile results = example_results();
    change(results);
    const TemporaryFolder folder;
    write_results(folder / "results.h5", results);
    return joined(check_results(folder / "results.h5"));
}

Column& column(ResultFile& results, const char* table, std::size_t index) {
    return table_to_fill(results, table).columns[index];
}

}  // namespace

TEST_CASE("the example results have no problem") {
    CHECK(structure_after([](ResultFile&) {}) == "");
    CHECK(check_after([](ResultFile&) {}) == "");
}

TEST_CASE("missing and unknown and repeated tables and attributes are found") {
    CHECK(
        structure_after([](auto& r) { r.tables.erase(r.tables.begin() + 1); })
        == "table 'factors' is missing"
    );
    CHECK(
        structure_after([](auto& r) {
            r.tables.push_back({"extra", "", {}});
        })
        == "table 'extra' is not in the schema"
    );
    CHECK(
        structure_after([](auto& r) { r.tables.push_back(r.tables[0]); })
        == "table 'cells' is there twice"
    );
    CHECK(
        structure_after([](auto& r) {
            std::erase_if(r.attributes, [](auto& a) { return a.name == "seed"; });
        })
        == "attribute 'seed' is missing"
    );
    CHECK(
        structure_after([](auto& r) {
            r.attributes.push_back({"color", "red", ""});
        })
        == "attribute 'color' is not in the schema"
    );
    CHECK(
        structure_after([](auto& r) { r.attributes.push_back(r.attributes[0]); })
        == "attribute 'program_version' is there twice"
    );
    CHECK(
        structure_after([](auto& r) { r.attributes[0].value = 1.5; })
        == "attribute 'program_version' is float64, not text"
    );
}

TEST_CASE("wrong columns and types and units and meanings and payload marks are found") {
    CHECK(
        structure_after([](auto& r) { column(r, "farm", 3).unit = "ms"; })
        == "farm.busy: unit 'ms' is not 's'"
    );
    CHECK(
        structure_after([](auto& r) { column(r, "farm", 3).hashed = true; })
        == "farm.busy: payload mark is not 'no'"
    );
    CHECK(
        structure_after([](auto& r) { column(r, "farm", 3).meaning = "?"; }).find("meaning '?'")
        != std::string::npos
    );
    CHECK(
        structure_after([](auto& r) { column(r, "farm", 3).name = "work"; })
        == "farm.busy: column 'work' is not 'busy'"
    );
    CHECK(
        structure_after([](auto& r) { column(r, "farm", 2).data = std::vector<double>{1}; })
        == "farm.tasks: type 'float64' is not 'uint64'"
    );
    CHECK(
        structure_after([](auto& r) { table_to_fill(r, "farm").columns.pop_back(); })
        == "farm: column 'idle' is missing"
    );
    CHECK(
        structure_after([](auto& r) {
            auto& columns = table_to_fill(r, "farm").columns;
            columns.push_back({"more", "1", "more", false, std::vector<double>{1}});
        })
        == "farm.more: the column is not in the schema"
    );
    CHECK(
        structure_after([](auto& r) {
            column(r, "farm", 4).data = std::vector<double>{1, 2};
        })
        == "farm: column 'idle' has 2 rows, 'rank' has 1"
    );
    CHECK(
        structure_after([](auto& r) { values<std::string>(r, "cells", "status")[1] = "done"; })
        == "cells.status row 1: 'done' is none of its words"
    );
}

TEST_CASE("an observation without unit or outside the payload is found") {
    CHECK(
        structure_after([](auto& r) { column(r, "replications", 4).unit = ""; })
        == "replications.response_time.mean: an observation needs name, unit and meaning"
    );
    CHECK(
        structure_after([](auto& r) { column(r, "replications", 4).hashed = false; })
        == "replications.response_time.mean: an observation must be float64 and in the payload"
    );
    CHECK(
        structure_after([](auto& r) { column(r, "replications", 5).name = "jobs"; })
        == "replications: column 'jobs' is there twice"
    );
}

TEST_CASE("rows in the wrong order or twice are found") {
    CHECK(
        structure_after([](auto& r) {
            std::swap(
                counts(r, "replications", "replication")[0],
                counts(r, "replications", "replication")[1]
            );
        })
        == "replications: rows 0 and 1 are in the wrong order"
    );
    CHECK(
        structure_after([](auto& r) { counts(r, "replications", "replication")[1] = 0; })
        == "replications: rows 0 and 1 are of the same key"
    );
    CHECK(
        structure_after([](auto& r) { counts(r, "factors", "cell")[0] = 2; })
        == "factors: rows 0 and 1 are in the wrong order"
    );
}

TEST_CASE("cells that do not exist are found in every table") {
    for (const char* table :
         {"factors",
          "replications",
          "estimates",
          "saturation",
          "known_values",
          "reference",
          "failures",
          "timings"}) {
        CHECK(
            check_after([&](auto& r) { counts(r, table, "cell").back() = 7; }
            ).find(std::string(table) + " row")
            == 0
        );
    }
    CHECK(
        check_after([](auto& r) { counts(r, "comparisons", "second_cell")[0] = 2; })
        == "comparisons row 0: cell 2 is not in 'cells'"
    );
    CHECK(
        check_after([](auto& r) { counts(r, "cells", "cell")[1] = 2; }
        ).find("cells row 1: is cell 2, not cell 1")
        == 0
    );
}

TEST_CASE("the replications of a cell must be its prefix") {
    CHECK(
        check_after([](auto& r) { counts(r, "replications", "replication")[2] = 3; })
        == "replications row 2: cell 0 has a hole before replication 3"
    );
    CHECK(
        check_after([](auto& r) { counts(r, "cells", "replications_used")[0] = 4; })
        == "cells row 0: replications_used is 4, but 'replications' has 3"
    );
    CHECK(
        check_after([](auto& r) { counts(r, "cells", "replications_computed")[0] = 2; })
        == "cells row 0: fewer replications computed (2) than used (3)"
    );
    CHECK(
        check_after([](auto& r) { counts(r, "estimates", "n")[0] = 4; })
        == "estimates row 0: rests on 4 replications, but cell 0 has 3"
    );
    CHECK(
        check_after([](auto& r) { counts(r, "saturation", "n")[0] = 3; })
        == "saturation row 0: rests on 3 replications, but cell 1 has 2"
    );
}

TEST_CASE("intervals must contain their estimate unless they do not exist") {
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    CHECK(
        check_after([](auto& r) { values<double>(r, "estimates", "mean")[0] = 4; })
        == "estimates row 0: mean 4 lies outside its interval [3.186, 3.234]"
    );
    CHECK(
        check_after([](auto& r) { values<double>(r, "saturation", "lower")[0] = 0.9; }
        ).find("saturation row 0: rho_max 0.7069 lies outside")
        == 0
    );
    CHECK(
        check_after([](auto& r) { values<double>(r, "comparisons", "upper")[0] = -1; }
        ).find("comparisons row 0: difference")
        == 0
    );
    CHECK(
        check_after([](auto& r) { values<double>(r, "estimates", "confidence")[0] = 95; })
        == "estimates row 0: confidence 95 is not between 0 and 1"
    );
    CHECK(
        check_after([](auto& r) {
            for (const char* name : {"mean", "lower", "upper"}) {
                values<double>(r, "estimates", name)[0] = nan;
            }
        })
        == ""
    );
}

TEST_CASE("a metric twice in a cell and an odd exactness are found") {
    CHECK(
        check_after([](auto& r) {
            for (Column& c : table_to_fill(r, "estimates").columns) {
                std::visit([](auto& v) { v.push_back(v.front()); }, c.data);
            }
        })
        == "estimates row 1: metric 'response_time.mean' of cell 0 is there twice"
    );
    CHECK(
        check_after([](auto& r) { values<std::int64_t>(r, "known_values", "is_exact")[0] = 2; })
        == "known_values row 0: is_exact is 2, not 0 or 1"
    );
}

TEST_CASE("what HDF5 tools change in a file is found") {
    const auto check_file_after = [](const std::function<void(hid_t)>& change) {
        const TemporaryFolder folder;
        write_results(folder / "results.h5", example_results());
        {
            const Handle file(
                H5Fopen((folder / "results.h5").c_str(), H5F_ACC_RDWR, H5P_DEFAULT),
                H5Fclose,
                "open"
            );
            change(file.id());
        }
        return joined(check_results(folder / "results.h5"));
    };
    CHECK(
        check_file_after([](hid_t file) {
            Handle(
                H5Gcreate2(file, "jobs", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose, "group"
            );
        })
        == "'jobs' is not in the schema"
    );
    CHECK(
        check_file_after([](hid_t file) { H5Adelete(file, "payload_hash"); })
        == "attribute 'payload_hash' is missing"
    );
    CHECK(
        check_file_after([](hid_t file) { H5Ldelete(file, "farm", H5P_DEFAULT); })
        == "table 'farm' is missing"
    );
    CHECK(
        check_file_after([](hid_t file) { H5Adelete_by_name(file, "farm", "units", H5P_DEFAULT); }
        ).find("farm.rank: unit '' is not '1'")
        == 0
    );
    CHECK(
        check_file_after([](hid_t file) { H5Adelete_by_name(file, "farm", "meaning", H5P_DEFAULT); }
        ).find("farm: meaning is ''")
        == 0
    );
    CHECK(
        check_file_after([](hid_t file) { H5Adelete_by_name(file, "farm", "columns", H5P_DEFAULT); }
        )
        == "farm: the attribute 'columns' does not name the columns"
    );
    CHECK(
        check_file_after([](hid_t file) {
            H5Arename_by_name(file, "farm", "hashed", "other", H5P_DEFAULT);
        })
        == "farm: attribute 'other' is not in the schema"
    );
    CHECK(
        check_file_after([](hid_t file) {
            // One value of the payload overwritten, the hash left alone.
            const Handle dataset(H5Dopen2(file, "saturation", H5P_DEFAULT), H5Dclose, "dataset");
            const Handle type(H5Tcreate(H5T_COMPOUND, 8), H5Tclose, "type");
            H5Tinsert(type.id(), "rho_max", 0, H5T_NATIVE_DOUBLE);
            const double value = 0.707;
            checked(H5Dwrite(dataset.id(), type.id(), H5S_ALL, H5S_ALL, H5P_DEFAULT, &value), "w");
        }).find("payload_hash is ")
        == 0
    );
}
