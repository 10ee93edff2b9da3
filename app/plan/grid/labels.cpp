#include "app/plan/grid/labels.hpp"

#include <algorithm>

#include "app/config/yaml/numbers.hpp"

namespace schedfarm::app {

namespace {

bool is_named(const Node& node) {
    return node.is_map() && node.entries.size() == 1;
}

/// Numbers in shortest form; other texts as they are, however YAML has them written.
std::string inner_text(const Node& node) {
    const std::string text = flow_text(node);
    return node.is_scalar() && text.starts_with('"') ? node.scalar : text;
}

std::string parameters_text(const Node& body) {
    std::string text;
    for (const Node& item : body.items) {
        text += (text.empty() ? "" : ", ") + inner_text(item);
    }
    for (const Node::Entry& entry : body.entries) {
        text += (text.empty() ? "" : ", ") + entry.key + "=" + inner_text(entry.value);
    }
    return body.is_scalar() ? inner_text(body) : text;
}

std::string label_of(const Node& level) {
    if (!is_named(level)) {
        return inner_text(level);
    }
    const Node::Entry& entry = level.entries.front();
    return entry.value->is_null() ? entry.key
                                  : entry.key + "(" + parameters_text(entry.value) + ")";
}

}  // namespace

std::vector<std::string> level_labels(const std::vector<Tree>& levels) {
    const bool same_alternative = std::all_of(levels.begin(), levels.end(), [&](const Node& level) {
        return is_named(level) && level.entries[0].value->is_list() && is_named(levels.front())
               && level.entries[0].key == levels.front()->entries[0].key;
    });
    std::vector<std::string> labels;
    labels.reserve(levels.size());
    for (const Node& level : levels) {
        labels.push_back(same_alternative ? flow_text(level.entries[0].value) : label_of(level));
    }
    return labels;
}

bool is_level(const FactorLevel& level, const std::string& text) {
    if (level.label == text) {
        return true;
    }
    const auto number = parse_real(text);
    return number && level.number && *number == *level.number;
}

}  // namespace schedfarm::app
