#include "app/campaign/yaml/value_node.hpp"

#include <memory>
#include <utility>
#include <variant>

#include <nlohmann/json.hpp>

#include "app/campaign/yaml/numbers.hpp"

namespace schedfarm::app {

namespace {

std::string json_string(const std::string& text) {
    return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

/// Numbers, truth values and `null` as they are, everything else in quotes.
std::string json_scalar(const Node& node) {
    if (node.style == Node::Style::quoted) {
        return json_string(node.scalar);
    }
    const auto number = canonical_number(node.scalar);
    const bool is_boolean = node.scalar == "true" || node.scalar == "false";
    return number ? *number : is_boolean ? node.scalar : json_string(node.scalar);
}

void append_json(std::string& out, const Node& node) {
    switch (node.kind) {
        case Node::Kind::null:
            out += "null";
            return;
        case Node::Kind::scalar:
            out += json_scalar(node);
            return;
        case Node::Kind::list: {
            const char* before = "[";
            for (const Tree& item : node.items) {
                out += std::exchange(before, ", ");
                append_json(out, item);
            }
            out += node.items.empty() ? "[]" : "]";
            return;
        }
        case Node::Kind::map: {
            const char* before = "{";
            for (const Node::Entry& entry : node.entries) {
                out += std::exchange(before, ", ");
                out += json_string(entry.key) + ": ";
                append_json(out, entry.value);
            }
            out += node.entries.empty() ? "{}" : "}";
            return;
        }
    }
}

}  // namespace

std::optional<std::string> canonical_number(const std::string& scalar) {
    if (const auto natural = parse_natural(scalar)) {
        return std::to_string(*natural);
    }
    if (const auto integer = parse_integer(scalar)) {
        return std::to_string(*integer);
    }
    const auto real = parse_real(scalar);
    return real ? std::optional(number_text(*real)) : std::nullopt;
}

std::string json_text(const Node& node) {
    std::string out;
    append_json(out, node);
    return out;
}

std::string json_lines(const Node& map, const std::string& opened) {
    const auto lines = [&](const Node& node, const std::string& indent, const auto& text_of) {
        std::string out = "{";
        const char* before = "\n";
        for (const Node::Entry& entry : node.entries) {
            out += std::exchange(before, ",\n") + indent + "  " + json_string(entry.key) + ": "
                   + text_of(entry);
        }
        return out + "\n" + indent + "}";
    };
    const auto on_one_line = [](const Node::Entry& entry) {
        return json_text(entry.value);
    };
    return lines(
               map,
               "",
               [&](const Node::Entry& entry) {
                   const bool is_opened = entry.key == opened && entry.value->is_map();
                   return is_opened ? lines(entry.value, "  ", on_one_line) : on_one_line(entry);
               }
           )
           + "\n";
}

Node quoted(std::string text) {
    Node node = Node::text(std::move(text), {});
    node.style = Node::Style::quoted;
    return node;
}

void add_entry(Node& map, std::string key, Tree value) {
    map.entries.push_back({std::move(key), {}, std::move(value)});
}

Node node_of(const engine::Value& value) {
    struct Maker {
        Node operator()(bool held) const { return Node::text(held ? "true" : "false", {}); }
        Node operator()(std::int64_t held) const { return Node::text(std::to_string(held), {}); }
        Node operator()(double held) const { return Node::text(number_text(held), {}); }
        Node operator()(const std::string& held) const { return quoted(held); }
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
    if (choice.parameters.entries().empty() && !choice.name.empty()) {
        return quoted(choice.name);
    }
    if (choice.name.empty()) {
        return node_of(choice.parameters);
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
