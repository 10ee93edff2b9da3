#include <functional>
#include <limits>

#include <doctest/doctest.h>
#include <hdf5.h>

#include "results_schema/checks/validation.hpp"
#include "results_schema/result_io.hpp"
#include "results_schema/tables/hdf5_handle.hpp"
#include "results_schema/tables/table.hpp"

#include "tests/results_schema/example_results.hpp"
#include "tests/results_schema/fillable_results.hpp"
#include "tests/results_schema/stored_results.hpp"
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

Texts& texts(ResultFile& results, const char* table, const char* name) {
    for (Column& column : table_to_fill(results, table).columns) {
        if (column.name == name) {
            return std::get<Texts>(column.data);
        }
    }
    throw std::logic_error(name);
}

using Change = std::function<void(ResultFile&)>;

/// All problems as one text.
std::string joined(const std::vector<std::string>& problems) {
    std::string text;
    for (const std::string& problem : problems) {
        text += (text.empty() ? "" : "; ") + problem;
    }
    return text;
}

/// The example results have exactly this structural problem after the change.
void expect_structure(const std::string& problem, const Change& change) {
    ResultFile results = example_results();
    change(results);
    CHECK(joined(structural_problems(results)) == problem);
}

/// The cells that are not there after the change.
std::string unknown_after(const Change& change) {
    ResultFile results = example_results();
    change(results);
    return joined(unknown_cells(results));
}

/// What the program's readers find in the file after HDF5 has changed it.
std::string found_after_hdf5(const std::function<void(hid_t)>& change) {
    const TemporaryFolder folder;
    write_results(folder / "results.h5", example_results());
    {
        const Handle file(
            H5Fopen((folder / "results.h5").c_str(), H5F_ACC_RDWR, H5P_DEFAULT), H5Fclose, "open"
        );
        change(file.id());
    }
    try {
        return joined(problems_of_file(folder / "results.h5"));
    } catch (const ResultError& error) {
        return error.what();
    }
}

bool says(const std::string& text, const char* part) {
    return text.find(part) != std::string::npos;
}

bool starts(const std::string& text, const char* beginning) {
    return text.rfind(beginning, 0) == 0;
}

Column& column(ResultFile& results, const char* table, std::size_t index) {
    return table_to_fill(results, table).columns[index];
}

}  // namespace

TEST_CASE("the example results have no problem") {
    expect_structure("", [](ResultFile&) {});
    CHECK(unknown_after([](ResultFile&) {}).empty());
    CHECK(found_after_hdf5([](hid_t) {}).empty());
}

TEST_CASE("missing and unknown and repeated tables are found") {
    expect_structure("table 'factors' is missing", [](auto& r) {
        r.tables.erase(r.tables.begin() + 1);
    });
    expect_structure("table 'extra' is not in the schema", [](auto& r) {
        r.tables.push_back({"extra", "", {}});
    });
    expect_structure("table 'cells' is there twice", [](auto& r) {
        r.tables.push_back(r.tables[0]);
    });
}

TEST_CASE("missing and unknown and repeated attributes and those of a wrong type are found") {
    expect_structure("attribute 'program_version' is missing", [](auto& r) {
        r.attributes.erase(r.attributes.begin());
    });
    expect_structure("attribute 'color' is not in the schema", [](auto& r) {
        r.attributes.push_back({"color", "red", ""});
    });
    expect_structure("attribute 'program_version' is there twice", [](auto& r) {
        r.attributes.push_back(r.attributes[0]);
    });
    expect_structure("attribute 'program_version' is float64, not text", [](auto& r) {
        r.attributes[0].value = 1.5;
    });
}

TEST_CASE("wrong names and types and units and meanings and payload marks are found") {
    expect_structure("farm.busy: unit 'ms' is not 's'", [](auto& r) {
        column(r, "farm", 3).unit = "ms";
    });
    expect_structure("farm.busy: payload mark is not 'no'", [](auto& r) {
        column(r, "farm", 3).hashed = true;
    });
    expect_structure("farm.rank: meaning '?' is not 'rank, 0 is the master'", [](auto& r) {
        column(r, "farm", 0).meaning = "?";
    });
    expect_structure("farm.busy: column 'work' is not 'busy'", [](auto& r) {
        column(r, "farm", 3).name = "work";
    });
    expect_structure("farm.tasks: type 'float64' is not 'uint64'", [](auto& r) {
        column(r, "farm", 2).data = std::vector<double>{1};
    });
    expect_structure("cells.status row 1: 'done' is none of its words", [](auto& r) {
        texts(r, "cells", "status").set(1, "done");
    });
}

TEST_CASE("missing columns and columns too many or of another length are found") {
    expect_structure("farm: column 'run' is missing", [](auto& r) {
        table_to_fill(r, "farm").columns.pop_back();
    });
    expect_structure("farm.more: the column is not in the schema", [](auto& r) {
        table_to_fill(r, "farm").columns.push_back(
            {"more", "1", "more", false, std::vector<double>{1}}
        );
    });
    expect_structure("farm: column 'idle' has 2 rows, 'rank' has 1", [](auto& r) {
        column(r, "farm", 4).data = std::vector<double>{1, 2};
    });
}

