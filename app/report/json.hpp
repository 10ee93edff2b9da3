// What is common to all JSON that the program writes.
#pragma once

#include <string>

#include <nlohmann/json.hpp>

namespace schedfarm::app {

using Json = nlohmann::ordered_json;

/// With every digit and whole numbers without a point; null for what is no number of JSON.
Json json_number(double value);

/// Indented, with a line break at the end. Bytes that are no UTF-8 become U+FFFD.
std::string json_text(const Json& json);

}  // namespace schedfarm::app
