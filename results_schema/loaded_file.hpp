// A result file as it was found: what could be read of it, and what no version of the schema has.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "results_schema/table.hpp"

namespace schedfarm::results_schema {

struct SchemaVersion {
    int major = 0;
    int minor = 0;
};

struct LoadedFile {
    ResultFile results;
    SchemaVersion version;
    std::vector<std::string> remarks;  ///< objects and attributes that were passed over
};

/// Checks file type and version before anything else. Throws ResultError.
LoadedFile load_results(const std::filesystem::path& path);

}  // namespace schedfarm::results_schema
