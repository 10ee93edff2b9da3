#include "app/campaign/keys/section_reader.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "app/campaign/keys/value_reader.hpp"
#include "app/campaign/yaml/suggestion.hpp"

namespace schedfarm::app {

std::string missing_key_text(const Section& section, const std::string& key) {
    const std::string path = section.name == "campaign" ? key : section.name + "." + key;
    return fmt::format("'{}' is missing ({})", path, section.row(key).meaning);
}

const Node* required_key(
    const Node& tree, const char* key, const std::string& suggestion, Problems& problems
) {
    const Node* node = tree.find(key);
    if (node == nullptr && !problems.is_excused(key)) {
        problems.add(tree.at, key, missing_key_text(campaign_section(), key), suggestion);
    }
    return node;
}

namespace {

/// What stands behind a key that is no single value; absent where something in it is wrong.
std::optional<engine::Value> read_part(
    const Node& node,
    const Section::Part& part,
    const std::string& path,
    Problems& problems,
    const Examples& examples
) {
    using Kind = Section::Part::Kind;
    switch (part.kind) {
        case Kind::names: {
            engine::Value::List list;
            for (std::string& name : read_names(node, path, problems)) {
                list.emplace_back(std::move(name));
            }
            return list;
        }
        case Kind::prose:
            if (node.is_null()) {
                return "";
            }
            expect_kind(node, Node::Kind::scalar, path, "Put it in quotes.", problems);
            return node.scalar;
        case Kind::section: {
            auto values = read_section(&node, part.below(), node.at, problems, examples);
            return values ? std::optional<engine::Value>(engine::Choice{"", std::move(*values)})
                          : std::nullopt;
        }
        case Kind::list: {
            engine::Value::List list;
            for (const Node& item : node.items) {
                if (auto values = read_section(&item, part.below(), item.at, problems, examples)) {
                    list.emplace_back(engine::Choice{"", std::move(*values)});
                }
            }
            return list.size() == node.items.size() ? std::optional<engine::Value>(list)
                                                    : std::nullopt;
        }
        case Kind::other:
            break;
    }
    return std::nullopt;
}

}  // namespace

std::optional<engine::Parameters> read_section(
    const Node* node,
    const Section& section,
    const SourcePosition& at,
    Problems& problems,
    const Examples& examples
) {
    using Part = Section::Part;
    std::vector<engine::ParameterDescription> rows;
    std::copy_if(
        section.keys.begin(),
        section.keys.end(),
        std::back_inserter(rows),
        [&](const engine::ParameterDescription& row) {
            return section.find_part(row.name) == nullptr;
        }
    );
    const KeyRules rules{
        .elsewhere = names_of(section.parts, &Part::key),
        .optional = section.optional_keys,
        .examples = examples};
    auto values = read_parameters(node, rows, at, section.name, problems, rules);
    for (const Part& part : section.parts) {
        const Node* given = node == nullptr ? nullptr : node->find(part.key);
        if (given == nullptr || part.kind == Part::Kind::other) {
            continue;
        }
        auto value = read_part(*given, part, section.name + "." + part.key, problems, examples);
        if (value && values) {
            values->set(part.key, std::move(*value));
        } else {
            values.reset();
        }
    }
    return values;
}

std::optional<engine::Parameters> read_section_in(
    const Node& tree, const Section& section, Problems& problems
) {
    const Node* node = find_path(tree, section.name);
    return read_section(node, section, node == nullptr ? tree.at : node->at, problems);
}

std::optional<double> real_in(const engine::Parameters& values, const char* key) {
    return values.contains(key) ? std::optional(values.real(key)) : std::nullopt;
}

std::optional<std::uint64_t> count_in(const engine::Parameters& values, const char* key) {
    return values.contains(key) ? std::optional(static_cast<std::uint64_t>(values.integer(key)))
                                : std::nullopt;
}

std::string text_in(const engine::Parameters& values, const char* key) {
    return values.contains(key) ? values.text(key) : "";
}

bool says(const engine::Parameters& values, const char* key, const char* word) {
    return text_in(values, key) == word;
}

Names names_in(const engine::Parameters& values, const char* key) {
    Names names;
    if (values.contains(key)) {
        for (const engine::Value& name : values.at(key).as_list()) {
            names.push_back(name.as_text());
        }
    }
    return names;
}

const engine::Parameters* section_in(const engine::Parameters& values, const char* key) {
    return values.contains(key) ? &values.choice(key).parameters : nullptr;
}

std::vector<const engine::Parameters*> sections_in(
    const engine::Parameters& values, const char* key
) {
    std::vector<const engine::Parameters*> sections;
    if (values.contains(key)) {
        for (const engine::Value& section : values.at(key).as_list()) {
            sections.push_back(&section.as_choice().parameters);
        }
    }
    return sections;
}

bool expect_in_order(
    const Node& node,
    const std::string& section,
    const KeyWithCount& low,
    const KeyWithCount& high,
    const char* consequence,
    Problems& problems
) {
    if (low.count <= high.count) {
        return true;
    }
    const bool has_low = node.find(low.key) != nullptr;
    const bool has_high = node.find(high.key) != nullptr;
    const std::string way_out =
        has_low && has_high ? "Exchange them."
        : has_high          ? fmt::format("Give {} or more, or '{}' too.", low.count, low.key)
                            : fmt::format("Give {} or less, or '{}' too.", high.count, high.key);
    const char* given = has_high ? high.key : low.key;
    problems.add(
        node.find(given)->at,
        section + "." + given,
        fmt::format(
            "'{0}.{1}' is {2} but '{0}.{3}' is {4}{5}",
            section,
            low.key,
            low.count,
            high.key,
            high.count,
            consequence
        ),
        way_out
    );
    return false;
}

std::optional<Interval> interval_in(
    const engine::Parameters& values,
    const char* key,
    Ends ends,
    const Section& section,
    const Node& node,
    const char* example,
    Problems& problems
) {
    const std::vector<double> numbers = values.reals(key);
    if (numbers.size() == 2
        && (numbers[0] < numbers[1] || (ends == Ends::may_meet && numbers[0] == numbers[1]))) {
        return Interval{numbers[0], numbers[1]};
    }
    const std::string path = section.name + "." + key;
    problems.add(
        nearest_position(node, key),
        path,
        fmt::format("'{}' must be two numbers, the lower one first", path),
        fmt::format("Write {}.", example)
    );
    return std::nullopt;
}

Names read_names(const Node& node, const std::string& key_path, Problems& problems) {
    Names names;
    for (const Node& item : node.items) {
        if (item.is_scalar()) {
            names.push_back(item.scalar);
        }
    }
    if (!node.is_list() || names.size() != node.items.size()) {
        problems.add(
            node.at,
            key_path,
            fmt::format("'{}' must be a list of names", key_path),
            "Write [name, name]."
        );
    }
    return names;
}

std::string read_prose(
    const Node& map, const std::string& key, const std::string& key_path, Problems& problems
) {
    const Node* node = map.find(key);
    if (node == nullptr || node->is_null()) {
        return "";
    }
    expect_kind(*node, Node::Kind::scalar, key_path, "Put it in quotes.", problems);
    return node->scalar;
}

void refuse_key(
    const Node& map,
    const std::string& key,
    const std::string& key_path,
    const std::string& reason,
    const std::string& suggestion,
    Problems& problems
) {
    if (const Node::Entry* entry = map.find_entry(key)) {
        problems.add(entry->at, key_path, reason, suggestion);
    }
}

}  // namespace schedfarm::app
