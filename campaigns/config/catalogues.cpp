#include "campaigns/config/catalogues.hpp"

#include <utility>

#include "models/catalogue.hpp"
#include "policies/catalogue.hpp"

namespace schedfarm::campaigns {

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
    std::vector<engine::PolicyDescription> the_policies,
    std::vector<engine::WorkloadModelDescription> the_models
)
    : policies(std::move(the_policies)), models(std::move(the_models)) {
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

const Catalogues& registered_catalogues() {
    static const Catalogues catalogues(policies::catalogue(), models::catalogue());
    return catalogues;
}

}  // namespace schedfarm::campaigns
