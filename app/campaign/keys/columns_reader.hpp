// The map of a table's columns in a campaign: a mapping from what a job has to the columns that say
// it, `{submit: submit_time, limit: {column: time_limit, unit: min}, gpus: {column: tres, key:
// 1002}}`, a list where several columns may say it; or the name of a file with such a mapping, or
// of a map that comes with the program. Becomes the text that models/trace/tables/column_map.hpp
// takes.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/campaign/yaml/node.hpp"
#include "app/campaign/yaml/problems.hpp"

namespace schedfarm::app {

/// Absent, with a problem, for what is no map.
std::optional<std::string> read_columns(
    const Node& node, const std::string& key_path, Problems& problems
);

/// A map that comes with the program; the text of its file.
struct ShippedColumns {
    std::string_view name;
    std::string_view text;
};

/// In the order of their names.
const std::vector<ShippedColumns>& shipped_columns();

}  // namespace schedfarm::app
