// The first step: the text of one YAML file becomes a tree with positions. Aliases are copied in.
// Whatever the bytes are, the answer is a tree or a ConfigErrors with one problem: text that is not
// UTF-8, syntax errors, duplicate keys, nesting beyond 64, more than 200,000 values.
#pragma once

#include <string>

#include "app/campaign/yaml/node.hpp"

namespace schedfarm::app {

/// Parses one file; `name` is what positions call it, `folder` that in which it begins. Pure.
Node read_yaml(const std::string& name, const std::string& content, const std::string& folder = {});

}  // namespace schedfarm::app
