#include "app/plan/identity/effective_values.hpp"

#include <algorithm>

#include "app/config/sections/value_reader.hpp"
#include "app/plan/grid/any_policy.hpp"

namespace schedfarm::app {

namespace {

/// Paths that factors, overrides or derived values refer to.
std::vector<std::string> paths_referred_to(const Node& campaign, const Grid& grid) {
    std::vector<std::string> paths;
    const auto add_keys = [&](const Node* map) {
        if (map != nullptr) {
            for (const Node::Entry& entry : map->entries) {
                paths.push_back(entry.key);
            }
        }
    };
    for (const Factor& factor : grid.factors()) {
        for (const std::string& path : factor.paths) {
            paths.push_back(parameter_of_any_policy(path) ? "policy" : path);
        }
    }
    add_keys(campaign.find("derived"));
    if (const Node* overrides = campaign.find("overrides")) {
        for (const Node& item : overrides->items) {
            add_keys(item.find("when"));
            add_keys(item.find("set"));
        }
    }
    return paths;
}

}  // namespace

EffectiveValues::EffectiveValues(const Node& campaign, const Grid& grid)
    : referred_(paths_referred_to(campaign, grid)) {}

bool EffectiveValues::is_referred(const std::string& path) const {
    return std::any_of(referred_.begin(), referred_.end(), [&](const std::string& other) {
        return overlap(path, other);
    });
}

bool EffectiveValues::is_whole_referred(const std::string& path) const {
    return std::find(referred_.begin(), referred_.end(), path) != referred_.end();
}

std::optional<std::string> EffectiveValues::text(
    const Node* node, const engine::ParameterDescription& row, const std::string& path
) const {
    if (is_referred(path)) {
        return node == nullptr ? std::nullopt : std::optional(flow_text(*node));
    }
    if (node == nullptr) {
        return row.default_value ? std::optional(row.default_value->text()) : std::nullopt;
    }
    Problems ignored;
    const auto value = read_value(*node, row, path, ignored);
    return value ? value->text() : flow_text(*node);
}

std::vector<std::string> EffectiveValues::table_texts(
    const Node* map,
    const std::vector<engine::ParameterDescription>& table,
    const std::string& path,
    const std::vector<std::string>& elsewhere
) const {
    std::vector<std::string> texts;
    for (const engine::ParameterDescription& row : table) {
        if (std::find(elsewhere.begin(), elsewhere.end(), row.name) != elsewhere.end()) {
            continue;
        }
        const Node* node = map == nullptr ? nullptr : map->find(row.name);
        if (const auto value = text(node, row, path + "." + row.name)) {
            texts.push_back(row.name + ": " + *value);
        }
    }
    return texts;
}

}  // namespace schedfarm::app
