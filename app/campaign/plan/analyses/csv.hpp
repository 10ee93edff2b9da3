// Comma-separated values after RFC 4180, with lines that begin with '#' as comments.
#pragma once

#include <string>
#include <vector>

#include "app/campaign/yaml/config_error.hpp"

namespace schedfarm::app {

struct CsvRecord {
    int line = 0;  ///< of its first character, from 1
    std::vector<std::string> fields;
    std::vector<int> columns;  ///< where each field begins, from 1
};

struct CsvFile {
    std::string name;  ///< empty: none
    std::vector<CsvRecord> records;
};

/// Records with at least one field; blank lines and a byte order mark are skipped. Spaces around
/// fields that are not quoted are dropped. Throws ConfigErrors for a quote that is not closed or
/// stands within a field.
std::vector<CsvRecord> read_csv(const std::string& name, const std::string& content);

}  // namespace schedfarm::app
