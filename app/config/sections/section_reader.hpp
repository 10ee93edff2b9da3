// The second step, for sections: reads what a table of the campaign file describes.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "engine/foundation/parameters.hpp"

#include "app/config/schema/table.hpp"
#include "app/config/yaml/node.hpp"
#include "app/config/yaml/problems.hpp"

namespace schedfarm::app {

/// Values of keys for who lacks one.
using Examples = std::map<std::string, std::string>;

/// A key of the top level that must be there; the problem is added when it is not.
const Node* required_key(
    const Node& tree, const char* key, const std::string& suggestion, Problems& problems
);

/// "'load.search.threshold' is missing (…)", with the meaning of the key.
std::string missing_key_text(const Section& section, const std::string& key);

/// The values of a section with their defaults, but for its parts. Null node: the section is not
/// given; `at` is where keys are missing then.
std::optional<engine::Parameters> read_section(
    const Node* node,
    const Section& section,
    const SourcePosition& at,
    Problems& problems,
    const Examples& examples = {}
);

/// A list of names; what is no name is left out and told.
std::vector<std::string> read_names(
    const Node& node, const std::string& key_path, Problems& problems
);

/// The text of a key, of several lines if the user likes; empty where it is not there.
std::string read_prose(
    const Node& map, const std::string& key, const std::string& key_path, Problems& problems
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

/// A section while it becomes an object.
template <typename T>
struct TableReading {
    const Section& section;
    const Node* node;
    Problems& problems;
    std::optional<engine::Parameters> given;
    T object{};

    /// The value of a key; null: it has none.
    const engine::Value* find(const std::string& key) const {
        return given && given->contains(key) ? &given->at(key) : nullptr;
    }

    Names names(const std::string& key) const {
        const Node* list = node == nullptr ? nullptr : node->find(key);
        return list == nullptr ? Names() : read_names(*list, section.name + "." + key, problems);
    }

    std::string prose(const std::string& key) const {
        return node == nullptr ? "" : read_prose(*node, key, section.name + "." + key, problems);
    }

    void refuse(const std::string& key, const char* reason, const char* example) {
        const std::string path = section.name + "." + key;
        problems.add(
            nearest_position(*node, key),
            path,
            fmt::format("'{}' {}", path, reason),
            fmt::format("Write {}?", example)
        );
    }
};

/// The object of a table, but for its parts; absent where a value is wrong or missing. Null node:
/// the section is not given. `place`: the section, where it goes by another name or has more parts.
template <typename T, typename... Columns>
std::optional<T> read_table(
    const Table<T, Columns...>& table,
    const Node* node,
    const SourcePosition& at,
    Problems& problems,
    const Examples& examples = {},
    const Section* place = nullptr
) {
    const Section& section = place == nullptr ? table.section() : *place;
    TableReading<T> reading{
        section, node, problems, read_section(node, section, at, problems, examples)};
    bool is_right = reading.given.has_value();
    table.for_each([&](const auto& column, const auto& row) {
        is_right = column.take(row, reading) && is_right;
    });
    return is_right ? std::optional(std::move(reading.object)) : std::nullopt;
}

/// The same of a section at its place in a campaign or cell, be it there or not.
template <typename T, typename... Columns>
std::optional<T> read_table_in(
    const Node& tree, const Table<T, Columns...>& table, Problems& problems
) {
    const Node* node = find_path(tree, table.section().name);
    return read_table(table, node, node == nullptr ? tree.at : node->at, problems);
}

}  // namespace schedfarm::app
