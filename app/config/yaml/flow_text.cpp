// Trees as text, as the emitter of yaml-cpp writes them.
#include <algorithm>
#include <cctype>
#include <memory>
#include <utility>
#include <variant>

#include <yaml-cpp/yaml.h>

#include "app/config/yaml/node.hpp"
#include "app/config/yaml/numbers.hpp"
#include "app/config/yaml/value_node.hpp"

namespace schedfarm::app {

namespace {

bool is_plain_character(unsigned char c) {
    return std::isalnum(c) != 0 || c == '_' || c == '-' || c == '.' || c == '/' || c == '+';
}

/// Whether a plain scalar would be read as something else than this text.
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

std::string quoted_text(const std::string& text) {
    YAML::Emitter out;
    out << YAML::DoubleQuoted << text;
    return out.c_str();
}

std::string key_text(const std::string& key) {
    return needs_quotes(key) ? quoted_text(key) : key;
}

std::string plain_text(const std::string& scalar) {
    if (const auto natural = parse_natural(scalar)) {
        return std::to_string(*natural);
    }
    if (const auto integer = parse_integer(scalar)) {
        return std::to_string(*integer);
    }
    if (const auto real = parse_real(scalar)) {
        return number_text(*real);
    }
    const bool is_boolean = scalar == "true" || scalar == "false";
    return !is_boolean && needs_quotes(scalar) ? quoted_text(scalar) : scalar;
}

// The emitter of yaml-cpp writes the same, and took a quarter of the instructions of a campaign of
// many small cells.
void append_flow(std::string& out, const Node& node) {
    switch (node.kind) {
        case Node::Kind::null:
            out += "null";
            return;
        case Node::Kind::scalar:
            out += node.style == Node::Style::quoted ? quoted_text(node.scalar)
                                                     : plain_text(node.scalar);
            return;
        case Node::Kind::list: {
            const char* before = "[";
            for (const Tree& item : node.items) {
                out += std::exchange(before, ", ");
                append_flow(out, item);
            }
            out += node.items.empty() ? "[]" : "]";
            return;
        }
        case Node::Kind::map: {
            const char* before = "{";
            for (const Node::Entry& entry : node.entries) {
                out += std::exchange(before, ", ");
                out += key_text(entry.key) + ": ";
                append_flow(out, entry.value);
            }
            out += node.entries.empty() ? "{}" : "}";
            return;
        }
    }
}

}  // namespace

std::string flow_text(const Node& node) {
    std::string out;
    append_flow(out, node);
    return out;
}

std::string file_text(const Node& map, const std::string& opened) {
    std::string out;
    for (const Node::Entry& entry : map.entries) {
        out += key_text(entry.key) + ":";
        if (entry.key != opened) {
            out += " " + flow_text(entry.value) + "\n";
            continue;
        }
        out += "\n";
        for (const Node::Entry& inner : entry.value->entries) {
            out += "  " + key_text(inner.key) + ": " + flow_text(inner.value) + "\n";
        }
    }
    return out;
}

Node quoted(std::string text) {
    Node node = Node::text(std::move(text), {});
    node.style = Node::Style::quoted;
    return node;
}

Node node_of_text(std::string text) {
    return needs_quotes(text) ? quoted(std::move(text)) : Node::text(std::move(text), {});
}

void add_entry(Node& map, std::string key, Tree value) {
    map.entries.push_back({std::move(key), {}, std::move(value)});
}

Node node_of(const engine::Value& value) {
    struct Maker {
        Node operator()(bool held) const { return Node::text(held ? "true" : "false", {}); }
        Node operator()(std::int64_t held) const { return Node::text(std::to_string(held), {}); }
        Node operator()(double held) const { return Node::text(number_text(held), {}); }
        Node operator()(const std::string& held) const { return node_of_text(held); }
        Node operator()(const engine::Value::List& held) const {
            Node list = Node::list({}, {});
            for (const engine::Value& element : held) {
                list.items.push_back(node_of(element));
            }
            return list;
        }
        Node operator()(const std::shared_ptr<const engine::Choice>& held) const {
            return node_of(*held);
        }
    };
    return std::visit(Maker{}, value.data());
}

Node node_of(const engine::Choice& choice) {
    if (choice.parameters.entries().empty()) {
        return node_of_text(choice.name);
    }
    Node node = Node::map({});
    add_entry(node, choice.name, node_of(choice.parameters));
    return node;
}

Node node_of(const engine::Parameters& parameters) {
    Node node = Node::map({});
    for (const auto& [name, value] : parameters.entries()) {
        add_entry(node, name, node_of(value));
    }
    return node;
}

}  // namespace schedfarm::app
