#include "app/campaign/yaml/reader.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <sstream>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/yaml.h>

#include "app/campaign/yaml/text_check.hpp"

namespace schedfarm::app {

namespace {

constexpr std::size_t deepest = 64;
constexpr std::size_t most_nodes = 200000;

struct Extent {
    std::size_t nodes = 1;
    std::size_t depth = 1;
};

Extent extent_of(const Node& node) {
    Extent extent;
    const auto take = [&](const Node& child) {
        const Extent inner = extent_of(child);
        extent.nodes += inner.nodes;
        extent.depth = std::max(extent.depth, inner.depth + 1);
    };
    for (const Tree& item : node.items) {
        take(item);
    }
    for (const Node::Entry& entry : node.entries) {
        take(entry.value);
    }
    return extent;
}

/// Builds the tree from the parser's events.
class TreeBuilder final : public YAML::EventHandler {
  public:
    TreeBuilder(std::string file, std::string folder)
        : file_(std::move(file)), folder_(std::move(folder)) {}

    std::optional<Node> take_root() { return std::move(root_); }

    void OnDocumentStart(const YAML::Mark& mark) override {
        if (root_) {
            refuse(mark, "a second document begins (a campaign is one)", "Remove the '---'.");
        }
    }

    void OnDocumentEnd() override {}

    void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
        add(made(mark, Node::Kind::null), anchor);
    }

    void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
        const auto found = anchors_.find(anchor);
        if (found == anchors_.end()) {
            refuse(mark, "an alias stands inside the value that it names", "Write the value out.");
        }
        const Extent extent = extent_of(found->second);
        expect_room(mark, extent.nodes, stack_.size() + extent.depth);
        add(found->second, 0);
    }

    void OnScalar(
        const YAML::Mark& mark,
        const std::string& tag,
        YAML::anchor_t anchor,
        const std::string& value
    ) override {
        Node node = made(mark, Node::Kind::scalar);
        node.scalar = value;
        node.style = tag == "?" ? Node::Style::plain : Node::Style::quoted;
        expect_no_tag(mark, tag);
        add(std::move(node), anchor);
    }

    void OnSequenceStart(
        const YAML::Mark& mark,
        const std::string& tag,
        YAML::anchor_t anchor,
        YAML::EmitterStyle::value /*style*/
    ) override {
        begin(mark, tag, anchor, Node::Kind::list);
    }

    void OnSequenceEnd() override { end(); }

    void OnMapStart(
        const YAML::Mark& mark,
        const std::string& tag,
        YAML::anchor_t anchor,
        YAML::EmitterStyle::value /*style*/
    ) override {
        begin(mark, tag, anchor, Node::Kind::map);
    }

    void OnMapEnd() override { end(); }

  private:
    struct Frame {
        Node node;
        YAML::anchor_t anchor = 0;
        std::optional<Node> key;  ///< of a map: waiting for its value
    };

    [[noreturn]] void refuse_at(
        const SourcePosition& at, const std::string& reason, const std::string& suggestion
    ) const {
        throw_problem(at, reason, suggestion);
    }

    [[noreturn]] void refuse(
        const YAML::Mark& mark, const std::string& reason, const std::string& suggestion
    ) const {
        refuse_at({file_, mark.line + 1, mark.column + 1}, reason, suggestion);
    }

    void expect_no_tag(const YAML::Mark& mark, const std::string& tag) const {
        if (tag != "?" && tag != "!" && !tag.empty()) {
            refuse(mark, "a tag has no meaning in a campaign ('" + tag + "')", "Remove it.");
        }
    }

    void expect_room(const YAML::Mark& mark, std::size_t nodes, std::size_t depth) {
        nodes_ += nodes;
        if (nodes_ > most_nodes) {
            refuse(mark, fmt::format("more than {} values (aliases counted)", most_nodes), "");
        }
        if (depth > deepest) {
            refuse(mark, fmt::format("nested more than {} levels deep", deepest), "");
        }
    }

    Node made(const YAML::Mark& mark, Node::Kind kind) {
        expect_room(mark, 1, stack_.size() + 1);
        Node node;
        node.kind = kind;
        node.at = {file_, mark.line + 1, mark.column + 1, folder_};
        return node;
    }

    void begin(
        const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor, Node::Kind kind
    ) {
        expect_no_tag(mark, tag);
        stack_.push_back({made(mark, kind), anchor, std::nullopt});
    }

    void end() {
        Frame frame = std::move(stack_.back());
        stack_.pop_back();
        add(std::move(frame.node), frame.anchor);
    }

    void add(Node node, YAML::anchor_t anchor) {
        if (anchor != 0) {
            anchors_[anchor] = node;
        }
        if (stack_.empty()) {
            root_ = std::move(node);
            return;
        }
        Frame& frame = stack_.back();
        if (frame.node.is_list()) {
            frame.node.items.push_back(std::move(node));
        } else if (!frame.key) {
            expect_key(frame.node, node);
            frame.key = std::move(node);
        } else {
            if (node.is_null()) {
                node.at = frame.key->at;  // the parser reports where it noticed, lines below
            }
            frame.node.entries.push_back({frame.key->scalar, frame.key->at, std::move(node)});
            frame.key.reset();
        }
    }

    void expect_key(const Node& map, const Node& key) const {
        if (!key.is_scalar()) {
            refuse_at(key.at, "a key is not a text", "Look for a missing '- ' or quote.");
        }
        if (const Node::Entry* first = map.find_entry(key.scalar)) {
            refuse_at(
                key.at,
                fmt::format(
                    "key '{}' is given twice (the first is in line {})", key.scalar, first->at.line
                ),
                "Remove one."
            );
        }
    }

    std::string file_;
    std::string folder_;
    std::optional<Node> root_;
    std::vector<Frame> stack_;
    std::map<YAML::anchor_t, Tree> anchors_;
    std::size_t nodes_ = 0;
};

[[noreturn]] void refuse_empty(const std::string& name) {
    throw_problem({name, 0, 0}, "the file is empty", "Write one with `schedfarm init`.");
}

}  // namespace

Node read_yaml(const std::string& name, const std::string& content, const std::string& folder) {
    if (content.find_first_not_of(" \r\n\t") == std::string::npos) {
        refuse_empty(name);
    }
    expect_text(name, content, TextKind::campaign);
    TreeBuilder builder(name, folder);
    try {
        std::istringstream stream(content);
        YAML::Parser parser(stream);
        while (parser.HandleNextDocument(builder)) {
        }
    } catch (const YAML::Exception& error) {
        SourcePosition at{name, 0, 0};
        if (!error.mark.is_null()) {
            at = {name, error.mark.line + 1, error.mark.column + 1};
        }
        throw_problem(at, "this is not YAML: " + error.msg);
    }
    auto root = builder.take_root();
    if (!root || root->is_null()) {
        refuse_empty(name);
    }
    return std::move(*root);
}

}  // namespace schedfarm::app
