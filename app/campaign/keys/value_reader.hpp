// The second step, for single values: holds a value of the tree against its row of a table. Every
// function adds what is wrong to the problems and returns nothing then.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/foundation/parameters.hpp"

#include "app/campaign/yaml/node.hpp"
#include "app/campaign/yaml/problems.hpp"

namespace schedfarm::app {

/// What a value is, for messages: "'abc'", "a list", "a mapping", "nothing".
std::string what_is(const Node& node);

/// False, with a problem, for a value that is not of this kind: "'load' must be a mapping, not 5".
bool expect_kind(
    const Node& node,
    Node::Kind kind,
    const std::string& key_path,
    const std::string& suggestion,
    Problems& problems
);

std::optional<engine::Value> read_value(
    const Node& node,
    const engine::ParameterDescription& row,
    const std::string& key_path,
    Problems& problems
);

/// A named alternative in any of the forms that engine::Alternative documents. `noun` is what the
/// alternatives are: "policy". Defaults are filled in.
std::optional<engine::Choice> read_choice(
    const Node& node,
    const std::vector<engine::Alternative>& alternatives,
    const std::string& noun,
    const std::string& key_path,
    Problems& problems
);

/// A probe, likewise. One that is no metric of the program and has an expression is a metric of the
/// campaign's own: `{mine: "wait / 60"}`, `{mine: {expression: "wait / 60", quantiles: [0.9]}}`.
std::optional<engine::Choice> read_probe(const Node& node, Problems& problems);

/// Keys of a mapping that do not follow the rule.
struct KeyRules {
    std::vector<std::string> elsewhere = {};  ///< known, but read by someone else
    std::vector<std::string> optional = {};   ///< may be left out without having a default
    /// How to write it with the keys that it needs; empty: the mapping is there, add them.
    std::string form = {};
    std::map<std::string, std::string> examples = {};  ///< of keys, for who lacks one
};

/// A mapping of parameter names to values. Parameters without a value take their default; it is a
/// problem if they have none. Null node: nothing was given.
std::optional<engine::Parameters> read_parameters(
    const Node* node,
    const std::vector<engine::ParameterDescription>& table,
    const SourcePosition& at,
    const std::string& key_path,
    Problems& problems,
    const KeyRules& rules = {}
);

/// "unknown key 'x' in 'horizon' (it would be ignored)"; an empty path is the campaign.
std::string unknown_key_text(const std::string& key, const std::string& key_path);

/// Problems for keys of a mapping that are not known.
void expect_known_keys(
    const Node& map,
    const std::vector<std::string>& known,
    const std::string& key_path,
    Problems& problems
);

/// Adds what a table's own check found; `given` is where the parameters were written.
void add_parameter_problems(
    const std::vector<engine::ParameterProblem>& found,
    const Node* given,
    const SourcePosition& at,
    const std::string& key_path,
    Problems& problems
);

}  // namespace schedfarm::app
