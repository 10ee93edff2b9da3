#include "app/config/yaml/node.hpp"

#include <algorithm>
#include <utility>

namespace schedfarm::app {

namespace {

Node* child_of(Node& node, std::string_view key) {
    for (Node::Entry& entry : node.entries) {
        if (entry.key == key) {
            return &entry.value;
        }
    }
    return nullptr;
}

Node& child_made(Node& node, const std::string& key, const SourcePosition& at) {
    if (Node* child = child_of(node, key)) {
        return *child;
    }
    node.entries.push_back({key, at, Node{}});
    node.entries.back().value.at = at;
    return node.entries.back().value;
}

}  // namespace

Node Node::text(std::string value, const SourcePosition& at) {
    Node node;
    node.kind = Kind::scalar;
    node.at = at;
    node.scalar = std::move(value);
    return node;
}

Node Node::map(const SourcePosition& at) {
    Node node;
    node.kind = Kind::map;
    node.at = at;
    return node;
}

const Node::Entry* Node::find_entry(std::string_view key) const {
    const auto found = std::find_if(entries.begin(), entries.end(), [&](const Entry& entry) {
        return entry.key == key;
    });
    return found == entries.end() ? nullptr : &*found;
}

const Node* Node::find(std::string_view key) const {
    const Entry* entry = find_entry(key);
    return entry == nullptr ? nullptr : &entry->value;
}

void Node::erase(std::string_view key) {
    entries.erase(
        std::remove_if(
            entries.begin(), entries.end(), [&](const Entry& entry) { return entry.key == key; }
        ),
        entries.end()
    );
}

std::vector<std::string> path_parts(std::string_view path) {
    std::vector<std::string> parts;
    std::size_t begin = 0;
    while (true) {
        const std::size_t dot = path.find('.', begin);
        parts.emplace_back(path.substr(begin, dot - begin));
        if (dot == std::string_view::npos) {
            return parts;
        }
        begin = dot + 1;
    }
}

const Node* find_path(const Node& root, std::string_view path) {
    const Node* node = &root;
    for (const std::string& part : path_parts(path)) {
        node = node->find(part);
        if (node == nullptr) {
            return nullptr;
        }
    }
    return node;
}

SourcePosition nearest_position(const Node& root, std::string_view path) {
    const Node* node = &root;
    for (const std::string& part : path_parts(path)) {
        const Node* next = node->find(part);
        if (next == nullptr) {
            break;
        }
        node = next;
    }
    return node->at;
}

std::optional<std::string> set_path(
    Node& root, std::string_view path, Node value, const SourcePosition& at
) {
    const std::vector<std::string> parts = path_parts(path);
    Node* node = &root;
    std::string walked;
    for (const std::string& part : parts) {
        if (node->is_null()) {
            *node = Node::map(at);
        } else if (node->is_scalar() && node->scalar == part) {
            *node = Node::map(node->at);
        } else if (!node->is_map()) {
            return walked;
        }
        node = &child_made(*node, part, at);
        walked += (walked.empty() ? "" : ".") + part;
    }
    *node = std::move(value);
    return std::nullopt;
}

void erase_path(Node& root, std::string_view path) {
    std::vector<std::string> parts = path_parts(path);
    const std::string last = parts.back();
    parts.pop_back();
    Node* parent = &root;
    for (const std::string& part : parts) {
        parent = child_of(*parent, part);
        if (parent == nullptr) {
            return;
        }
    }
    parent->erase(last);
}

}  // namespace schedfarm::app
