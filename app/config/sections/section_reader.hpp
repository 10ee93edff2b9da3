// The second step, for sections: reads what a table of the campaign file describes.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/foundation/parameters.hpp"

#include "app/config/yaml/node.hpp"
#include "app/config/yaml/problems.hpp"

namespace schedfarm::app {

/// A key of the top level that must be there; the problem is added when it is not.
const Node* required_key(
    const Node& tree, const char* key, const std::string& suggestion, Problems& problems
);

/// The values of a section with their defaults, but for the keys in `elsewhere`, which have readers
/// of their own. Null node: the section is not given; `at` is where keys are missing then.
/// `examples`: values of keys for who lacks one.
std::optional<engine::Parameters> read_section(
    const Node* node,
    std::string_view name,
    const SourcePosition& at,
    Problems& problems,
    const std::vector<std::string>& elsewhere = {},
    const std::map<std::string, std::string>& examples = {}
);

/// A list of names; what is no name is left out and told.
std::vector<std::string> read_names(
    const Node& node, const std::string& key_path, Problems& problems
);

/// A problem for the key of a map, if it is there.
void refuse_key(
    const Node& map,
    const std::string& key,
    const std::string& key_path,
    const std::string& reason,
    const std::string& suggestion,
    Problems& problems
);

}  // namespace schedfarm::app
