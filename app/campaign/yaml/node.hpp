// The tree of a campaign file: plain values, each with the position it was written at. What lies
// below a node never changes and is shared: a cell's tree is the campaign's with some values
// replaced, which copies the nodes above them, and a problem found in it still points into the
// file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/campaign/yaml/config_error.hpp"

namespace schedfarm::app {

struct Node;

/// A node that never changes, whoever has it. Read as a node.
class Tree {
  public:
    Tree() = default;  ///< null
    Tree(Node node);   // NOLINT(google-explicit-constructor)

    const Node& operator*() const;
    const Node* operator->() const { return &**this; }
    operator const Node&() const { return **this; }  // NOLINT(google-explicit-constructor)

    std::size_t hash() const { return hash_; }
    struct Hash {
        std::size_t operator()(const Tree& tree) const { return tree.hash(); }
    };
    /// Equal values at equal positions, whether or not the nodes are shared.
    friend bool operator==(const Tree& a, const Tree& b);

  private:
    std::shared_ptr<const Node> node_;
    std::size_t hash_ = 0;
};

struct Node {
    enum class Kind : std::uint8_t { null, scalar, list, map };
    enum class Style : std::uint8_t { plain, quoted };
    struct Entry;

    Kind kind = Kind::null;
    Style style = Style::plain;  ///< of a scalar
    SourcePosition at;
    std::string scalar;
    std::vector<Tree> items;     ///< of a list
    std::vector<Entry> entries;  ///< of a map, in the file's order; keys are unique

    static Node text(std::string value, const SourcePosition& at);
    static Node list(std::vector<Tree> items, const SourcePosition& at);
    static Node map(const SourcePosition& at);

    bool is_map() const { return kind == Kind::map; }
    bool is_list() const { return kind == Kind::list; }
    bool is_scalar() const { return kind == Kind::scalar; }
    bool is_null() const { return kind == Kind::null; }

    /// The value of a key; null where this is no map or has no such key.
    const Node* find(std::string_view key) const;
    const Entry* find_entry(std::string_view key) const;
    Entry* find_entry(std::string_view key);
    void erase(std::string_view key);
};

struct Node::Entry {
    std::string key;
    SourcePosition at;  ///< of the key
    Tree value;

    friend bool operator==(const Entry&, const Entry&) = default;
};

/// "workload.request" → {"workload", "request"}.
std::vector<std::string> path_parts(std::string_view path);

/// The value at a path; null where there is none.
const Node* find_path(const Node& root, std::string_view path);

/// The position of the deepest value that exists along the path.
SourcePosition nearest_position(const Node& root, std::string_view path);

/// Sets the value at a path, making the maps on the way; a bare name on the way becomes
/// `{name: …}`. `at` becomes the position of new keys. Absent when done; else the part of the path
/// at which something else stands.
std::optional<std::string> set_path(
    Node& root, std::string_view path, Tree value, const SourcePosition& at
);

/// Removes the value at a path, if there is one.
void erase_path(Node& root, std::string_view path);

}  // namespace schedfarm::app
