#include "app/config/sections/section_reader.hpp"

#include <algorithm>

#include "app/config/sections/value_reader.hpp"

namespace schedfarm::app {

std::string missing_key_text(const Section& section, const std::string& key) {
    const std::string path = section.name == "campaign" ? key : section.name + "." + key;
    return fmt::format("'{}' is missing ({})", path, section.row(key).meaning);
}

const Node* required_key(
    const Node& tree, const char* key, const std::string& suggestion, Problems& problems
) {
    const Node* node = tree.find(key);
    if (node == nullptr && !problems.is_excused(key)) {
        problems.add(tree.at, key, missing_key_text(section("campaign"), key), suggestion);
    }
    return node;
}

std::optional<engine::Parameters> read_section(
    const Node* node,
    const Section& section,
    const SourcePosition& at,
    Problems& problems,
    const Examples& examples
) {
    std::vector<engine::ParameterDescription> rows;
    std::copy_if(
        section.keys.begin(),
        section.keys.end(),
        std::back_inserter(rows),
        [&](const engine::ParameterDescription& row) { return !section.is_part(row.name); }
    );
    const KeyRules rules{
        .elsewhere = section.parts, .optional = section.optional, .examples = examples};
    return read_parameters(node, rows, at, section.name, problems, rules);
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

std::string read_prose(
    const Node& map, const std::string& key, const std::string& key_path, Problems& problems
) {
    const Node* node = map.find(key);
    if (node == nullptr || node->is_null()) {
        return "";
    }
    expect_kind(*node, Node::Kind::scalar, key_path, "Put it in quotes?", problems);
    return node->scalar;
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
