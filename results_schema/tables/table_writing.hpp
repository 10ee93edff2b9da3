// Tables, attributes and groups into an open HDF5 file, without dates, so that equal results make
// equal files. Throws Hdf5Failure. REQUIRES: texts are stored texts (stored_text.hpp).
#pragma once

#include <string>

#include "results_schema/tables/hdf5_handle.hpp"
#include "results_schema/tables/table.hpp"

namespace schedfarm::results_schema {

/// As a compound dataset; its name is a path whose groups are there.
void write_table(hid_t file, const Table& table);

void write_root_attribute(hid_t root, const Attribute& attribute);

Handle make_group(hid_t parent, const std::string& name);

/// For files, groups and datasets.
Handle creation_properties(hid_t property_class);

}  // namespace schedfarm::results_schema
