#include "app/config/sections/section_reader.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "app/config/schema/schema.hpp"
#include "app/config/sections/value_reader.hpp"

namespace schedfarm::app {

const Node* required_key(
    const Node& tree, const char* key, const std::string& suggestion, Problems& problems
) {
    const Node* node = tree.find(key);
    if (node == nullptr && !problems.is_excused(key)) {
        problems.add(
            tree.at,
            key,
            fmt::format("'{}' is missing ({})", key, section("campaign").row(key).meaning),
            suggestion
        );
    }
    return node;
}

std::optional<engine::Parameters> read_section(
    const Node* node,
    std::string_view name,
    const SourcePosition& at,
    Problems& problems,
    const std::vector<std::string>& elsewhere,
    const std::map<std::string, std::string>& examples
) {
    const Section& described = section(name);
    std::vector<engine::ParameterDescription> rows;
    for (const engine::ParameterDescription& row : described.keys) {
        if (std::find(elsewhere.begin(), elsewhere.end(), row.name) == elsewhere.end()) {
            rows.push_back(row);
        }
    }
    const KeyRules rules{
        .elsewhere = elsewhere, .optional = described.optional, .examples = examples};
    return read_parameters(node, rows, at, described.name, problems, rules);
}

std::vector<std::string> read_names(
    const Node& node, const std::string& key_path, Problems& problems
) {
    std::vector<std::string> names;
    for (const Node& item : node.items) {
        if (item.is_scalar()) {
            names.push_back(item.scalar);
        }
    }
    if (!node.is_list() || names.size() != node.items.size()) {
        problems.add(
            node.at,
            key_path,
            fmt::format("'{}' must be a list of names", key_path),
            "Write [name, name]?"
        );
    }
    return names;
}

void refuse_key(
    const Node& map,
    const std::string& key,
    const std::string& key_path,
    const std::string& reason,
    const std::string& suggestion,
    Problems& problems
) {
    if (const Node::Entry* entry = map.find_entry(key)) {
        problems.add(entry->at, key_path, reason, suggestion);
    }
}

}  // namespace schedfarm::app
