// Trees as text, by yaml-cpp's emitter.
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

/// Texts that are known to be plain go the way of numbers: the emitter would match each against
/// regular expressions once more, which took half of the time of a large plan.
void emit_text(YAML::Emitter& out, const std::string& text, bool is_quoted) {
    if (is_quoted) {
        out << YAML::DoubleQuoted << text;
    } else {
        out.WriteIntegralType(std::string_view(text));
    }
}

void emit_plain(YAML::Emitter& out, const std::string& scalar) {
    if (const auto natural = parse_natural(scalar)) {
        out << *natural;
    } else if (const auto integer = parse_integer(scalar)) {
        out << *integer;
    } else if (const auto real = parse_real(scalar)) {
        emit_text(out, number_text(*real), false);
    } else {
        const bool is_boolean = scalar == "true" || scalar == "false";
        emit_text(out, scalar, !is_boolean && needs_quotes(scalar));
    }
}

void emit(YAML::Emitter& out, const Node& node);

void emit_entry(YAML::Emitter& out, const Node::Entry& entry) {
    out << YAML::Key;
    emit_text(out, entry.key, needs_quotes(entry.key));
    out << YAML::Value;
}

void emit(YAML::Emitter& out, const Node& node) {
    switch (node.kind) {
        case Node::Kind::null:
            out << YAML::Null;
            return;
        case Node::Kind::scalar:
            if (node.style == Node::Style::quoted) {
                emit_text(out, node.scalar, true);
            } else {
                emit_plain(out, node.scalar);
            }
            return;
        case Node::Kind::list:
            out << YAML::Flow << YAML::BeginSeq;
            for (const Node& item : node.items) {
                emit(out, item);
            }
            out << YAML::EndSeq;
            return;
        case Node::Kind::map:
            out << YAML::Flow << YAML::BeginMap;
            for (const Node::Entry& entry : node.entries) {
                emit_entry(out, entry);
                emit(out, entry.value);
            }
            out << YAML::EndMap;
            return;
    }
}

}  // namespace

std::string flow_text(const Node& node) {
    YAML::Emitter out;
    out.SetNullFormat(YAML::LowerNull);
    emit(out, node);
    return out.c_str();
}

std::string file_text(const Node& map, const std::string& opened) {
    YAML::Emitter out;
    out.SetNullFormat(YAML::LowerNull);
    out << YAML::BeginMap;
    for (const Node::Entry& entry : map.entries) {
        emit_entry(out, entry);
        if (entry.key != opened) {
            emit(out, entry.value);
            continue;
        }
        out << YAML::BeginMap;
        for (const Node::Entry& inner : entry.value.entries) {
            emit_entry(out, inner);
            emit(out, inner.value);
        }
        out << YAML::EndMap;
    }
    out << YAML::EndMap;
    return std::string(out.c_str()) + "\n";
}

Node quoted(std::string text) {
    Node node = Node::text(std::move(text), {});
    node.style = Node::Style::quoted;
    return node;
}

Node node_of_text(std::string text) {
    return needs_quotes(text) ? quoted(std::move(text)) : Node::text(std::move(text), {});
}

Node list_of(std::vector<Node> items) {
    Node list;
    list.kind = Node::Kind::list;
    list.items = std::move(items);
    return list;
}

void add_entry(Node& map, std::string key, Node value) {
    map.entries.push_back({std::move(key), {}, std::move(value)});
}

Node node_of(const engine::Value& value) {
    struct Maker {
        Node operator()(bool held) const { return Node::text(held ? "true" : "false", {}); }
        Node operator()(std::int64_t held) const { return Node::text(std::to_string(held), {}); }
        Node operator()(double held) const { return Node::text(number_text(held), {}); }
        Node operator()(const std::string& held) const { return node_of_text(held); }
        Node operator()(const engine::Value::List& held) const {
            Node list = list_of({});
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
