// Typed values as trees of a campaign file, to be written back.
#pragma once

#include <string>
#include <vector>

#include "engine/foundation/parameters.hpp"

#include "app/config/yaml/node.hpp"

namespace schedfarm::app {

/// A text as a scalar that reads back as this text; quoted where needed.
Node node_of_text(std::string text);
Node node_of(const engine::Value& value);
/// `name` when there are no parameters, else `{name: {…}}`.
Node node_of(const engine::Choice& choice);
Node node_of(const engine::Parameters& parameters);

/// A text in quotes whatever it is.
Node quoted(std::string text);
void add_entry(Node& map, std::string key, Tree value);

/// A file of YAML: one line per key of the map, and one more for each of those in `opened`.
std::string file_text(const Node& map, const std::string& opened);

}  // namespace schedfarm::app
