#include "app/campaign/yaml/node.hpp"

#include <algorithm>
#include <functional>
#include <utility>

namespace schedfarm::app {

namespace {

void mix(std::size_t& hash, std::size_t part) {
    constexpr std::size_t golden_ratio = 0x9e3779b97f4a7c15;
    hash ^= part + golden_ratio + (hash << 6U) + (hash >> 2U);
}

std::size_t hash_of(const Node& node) {
    std::size_t hash = std::hash<std::string_view>{}(node.scalar);
    mix(hash, static_cast<std::size_t>(node.kind));
    mix(hash, static_cast<std::size_t>(node.at.line));
    mix(hash, static_cast<std::size_t>(node.at.column));
    for (const Tree& item : node.items) {
        mix(hash, item.hash());
    }
    for (const Node::Entry& entry : node.entries) {
        mix(hash, std::hash<std::string_view>{}(entry.key));
        mix(hash, entry.value.hash());
    }
    return hash;
}

}  // namespace

Tree::Tree(Node node)
    : node_(std::make_shared<const Node>(std::move(node))), hash_(hash_of(*node_)) {}

const Node& Tree::operator*() const {
    static const Node null;
    return node_ ? *node_ : null;
}

bool operator==(const Tree& a, const Tree& b) {
    return a.node_ == b.node_
           || (a.hash_ == b.hash_ && a->kind == b->kind && a->style == b->style && a->at == b->at
               && a->scalar == b->scalar && a->items == b->items && a->entries == b->entries);
}

Node Node::text(std::string value, const SourcePosition& at) {
    Node node;
    node.kind = Kind::scalar;
    node.at = at;
    node.scalar = std::move(value);
    return node;
}

Node Node::list(std::vector<Tree> items, const SourcePosition& at) {
    Node node;
    node.kind = Kind::list;
    node.at = at;
    node.items = std::move(items);
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

Node::Entry* Node::find_entry(std::string_view key) {
    return const_cast<Entry*>(std::as_const(*this).find_entry(key));  // NOLINT: it is no constant
}

const Node* Node::find(std::string_view key) const {
    const Entry* entry = find_entry(key);
    return entry == nullptr ? nullptr : &*entry->value;
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
    Node& root, std::string_view path, Tree value, const SourcePosition& at
) {
    const std::size_t dot = path.find('.');
    const std::string_view key = path.substr(0, dot);
    if (root.is_null()) {
        root = Node::map(at);
    } else if (root.is_scalar() && root.scalar == key) {
        root = Node::map(root.at);
    } else if (!root.is_map()) {
        return "";
    }
    Node::Entry* entry = root.find_entry(key);
    if (dot == std::string_view::npos) {
        if (entry == nullptr) {
            root.entries.push_back({std::string(key), at, std::move(value)});
        } else {
            entry->value = std::move(value);
        }
        return std::nullopt;
    }
    Node below = entry == nullptr ? Node::map(at) : Node(entry->value);
    auto obstacle = set_path(below, path.substr(dot + 1), std::move(value), at);
    if (obstacle) {
        return std::string(key) + (obstacle->empty() ? "" : "." + *obstacle);
    }
    if (entry == nullptr) {
        root.entries.push_back({std::string(key), at, std::move(below)});
    } else {
        entry->value = std::move(below);
    }
    return std::nullopt;
}

void erase_path(Node& root, std::string_view path) {
    const std::size_t dot = path.find('.');
    Node::Entry* entry = root.find_entry(path.substr(0, dot));
    if (dot == std::string_view::npos) {
        root.erase(path);
    } else if (entry != nullptr) {
        Node below = entry->value;
        erase_path(below, path.substr(dot + 1));
        entry->value = std::move(below);
    }
}

}  // namespace schedfarm::app
