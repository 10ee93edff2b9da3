#include "tests/policies/gang/verifiers/plain_gang_verifiers.hpp"

namespace schedfarm::tests {

using namespace policies;  // NOLINT(google-build-using-namespace)

std::unique_ptr<engine::ScheduleVerifier> make_plain_gang_verifier(
    const engine::PolicyDescription& policy,
    const engine::Parameters& given,
    const engine::SystemDescription& system
) {
    const std::string& name = policy.alternative.name;
    const engine::BuddyTrees trees(system.processors());
    if (name == "vanilla_gang") {
        return make_vanilla_verifier(bound_gang_settings(given), trees);
    }
    if (name == "push_down_gang") {
        return make_push_down_verifier(bound_gang_settings(given), root_slice(given), trees);
    }
    if (name == "migration_gang") {
        return make_migration_verifier(gang_settings(given), fill_order(given), trees);
    }
    if (name == "matrix_gang") {
        return make_matrix_verifier(matrix_settings(given), trees);
    }
    if (name == "tree_packing_gang") {
        return make_tree_packing_verifier(gang_settings(given), packing_tie(given), trees);
    }
    return nullptr;
}

}  // namespace schedfarm::tests
