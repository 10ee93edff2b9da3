// What changes a cell's tree after its factors: overrides for some cells, then derived values.
#pragma once

#include <string>
#include <vector>

#include "engine/foundation/expression.hpp"

#include "app/campaign/grid/factors.hpp"
#include "app/campaign/yaml/node.hpp"
#include "app/campaign/yaml/problems.hpp"

namespace schedfarm::app {

/// `when`: values that a cell must have; `set`: what it then gets.
struct Override {
    SourcePosition at;
    std::vector<Assignment> when;  ///< path: a factor's name or a path
    std::vector<Assignment> set;
};

struct Derived {
    std::string path;
    SourcePosition at;    ///< of the path
    SourcePosition text;  ///< of the first character of the expression
    engine::Expression expression;
};

/// Neither may set what a factor varies.
std::vector<Override> read_overrides(
    const Node& list, const std::vector<Factor>& factors, Problems& problems
);
std::vector<Derived> read_derived(
    const Node& section, const std::vector<Factor>& factors, Problems& problems
);

/// A level that a cell has of a factor.
struct ChosenLevel {
    const Factor* factor = nullptr;
    const Level* level = nullptr;
};

/// Whether the cell has every value that the override asks for. A bare name also stands for an
/// alternative of that name with any parameters.
bool applies(const Override& candidate, const std::vector<ChosenLevel>& levels, const Node& tree);

}  // namespace schedfarm::app
