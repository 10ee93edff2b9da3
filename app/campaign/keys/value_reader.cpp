#include "app/campaign/keys/value_reader.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "policies/slurm/site/site.hpp"

#include "app/campaign/keys/columns_reader.hpp"
#include "app/campaign/keys/describe.hpp"
#include "app/campaign/keys/schema.hpp"
#include "app/campaign/yaml/numbers.hpp"
#include "app/campaign/yaml/suggestion.hpp"

namespace schedfarm::app {

namespace {

using engine::ParameterDescription;
using engine::ParameterType;
using engine::Value;

/// One value being read: everything a message about it needs.
struct Reading {
    const Node& node;
    const ParameterDescription& row;
    const std::string& key_path;
    Problems& problems;

    void refuse(const std::string& reason, const std::string& suggestion = {}) const {
        problems.add(node.at, key_path, reason, suggestion);
    }

    void refuse_type(const std::string& wanted, const std::string& suggestion = {}) const {
        const bool is_quoted_number = node.is_scalar() && node.style == Node::Style::quoted
                                      && parse_real(node.scalar).has_value();
        refuse(
            fmt::format("'{}' must be {}, not {}", key_path, wanted, what_is(node)),
            is_quoted_number ? "Remove the quotes." : suggestion
        );
    }
};

bool is_plain(const Node& node) {
    return node.is_scalar() && node.style == Node::Style::plain;
}

/// The range without an upper bound that is there for the program's sake, where the value is below.
engine::Range broken_part(engine::Range range, double value) {
    constexpr double technical = 1e6;
    if (value < range.high && range.high >= technical) {
        range.high = std::numeric_limits<double>::infinity();
    }
    return range;
}

/// Of what ends at 1, and may have been meant as a percentage. A width of 1 or 1.5 % is asked for
/// more often than one of the whole mean, but loads up to 2 rather lie beyond saturation.
std::string percentage_suggestion(const engine::ParameterDescription& row, double value) {
    const bool is_width = row.name == "relative" || row.name == "width";
    const bool is_beyond_one = row.name == "utilization" ? value > 2 : value >= (is_width ? 1 : 2);
    const bool is_percentage =
        row.range.high == 1 && is_beyond_one && value <= 100 && row.range.contains(value / 100);
    return is_percentage
               ? fmt::format("Write {} for {} %.", number_text(value / 100), number_text(value))
               : "";
}

void refuse_range(const Reading& reading, const std::string& text, double value) {
    reading.refuse(
        fmt::format(
            "'{}' is {} (it must be {})",
            reading.key_path,
            text,
            broken_part(reading.row.range, value).text()
        ),
        percentage_suggestion(reading.row, value)
    );
}

std::optional<Value> in_range(const Reading& reading, Value value) {
    if (reading.row.range.contains(value.as_real())) {
        return value;
    }
    refuse_range(reading, number_text(value.as_real()), value.as_real());
    return std::nullopt;
}

/// What is no number of 64 bits but lies beyond one: refused by the range where that has an end.
bool refuse_limit(const Reading& reading) {
    const Node& node = reading.node;
    const auto limit = is_plain(node) ? limit_of(node.scalar) : std::nullopt;
    if (limit == 0.0) {
        reading.refuse(
            fmt::format("'{}' is {} (no number is so near to 0)", reading.key_path, node.scalar),
            reading.row.range.contains(0) ? "Write 0." : ""
        );
        return true;
    }
    if (limit && !reading.row.range.contains(*limit)) {
        refuse_range(reading, node.scalar, *limit);
        return true;
    }
    return false;
}

std::optional<Value> read_boolean(const Reading& reading) {
    const Node& node = reading.node;
    if (is_plain(node) && (node.scalar == "true" || node.scalar == "false")) {
        return Value(node.scalar == "true");
    }
    reading.refuse_type("true or false");
    return std::nullopt;
}

std::optional<Value> read_integer(const Reading& reading) {
    const auto value =
        is_plain(reading.node) ? parse_integer(reading.node.scalar) : std::optional<std::int64_t>();
    if (value) {
        return in_range(reading, Value(*value));
    }
    const auto real =
        is_plain(reading.node) ? parse_real(reading.node.scalar) : std::optional<double>();
    const bool is_whole = real && std::floor(*real) == *real;  // too large for an integer
    if (is_whole && !reading.row.range.contains(*real)) {
        refuse_range(reading, reading.node.scalar, *real);
    } else if (!refuse_limit(reading)) {
        reading.refuse_type("an integer", is_whole ? "Write all its digits." : "");
    }
    return std::nullopt;
}

std::optional<Value> read_real(const Reading& reading) {
    const auto value =
        is_plain(reading.node) ? parse_real(reading.node.scalar) : std::optional<double>();
    if (value) {
        return in_range(reading, Value(*value));
    }
    if (!refuse_limit(reading)) {
        reading.refuse_type("a finite number");
    }
    return std::nullopt;
}

/// Parameters of a site whose values are what files hold, whole, so that nothing else depends on
/// the files. A text of several lines is such a value.
const std::vector<std::string> site_files{"conf", "associations", "qos"};
/// Those that may be lists.
const std::vector<std::string> site_words{"accept", "changes"};

std::optional<Value> read_site_file(const Reading& reading) {
    const std::string& name = reading.node.scalar;
    if (name.empty() || name.find('\n') != std::string::npos) {
        return Value(name);
    }
    const SourcePosition& at = reading.node.at;
    const std::filesystem::path campaign =
        at.line == 0 ? "" : std::filesystem::path(at.file).parent_path();
    try {
        const std::string path = (std::filesystem::path(at.folder) / campaign / name).string();
        return Value(
            reading.row.name == "conf" ? policies::slurm::site_conf(path)
                                       : policies::slurm::site_dump(path)
        );
    } catch (const std::runtime_error& error) {
        reading.refuse(fmt::format("'{}': {}", reading.key_path, error.what()));
        return std::nullopt;
    }
}

bool has_control(const std::string& text) {
    return std::any_of(text.begin(), text.end(), [](char c) {
        return static_cast<unsigned char>(c) < ' ';
    });
}

/// Words, as of a command: a text whose default is a list may be one.
std::optional<Value> read_words(const Reading& reading) {
    Value::List words;
    for (const Node& item : reading.node.items) {
        if (!item.is_scalar() || has_control(item.scalar)) {
            reading.refuse_type("a list of words");
            return std::nullopt;
        }
        words.emplace_back(item.scalar);
    }
    return Value(std::move(words));
}

std::optional<Value> read_text(const Reading& reading) {
    const Node& node = reading.node;
    if (node.is_list() && takes_words(reading.row)) {
        return read_words(reading);
    }
    if (reading.row.name == "columns") {
        auto text = read_columns(node, reading.key_path, reading.problems);
        return text ? std::optional(Value(std::move(*text))) : std::nullopt;
    }
    const std::vector<std::string>& words = reading.row.words;
    if (node.is_list() && contains(site_words, reading.row.name)) {
        std::string list;
        for (const Node& item : node.items) {
            list += (list.empty() ? "" : ";") + item.scalar;
        }
        return Value(list);
    }
    if (!node.is_scalar()) {
        reading.refuse_type(words.empty() ? "a text" : "one of " + joined(words));
        return std::nullopt;
    }
    if (contains(site_files, reading.row.name)) {
        return read_site_file(reading);
    }
    if (!words.empty() && !contains(words, node.scalar)) {
        reading.refuse(
            fmt::format("'{}' is not a value of '{}'", node.scalar, reading.key_path),
            name_suggestion(node.scalar, words)
        );
        return std::nullopt;
    }
    if (has_control(node.scalar)) {
        reading.refuse_type("a text of one line");
        return std::nullopt;
    }
    return Value(node.scalar);
}

/// A choice stands for a list of one.
std::optional<Value> read_list(const Reading& reading, ParameterType element_type) {
    const bool is_one = element_type == ParameterType::choice && !reading.node.is_list();
    if (!reading.node.is_list() && !is_one) {
        const bool is_one_number = is_plain(reading.node) && parse_real(reading.node.scalar);
        reading.refuse_type(
            element_type == ParameterType::integer ? "a list of integers" : "a list of numbers",
            is_one_number ? fmt::format("Write [{}].", reading.node.scalar) : ""
        );
        return std::nullopt;
    }
    ParameterDescription element = reading.row;
    element.type = element_type;
    const std::vector<Tree> items = is_one ? std::vector<Tree>{reading.node} : reading.node.items;
    if (items.empty() && element_type == ParameterType::choice) {
        reading.refuse_type("at least one " + reading.row.name);
        return std::nullopt;
    }
    Value::List list;
    for (const Node& item : items) {
        if (auto value = read_value(item, element, reading.key_path, reading.problems)) {
            list.push_back(std::move(*value));
        }
    }
    const bool is_complete = list.size() == items.size();
    return is_complete ? std::optional<Value>(Value(std::move(list))) : std::nullopt;
}

std::optional<Value> read_alternative(const Reading& reading) {
    auto choice = read_choice(
        reading.node,
        reading.row.alternatives(),
        reading.row.name,
        reading.key_path,
        reading.problems
    );
    return choice ? std::optional<Value>(Value(std::move(*choice))) : std::nullopt;
}

/// The path of a key in a mapping. A parameter that is called like its alternative, as in
/// `warm_up: {fraction: 0.2}`, is written without being named: its path has the name once.
std::string path_below(const std::string& key_path, const std::string& key) {
    const bool is_named = key_path == key || key_path.ends_with("." + key);
    if (is_named) {
        return key_path;
    }
    return key_path.empty() ? key : key_path + "." + key;
}

/// A word of the command line, which has no line, stands in no campaign file.
engine::NamingFolders folders_of(const SourcePosition& at) {
    const std::filesystem::path file = at.line == 0 ? "" : at.file;
    return {.current = at.folder, .campaign = file.parent_path().string()};
}

/// A mapping (or nothing) without unknown keys; unknown keys alone do not make it unreadable.
bool expect_mapping(
    const Node& node,
    const std::vector<ParameterDescription>& table,
    const std::string& key_path,
    const KeyRules& rules,
    Problems& problems
) {
    std::vector<std::string> known = key_names(table);
    known.insert(known.end(), rules.elsewhere.begin(), rules.elsewhere.end());
    if (!node.is_null()
        && !expect_kind(
            node, Node::Kind::map, key_path, "Known keys: " + joined(known), problems
        )) {
        return false;
    }
    expect_known_keys(node, known, key_path, problems);
    return true;
}

std::string missing_key_suggestion(const std::string& key, const KeyRules& rules) {
    if (!rules.form.empty()) {
        return fmt::format("Write {}.", rules.form);
    }
    const auto example = rules.examples.find(key);
    return fmt::format(
        "Add '{}: {}'.", key, example == rules.examples.end() ? "…" : example->second
    );
}

}  // namespace

std::string what_is(const Node& node) {
    switch (node.kind) {
        case Node::Kind::null:
            return "nothing";
        case Node::Kind::scalar: {
            constexpr std::size_t longest_shown = 40;
            const bool is_long = node.scalar.size() > longest_shown;
            return is_long ? "a long text" : "'" + node.scalar + "'";
        }
        case Node::Kind::list:
            return "a list";
        case Node::Kind::map:
            break;
    }
    return "a mapping";
}

bool expect_kind(
    const Node& node,
    Node::Kind kind,
    const std::string& key_path,
    const std::string& suggestion,
    Problems& problems
) {
    if (node.kind == kind) {
        return true;
    }
    const char* const other = kind == Node::Kind::list ? "a list" : "a text";
    problems.add(
        node.at,
        key_path,
        fmt::format(
            "'{}' must be {}, not {}",
            key_path,
            kind == Node::Kind::map ? "a mapping" : other,
            what_is(node)
        ),
        suggestion
    );
    return false;
}

std::optional<Value> read_value(
    const Node& node,
    const ParameterDescription& row,
    const std::string& key_path,
    Problems& problems
) {
    const Reading reading{node, row, key_path, problems};
    switch (row.type) {
        case ParameterType::boolean:
            return read_boolean(reading);
        case ParameterType::integer:
            return read_integer(reading);
        case ParameterType::real:
            return read_real(reading);
        case ParameterType::text:
            return read_text(reading);
        case ParameterType::integer_list:
            return read_list(reading, ParameterType::integer);
        case ParameterType::real_list:
            return read_list(reading, ParameterType::real);
        case ParameterType::choice_list:
            return read_list(reading, ParameterType::choice);
        case ParameterType::choice:
            break;
    }
    return read_alternative(reading);
}

std::string unknown_key_text(const std::string& key, const std::string& key_path) {
    return fmt::format(
        "unknown key '{}' in {} (it would be ignored)",
        key,
        key_path.empty() ? "the campaign" : "'" + key_path + "'"
    );
}

void expect_known_keys(
    const Node& map,
    const std::vector<std::string>& known,
    const std::string& key_path,
    Problems& problems
) {
    for (const Node::Entry& entry : map.entries) {
        if (contains(known, entry.key)) {
            continue;
        }
        if (const auto nearest = nearest_name(entry.key, known)) {
            problems.excuse(path_below(key_path, *nearest));
        }
        problems.add(
            entry.at,
            path_below(key_path, entry.key),
            unknown_key_text(entry.key, key_path),
            name_suggestion(entry.key, known)
        );
    }
}

std::optional<engine::Parameters> read_parameters(
    const Node* node,
    const std::vector<ParameterDescription>& table,
    const SourcePosition& at,
    const std::string& key_path,
    Problems& problems,
    const KeyRules& rules
) {
    if (node != nullptr && !expect_mapping(*node, table, key_path, rules, problems)) {
        return std::nullopt;
    }
    engine::Parameters parameters;
    bool is_complete = true;
    for (const ParameterDescription& row : table) {
        const Node* given = node == nullptr ? nullptr : node->find(row.name);
        const std::string path = path_below(key_path, row.name);
        std::optional<Value> value;
        if (given != nullptr) {
            value = read_value(*given, row, path, problems);
            if (row.names_file) {
                parameters.set_folders(folders_of(given->at));
            }
        } else if (row.default_value) {
            value =
                row.alternatives ? engine::with_defaults({row}).at(row.name) : row.default_value;
        } else if (contains(rules.optional, row.name)) {
            continue;
        } else if (!problems.is_excused(path)) {
            problems.add(
                at,
                path,
                fmt::format("'{}' is missing ({})", path, row.meaning),
                missing_key_suggestion(row.name, rules)
            );
        }
        is_complete = is_complete && value.has_value();
        if (value) {
            parameters.set(row.name, std::move(*value));
        }
    }
    return is_complete ? std::optional<engine::Parameters>(std::move(parameters)) : std::nullopt;
}

void add_parameter_problems(
    const std::vector<engine::ParameterProblem>& found,
    const Node* given,
    const SourcePosition& at,
    const std::string& key_path,
    Problems& problems
) {
    for (const engine::ParameterProblem& problem : found) {
        const Node* node = given == nullptr ? nullptr : find_path(*given, problem.parameter);
        problems.add_once(
            problem.parameter + problem.reason,
            {node == nullptr ? at : node->at,
             path_below(key_path, problem.parameter),
             fmt::format("'{}': {}", key_path, problem.reason),
             problem.suggestion}
        );
    }
}

}  // namespace schedfarm::app
