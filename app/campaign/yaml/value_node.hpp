// Typed values as trees of a campaign file, and trees as JSON, which is YAML, too.
#pragma once

#include <optional>
#include <string>

#include "engine/foundation/parameters.hpp"

#include "app/campaign/yaml/node.hpp"

namespace schedfarm::app {

Node node_of(const engine::Value& value);
/// `name` when there are no parameters, else `{name: {…}}`; without a name the parameters.
Node node_of(const engine::Choice& choice);
Node node_of(const engine::Parameters& parameters);

/// A text in quotes whatever it is.
Node quoted(std::string text);
void add_entry(Node& map, std::string key, Tree value);

/// The shortest text of a number that a scalar is; equal numbers have equal text. Absent: it is
/// none.
std::optional<std::string> canonical_number(const std::string& scalar);

/// On one line. Equal values have equal text, and it reads back as the same values.
std::string json_text(const Node& node);

/// The same with one line for every key of a map, and of the map `opened` in it.
std::string json_lines(const Node& map, const std::string& opened = {});

}  // namespace schedfarm::app
