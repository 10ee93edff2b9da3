#include "app/campaign/grid/any_policy.hpp"

#include <algorithm>
#include <string_view>

namespace schedfarm::app {

std::optional<std::string> parameter_of_any_policy(const std::string& path) {
    constexpr std::string_view mark = "policy.*.";
    return path.rfind(mark, 0) == 0 ? std::optional(path.substr(mark.size())) : std::nullopt;
}

bool has_parameter(const engine::PolicyDescription& policy, const std::string& parameter) {
    const auto& table = policy.alternative.parameters;
    return std::any_of(table.begin(), table.end(), [&](const engine::ParameterDescription& row) {
        return row.name == parameter;
    });
}

std::optional<std::string> path_for_policy(
    const std::string& parameter, const Node& tree, const Catalogues& catalogues
) {
    const Node* policy = tree.find("policy");
    if (policy == nullptr || (policy->is_map() && policy->entries.size() != 1)) {
        return std::nullopt;
    }
    const std::string name = policy->is_map() ? policy->entries.front().key : policy->scalar;
    const engine::PolicyDescription* known = catalogues.find_policy(name);
    return known != nullptr && has_parameter(*known, parameter)
               ? std::optional("policy." + name + "." + parameter)
               : std::nullopt;
}

}  // namespace schedfarm::app
