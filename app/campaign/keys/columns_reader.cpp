#include "app/campaign/keys/columns_reader.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

#include <fmt/format.h>

#include "app/campaign/yaml/reader.hpp"
#include "app/campaign/yaml/suggestion.hpp"

namespace schedfarm::app {

namespace {

std::string scalar_of(const Node* node) {
    return node == nullptr ? "" : node->scalar;
}

/// "submit=submit_time", or with "[min]" behind it; empty: it is none.
std::string entry_text(const std::string& quantity, const Node& node) {
    if (node.is_scalar()) {
        return fmt::format("{}={}", quantity, node.scalar);
    }
    const Node* const column = node.find("column");
    const std::string unit = scalar_of(node.find("unit")) + scalar_of(node.find("key"));
    if (column == nullptr || node.entries.size() > 2
        || (node.entries.size() == 2) != !unit.empty()) {
        return "";
    }
    return fmt::format("{}={}{}", quantity, column->scalar, unit.empty() ? "" : " [" + unit + "]");
}

std::optional<std::string> map_text(
    const Node& node, const std::string& key_path, Problems& problems
) {
    std::string text;
    for (const auto& [quantity, at, value] : node.entries) {
        const std::vector<Tree> columns = value->is_list() ? value->items : std::vector{value};
        for (const Node& column : columns) {
            const std::string entry = entry_text(quantity, column);
            if (entry.empty() || entry.find(';') != std::string::npos) {
                problems.add(
                    at,
                    key_path,
                    fmt::format("'{}' names no column", quantity),
                    "Write NAME, {column: NAME, unit: min} or {column: NAME, key: gpu}."
                );
                return std::nullopt;
            }
            text += (text.empty() ? "" : "; ") + entry;
        }
    }
    return text;
}

std::optional<std::string> text_of_file(const std::filesystem::path& path) {
    std::ifstream in(path, std::ios::binary);
    std::string text{std::istreambuf_iterator<char>(in), {}};
    return in.good() || !text.empty() ? std::optional(text) : std::nullopt;
}

/// As the program is called, from the campaign file, or one that comes with the program.
std::optional<std::string> text_of(const Node& node) {
    namespace fs = std::filesystem;
    const fs::path current = node.at.folder;
    const fs::path campaign = node.at.line == 0 ? fs::path() : fs::path(node.at.file).parent_path();
    std::error_code error;
    for (const fs::path& place : {current / node.scalar, current / campaign / node.scalar}) {
        if (fs::is_regular_file(place, error)) {
            return text_of_file(place);
        }
    }
    for (const ShippedColumns& shipped : shipped_columns()) {
        if (shipped.name == node.scalar) {
            return std::string(shipped.text);
        }
    }
    return std::nullopt;
}

}  // namespace

std::optional<std::string> read_columns(
    const Node& node, const std::string& key_path, Problems& problems
) {
    if (node.is_map()) {
        return map_text(node, key_path, problems);
    }
    if (!node.is_scalar() || node.scalar.empty() || node.scalar.find('=') != std::string::npos) {
        return node.scalar;  // nothing, or such a text already
    }
    if (node.scalar.find_first_of(",|") != std::string::npos) {
        std::string names = node.scalar;
        std::replace(names.begin(), names.end(), '|', ',');
        return "header=" + names;
    }
    const auto text = text_of(node);
    if (!text) {
        std::vector<std::string> names;
        for (const ShippedColumns& shipped : shipped_columns()) {
            names.emplace_back(shipped.name);
        }
        problems.add(
            node.at,
            key_path,
            fmt::format(
                "there is no map of columns '{}' (neither a file nor one of {})",
                node.scalar,
                joined(names)
            ),
            name_suggestion(node.scalar, names)
        );
        return std::nullopt;
    }
    return map_text(read_yaml(node.scalar, *text), key_path, problems);
}

}  // namespace schedfarm::app
