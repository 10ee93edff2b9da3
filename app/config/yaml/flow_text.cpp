// The canonical text of a tree.
#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include "app/config/yaml/node.hpp"
#include "app/config/yaml/numbers.hpp"

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

std::string plain_text(const std::string& scalar) {
    if (const auto integer = parse_integer(scalar)) {
        return std::to_string(*integer);
    }
    if (const auto real = parse_real(scalar)) {
        return number_text(*real);
    }
    return scalar == "true" || scalar == "false" ? scalar : scalar_text(scalar);
}

}  // namespace

std::string quoted_text(std::string_view text) {
    std::string result = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') {
            result += '\\';
            result += c;
        } else if (c == '\n') {
            result += "\\n";
        } else if (c == '\t') {
            result += "\\t";
        } else if (c == '\r') {
            result += "\\r";
        } else if (static_cast<unsigned char>(c) < ' ' || c == 0x7F) {
            result += fmt::format("\\x{:02x}", static_cast<unsigned>(c));
        } else {
            result += c;
        }
    }
    return result + "\"";
}

std::string scalar_text(std::string_view text) {
    return needs_quotes(text) ? quoted_text(text) : std::string(text);
}

std::string flow_text(const Node& node) {
    std::string result;
    switch (node.kind) {
        case Node::Kind::null:
            return "null";
        case Node::Kind::scalar:
            return node.style == Node::Style::quoted ? quoted_text(node.scalar)
                                                     : plain_text(node.scalar);
        case Node::Kind::list:
            for (const Node& item : node.items) {
                result += (result.empty() ? "" : ", ") + flow_text(item);
            }
            return "[" + result + "]";
        case Node::Kind::map:
            for (const Node::Entry& entry : node.entries) {
                result += (result.empty() ? "" : ", ") + scalar_text(entry.key) + ": "
                          + flow_text(entry.value);
            }
            return "{" + result + "}";
    }
    return result;
}

}  // namespace schedfarm::app
