// Reading the attributes of an HDF5 object. What is absent, or of a type that no result file has,
// is nullopt: the caller decides whether that is an error.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "results_schema/tables/hdf5_handle.hpp"
#include "results_schema/tables/table.hpp"

namespace schedfarm::results_schema {

std::optional<std::string> read_text(hid_t object, const std::string& name);
std::optional<std::vector<std::string>> read_texts(hid_t object, const std::string& name);
std::optional<std::vector<std::int64_t>> read_integers(hid_t object, const std::string& name);

/// One text, 64-bit integer or real.
std::optional<Attribute> read_scalar(hid_t object, const std::string& name);

/// In alphabetical order.
std::vector<std::string> attribute_names(hid_t object);

}  // namespace schedfarm::results_schema