TEST_CASE("an observation without unit or outside the payload is found") {
    expect_structure(
        "replications.response_time.mean: an observation needs name, unit and meaning",
        [](auto& r) { column(r, "replications", 4).unit = ""; }
    );
    expect_structure(
        "replications.response_time.mean: an observation needs name, unit and meaning",
        [](auto& r) { column(r, "replications", 4).meaning = ""; }
    );
    expect_structure(
        "replications.response_time.mean: an observation must be float64 and in the payload",
        [](auto& r) { column(r, "replications", 4).hashed = false; }
    );
    expect_structure("replications: column 'jobs' is there twice", [](auto& r) {
        column(r, "replications", 5).name = "jobs";
    });
}

TEST_CASE("rows in the wrong order or twice are found") {
    expect_structure("replications: rows 0 and 1 are in the wrong order", [](auto& r) {
        counts(r, "replications", "replication")[0] = 2;
    });
    expect_structure("replications: rows 0 and 1 are of the same key", [](auto& r) {
        counts(r, "replications", "replication")[1] = 0;
    });
    expect_structure("factors: rows 0 and 1 are in the wrong order", [](auto& r) {
        counts(r, "factors", "cell")[0] = 2;
    });
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
          "timings",
          "selections",
          "controlled_estimates",
          "stability",
          "search_steps",
          "placements",
          "quantiles",
          "sketches",
          "warm_up",
          "warm_up_checks"}) {
        const std::string found =
            unknown_after([&](auto& r) { counts(r, table, "cell").back() = 7; });
        CHECK(starts(found, (std::string(table) + " row").c_str()));
    }
    CHECK(
        unknown_after([](auto& r) { counts(r, "comparisons", "second_cell")[0] = 2; })
        == "comparisons row 0: cell 2 is not in 'cells'"
    );
    CHECK(
        unknown_after([](auto& r) { counts(r, "cells", "cell")[1] = 2; })
        == "cells row 1: is cell 2, not cell 1; cells row 1: cell 2 is not in 'cells'"
    );
}

TEST_CASE("what HDF5 tools take away is found, what they add harms nobody") {
    const auto without = [](const char* attribute) {
        return found_after_hdf5([&](hid_t file) {
            H5Adelete_by_name(file, "farm", attribute, H5P_DEFAULT);
        });
    };
    const auto remove_table = [](hid_t file) {
        H5Ldelete(file, "farm", H5P_DEFAULT);
    };
    const auto remove_hash = [](hid_t file) {
        H5Adelete(file, "payload_hash");
    };
    const auto add_group = [](hid_t file) {
        const Handle group(
            H5Gcreate2(file, "remarks", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose, "group"
        );
    };
    CHECK(found_after_hdf5(add_group).empty());
    CHECK(says(found_after_hdf5(remove_table), "(table 'farm' is missing; 1 problem in all)"));
    CHECK(found_after_hdf5(remove_hash) == "attribute 'payload_hash' is missing");
    CHECK(says(without("units"), "farm.rank: unit '' is not '1'"));
    CHECK(says(without("meanings"), "farm.rank: meaning '' is not"));
}

TEST_CASE("a value of the payload that HDF5 tools change is found by the hash") {
    const auto change_one_value = [](hid_t file) {
        const Handle dataset(H5Dopen2(file, "saturation", H5P_DEFAULT), H5Dclose, "dataset");
        const Handle type(H5Tcreate(H5T_COMPOUND, 8), H5Tclose, "type");
        H5Tinsert(type.id(), "rho_max", 0, H5T_NATIVE_DOUBLE);
        const double value = 0.707;
        checked(H5Dwrite(dataset.id(), type.id(), H5S_ALL, H5S_ALL, H5P_DEFAULT, &value), "write");
    };
    CHECK(starts(found_after_hdf5(change_one_value), "payload_hash is "));
}

TEST_CASE("links to another place or file and rows of another file are refused") {
    const TemporaryFolder folder;
    write_results(folder / "other.h5", example_results());
    const std::string other = folder / "other.h5";
    const auto refused_after = [](const std::function<void(hid_t)>& change, const char* reason) {
        CHECK(says(found_after_hdf5(change), reason));
    };
    refused_after(
        [&](hid_t file) {
            H5Ldelete(file, "farm", H5P_DEFAULT);
            H5Lcreate_external(other.c_str(), "farm", file, "farm", H5P_DEFAULT, H5P_DEFAULT);
        },
        "'farm' is a link"
    );
    refused_after(
        [](hid_t file) {
            H5Lmove(file, "farm", file, "moved", H5P_DEFAULT, H5P_DEFAULT);
            H5Lcreate_soft("/moved", file, "farm", H5P_DEFAULT, H5P_DEFAULT);
        },
        "'farm' is a link"
    );
    refused_after(
        [&](hid_t file) {
            const Handle farm(H5Dopen2(file, "farm", H5P_DEFAULT), H5Dclose, "farm");
            const Handle type(H5Dget_type(farm.id()), H5Tclose, "type");
            const Handle space(H5Dget_space(farm.id()), H5Sclose, "space");
            const Handle properties = make_properties(H5P_DATASET_CREATE);
            H5Pset_external(properties.id(), other.c_str(), 0, H5F_UNLIMITED);
            H5Ldelete(file, "farm", H5P_DEFAULT);
            const Handle made(
                H5Dcreate2(
                    file, "farm", type.id(), space.id(), H5P_DEFAULT, properties.id(), H5P_DEFAULT
                ),
                H5Dclose,
                "farm"
            );
        },
        "'farm' lies in another file"
    );
}
