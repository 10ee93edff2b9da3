// Named alternatives: `name`, `{name: {parameter: value}}`, `{name: [values]}`, `{name: value}`.
#include <filesystem>
#include <utility>

#include <fmt/format.h>

#include "policies/external/code.hpp"
#include "policies/external/plugin.hpp"

#include "app/campaign/keys/schema.hpp"
#include "app/campaign/keys/value_reader.hpp"
#include "app/campaign/yaml/merge.hpp"
#include "app/campaign/yaml/numbers.hpp"
#include "app/campaign/yaml/suggestion.hpp"

namespace schedfarm::app {

namespace {

using engine::Alternative;
using engine::ParameterDescription;
using engine::ParameterType;

/// The name and the parameters as written; `body` is null when there are none.
struct NamedBody {
    std::string name;
    SourcePosition at;
    const Node* body = nullptr;
};

std::optional<NamedBody> name_of(
    const Node& node, const std::string& noun, const std::string& key_path, Problems& problems
) {
    if (node.is_scalar()) {
        return NamedBody{node.scalar, node.at, nullptr};
    }
    if (node.is_map() && node.entries.size() == 1) {
        const Node::Entry& entry = node.entries.front();
        return NamedBody{entry.key, entry.at, entry.value->is_null() ? nullptr : &*entry.value};
    }
    problems.add(
        node.at,
        key_path,
        fmt::format(
            "'{}' must be one {} with its parameters, not {}",
            key_path,
            noun,
            node.is_map() ? fmt::format("{} keys", node.entries.size()) : what_is(node)
        ),
        "Write 'name' or '{name: {parameter: value}}'."
    );
    return std::nullopt;
}

bool is_list_type(const ParameterDescription& row) {
    return row.type == ParameterType::integer_list || row.type == ParameterType::real_list;
}

/// Turns the short forms into a mapping of parameter names to values. Absent: not possible.
std::optional<Node> as_mapping(
    const Node& body,
    const Alternative& alternative,
    const std::string& key_path,
    Problems& problems
) {
    if (body.is_map()) {
        return body;
    }
    const std::vector<ParameterDescription>& table = alternative.parameters;
    const bool is_one_list =
        body.is_list() && is_list_type(table.front())
        && (table.size() == 1 || body.items.empty() || !body.items.front()->is_list());
    Node map = Node::map(body.at);
    if (body.is_scalar() || is_one_list) {
        map.entries.push_back({table.front().name, body.at, body});
        return map;
    }
    if (body.items.size() > table.size()) {
        problems.add(
            body.items[table.size()]->at,
            key_path,
            fmt::format(
                "'{}' has {} values but '{}' has only {} parameters",
                key_path,
                body.items.size(),
                alternative.name,
                table.size()
            ),
            "Parameters in order: " + joined(key_names(table))
        );
        return std::nullopt;
    }
    for (std::size_t i = 0; i < body.items.size(); ++i) {
        map.entries.push_back({table[i].name, body.items[i]->at, body.items[i]});
    }
    return map;
}

/// "{uniform: {low: …, high: …}}", with what has no default.
std::string form_of(const Alternative& alternative) {
    std::string needed;
    for (const ParameterDescription& row : alternative.parameters) {
        if (!row.default_value) {
            needed += (needed.empty() ? "" : ", ") + row.name + ": …";
        }
    }
    const bool is_short =
        alternative.parameters.size() == 1 && !is_list_type(alternative.parameters.front());
    return is_short ? fmt::format("{{{}: …}}", alternative.name)
                    : fmt::format("{{{}: {{{}}}}}", alternative.name, needed);
}

/// For what is no name: a number, or "fpfs(max_jumps=7)", as tables label levels.
std::optional<std::string> form_suggestion(
    const std::string& written, const std::vector<std::string>& names
) {
    if (parse_real(written)) {
        return fmt::format("Write {{name: {}}}, the name one of {}.", written, joined(names));
    }
    if (written.ends_with(".py") && contains(names, "external")) {
        return fmt::format("Write {{external: {{command: [python3, {}]}}}}.", written);
    }
    if (written.ends_with(".so") && contains(names, "plugin")) {
        return fmt::format("Write {{plugin: {{library: {}}}}}.", written);
    }
    const std::size_t opened = written.find('(');
    const bool is_label = opened != std::string::npos && written.ends_with(')');
    const std::string name = written.substr(0, opened);
    if (!is_label || !contains(names, name)) {
        return std::nullopt;
    }
    std::string parameters;
    for (const char c : written.substr(opened + 1, written.size() - opened - 2)) {
        parameters += c == '=' ? ": " : std::string(1, c);
    }
    return fmt::format("Write {{{}: {{{}}}}}.", name, parameters);
}

const Alternative* find_alternative(
    const NamedBody& named,
    const std::vector<Alternative>& alternatives,
    const std::string& noun,
    const std::string& key_path,
    Problems& problems
) {
    std::vector<std::string> names;
    for (const Alternative& alternative : alternatives) {
        if (alternative.name == named.name) {
            return &alternative;
        }
        names.push_back(alternative.name);
    }
    problems.add(
        named.at,
        key_path,
        fmt::format("unknown {} '{}'", noun, named.name),
        form_suggestion(named.name, names).value_or(name_suggestion(named.name, names))
    );
    return nullptr;
}

/// A policy that is a library has the library's own parameters, too. Absent: it has no row.
std::optional<Alternative> with_plugin_rows(
    const Alternative& plugin, const Node* body, const std::string& path, Problems& problems
) {
    const Node* library = body == nullptr || !body->is_map() ? body : body->find("library");
    Alternative complete = plugin;
    if (library == nullptr || !library->is_scalar()) {
        return complete;
    }
    try {
        const SourcePosition& at = library->at;
        const auto file = std::filesystem::path(at.folder)
                          / referred_name(at.line == 0 ? "" : at.file, library->scalar);
        for (ParameterDescription& row : policies::plugin_row(file).parameters) {
            complete.parameters.insert(complete.parameters.end() - 1, std::move(row));
        }
        return complete;
    } catch (const policies::ExternalPolicyError& error) {
        problems.add(library->at, path + '.' + "library", error.what());
        return std::nullopt;
    }
}

}  // namespace

std::optional<engine::Choice> read_choice(
    const Node& node,
    const std::vector<Alternative>& alternatives,
    const std::string& noun,
    const std::string& key_path,
    Problems& problems
) {
    const auto named = name_of(node, noun, key_path, problems);
    const Alternative* alternative =
        named ? find_alternative(*named, alternatives, noun, key_path, problems) : nullptr;
    if (alternative == nullptr) {
        return std::nullopt;
    }
    const std::string path = key_path + "." + alternative->name;
    std::optional<Alternative> complete;
    if (policies::is_plugin(*alternative)) {
        complete = with_plugin_rows(*alternative, named->body, path, problems);
        alternative = complete ? &*complete : nullptr;
    }
    if (alternative == nullptr) {
        return std::nullopt;
    }
    std::optional<Node> given;
    if (named->body != nullptr) {
        if (alternative->parameters.empty() && !named->body->is_map()) {
            problems.add(
                named->body->at,
                path,
                fmt::format("'{}' takes no parameters", path),
                "Write '" + alternative->name + "' alone."
            );
            return std::nullopt;
        }
        given = as_mapping(*named->body, *alternative, path, problems);
        if (!given) {
            return std::nullopt;
        }
    }
    const Node* mapping = given ? &*given : nullptr;
    const SourcePosition& at = named->body != nullptr ? named->body->at : named->at;
    const KeyRules rules{.form = mapping == nullptr ? form_of(*alternative) : ""};
    auto parameters = read_parameters(mapping, alternative->parameters, at, path, problems, rules);
    if (!parameters) {
        return std::nullopt;
    }
    if (alternative->check) {
        const auto found = alternative->check(*parameters);
        add_parameter_problems(found, mapping, at, path, problems);
        if (!found.empty()) {
            return std::nullopt;
        }
    }
    return engine::Choice{alternative->name, std::move(*parameters)};
}

}  // namespace schedfarm::app
