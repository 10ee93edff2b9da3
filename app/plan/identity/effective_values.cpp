#include "app/plan/identity/effective_values.hpp"

#include <algorithm>
#include <utility>

#include "app/config/sections/value_reader.hpp"
#include "app/config/yaml/suggestion.hpp"
#include "app/config/yaml/value_node.hpp"
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
    return contains(referred_, path);
}

std::optional<Node> EffectiveValues::value(
    const Node* node, const engine::ParameterDescription& row, const std::string& path
) const {
    if (is_referred(path)) {
        return node == nullptr ? std::nullopt : std::optional(*node);
    }
    if (node == nullptr) {
        return row.default_value ? std::optional(node_of(engine::with_defaults({row}).at(row.name)))
                                 : std::nullopt;
    }
    Problems ignored;
    const auto value = read_value(*node, row, path, ignored);
    return value ? node_of(*value) : *node;
}

Node EffectiveValues::table(
    const Node* map, const std::vector<engine::ParameterDescription>& table, const std::string& path
) const {
    Node result = Node::map({});
    for (const engine::ParameterDescription& row : table) {
        const Node* node = map == nullptr ? nullptr : map->find(row.name);
        if (auto found = value(node, row, path + "." + row.name)) {
            add_entry(result, row.name, std::move(*found));
        }
    }
    return result;
}

}  // namespace schedfarm::app
