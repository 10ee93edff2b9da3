#include "app/campaign/keys/catalogues.hpp"

#include <algorithm>

#include "models/catalogue.hpp"
#include "policies/catalogue.hpp"

#include "app/campaign/yaml/suggestion.hpp"

namespace schedfarm::app {

namespace {

template <typename Description>
const Description* find_named(const std::vector<Description>& all, std::string_view name) {
    for (const Description& description : all) {
        if (description.alternative.name == name) {
            return &description;
        }
    }
    return nullptr;
}

}  // namespace

Catalogues::Catalogues(
    const std::vector<engine::PolicyDescription>& the_policies,
    const std::vector<engine::WorkloadModelDescription>& the_models
)
    : policies(the_policies), models(the_models) {
    for (const engine::PolicyDescription& policy : policies) {
        policy_alternatives.push_back(policy.alternative);
    }
}

const engine::PolicyDescription* Catalogues::find_policy(std::string_view name) const {
    return find_named(policies, name);
}

const engine::WorkloadModelDescription* Catalogues::find_model(std::string_view name) const {
    return find_named(models, name);
}

std::vector<std::string> Catalogues::policies_keeping_fixed_starts() const {
    std::vector<std::string> names;
    for (const engine::PolicyDescription& policy : policies) {
        const std::vector<engine::ParameterDescription>& table = policy.alternative.parameters;
        const bool has_defaults = std::all_of(table.begin(), table.end(), [](const auto& row) {
            return row.default_value.has_value();
        });
        if (has_defaults && policy.traits(engine::with_defaults(table)).keeps_fixed_starts) {
            names.push_back(policy.alternative.name);
        }
    }
    return names;
}

const Catalogues& registered_catalogues() {
    static const Catalogues catalogues(policies::catalogue(), models::catalogue());
    return catalogues;
}

std::string fixed_starts_suggestion() {
    return "Take one of " + joined(registered_catalogues().policies_keeping_fixed_starts()) + "?";
}

}  // namespace schedfarm::app
