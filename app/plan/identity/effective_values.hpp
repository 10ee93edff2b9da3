// Values of a campaign in canonical form, for the effective configuration. What factors, overrides
// or derived values refer to is left as written, so that they find it unchanged.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/foundation/parameters.hpp"

#include "app/config/yaml/node.hpp"
#include "app/plan/grid/grid.hpp"

namespace schedfarm::app {

class EffectiveValues {
  public:
    EffectiveValues(const Node& campaign, const Grid& grid);

    /// Whether something refers to the path, to a part of it or to what it is part of.
    bool is_referred(const std::string& path) const;
    /// Whether something refers to exactly this path.
    bool is_whole_referred(const std::string& path) const;

    /// A value in canonical form, or its default; absent where there is neither.
    std::optional<Node> value(
        const Node* node, const engine::ParameterDescription& row, const std::string& path
    ) const;

    /// A map of the rows of a table.
    Node table(
        const Node* map,
        const std::vector<engine::ParameterDescription>& table,
        const std::string& path
    ) const;

  private:
    std::vector<std::string> referred_;
};

}  // namespace schedfarm::app
