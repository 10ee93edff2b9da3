// One table out of an open HDF5 file. Throws Hdf5Failure, and ResultError for what is no table.
#pragma once

#include <string>
#include <vector>

#include <hdf5.h>

#include "results_schema/tables/table.hpp"

namespace schedfarm::results_schema {

/// The compound dataset of that path, with units, meanings and payload marks as they are stored.
Table read_table(hid_t file, const std::string& name);

/// What lies in a group, in alphabetical order.
std::vector<std::string> link_names(hid_t group);

}  // namespace schedfarm::results_schema
