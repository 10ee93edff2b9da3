#include "app/campaign/grid/labels.hpp"

#include <algorithm>
#include <cctype>
#include <string_view>

#include "app/campaign/yaml/numbers.hpp"
#include "app/campaign/yaml/value_node.hpp"

namespace schedfarm::app {

namespace {

bool is_named(const Node& node) {
    return node.is_map() && node.entries.size() == 1;
}

bool is_plain_character(unsigned char c) {
    return std::isalnum(c) != 0 || c == '_' || c == '-' || c == '.' || c == '/' || c == '+';
}

/// Whether the text without quotes would be read as something else than this text.
bool needs_quotes(std::string_view text) {
    if (text.empty() || !std::all_of(text.begin(), text.end(), is_plain_character)) {
        return true;
    }
    if (std::isalpha(static_cast<unsigned char>(text.front())) == 0) {
        return true;  // numbers, "-", "...", "/x"
    }
    std::string lower(text);
    std::transform(lower.begin(), lower.end(), lower.begin(), [](unsigned char c) {
        return static_cast<char>(std::tolower(c));
    });
    return lower == "null" || lower == "true" || lower == "false";
}

std::string scalar_text(const Node& node) {
    const std::string& text = node.scalar;
    if (node.style == Node::Style::plain) {
        if (const auto number = canonical_number(text)) {
            return *number;
        }
        if (text == "true" || text == "false") {
            return text;
        }
    }
    return needs_quotes(text) ? json_text(quoted(text)) : text;
}

std::string flow_of(const Node& node) {
    std::string text;
    for (const Tree& item : node.items) {
        text += (text.empty() ? "" : ", ") + flow_of(item);
    }
    for (const Node::Entry& entry : node.entries) {
        const bool is_plain = !needs_quotes(entry.key);
        text += (text.empty() ? "" : ", ") + (is_plain ? entry.key : json_text(quoted(entry.key)))
                + ": " + flow_of(entry.value);
    }
    return node.is_scalar() ? scalar_text(node)
           : node.is_null() ? "null"
           : node.is_list() ? "[" + text + "]"
                            : "{" + text + "}";
}

std::string parameters_text(const Node& body) {
    std::string text;
    for (const Node& item : body.items) {
        text += (text.empty() ? "" : ", ") + plain_text(item);
    }
    for (const Node::Entry& entry : body.entries) {
        text += (text.empty() ? "" : ", ") + entry.key + "=" + plain_text(entry.value);
    }
    return body.is_scalar() ? plain_text(body) : text;
}

std::string label_of(const Node& level) {
    if (!is_named(level)) {
        return plain_text(level);
    }
    const Node::Entry& entry = level.entries.front();
    return entry.value->is_null() ? entry.key
                                  : entry.key + "(" + parameters_text(entry.value) + ")";
}

}  // namespace

std::string plain_text(const Node& node) {
    const std::string text = flow_of(node);
    return node.is_scalar() && text.starts_with('"') ? node.scalar : text;
}

std::vector<std::string> level_labels(const std::vector<Tree>& levels) {
    const bool same_alternative = std::all_of(levels.begin(), levels.end(), [&](const Node& level) {
        return is_named(level) && level.entries[0].value->is_list() && is_named(levels.front())
               && level.entries[0].key == levels.front()->entries[0].key;
    });
    std::vector<std::string> labels;
    labels.reserve(levels.size());
    for (const Node& level : levels) {
        labels.push_back(same_alternative ? flow_of(level.entries[0].value) : label_of(level));
    }
    return labels;
}

}  // namespace schedfarm::app
