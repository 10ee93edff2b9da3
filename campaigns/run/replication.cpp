#include "campaigns/run/replication.hpp"

#include <memory>
#include <vector>

#include "engine/foundation/expect.hpp"
#include "engine/simulation/fast_way.hpp"
#include "engine/simulation/schedule_verifier.hpp"
#include "engine/simulation/simulator.hpp"

#include "models/catalogue.hpp"
#include "policies/catalogue.hpp"

namespace schedfarm::campaigns {

namespace {

using engine::PolicyDescription;
using engine::WorkloadModel;
using engine::WorkloadModelDescription;

const PolicyDescription& policy_of(const Cell& cell) {
    const PolicyDescription* description = policies::find_policy(cell.policy.name);
    SCHEDFARM_EXPECT(description != nullptr, "no policy '" + cell.policy.name + "'");
    return *description;
}

const WorkloadModelDescription& model_of(const Cell& cell) {
    const WorkloadModelDescription* description = models::find_model(cell.workload.name);
    SCHEDFARM_EXPECT(description != nullptr, "no workload model '" + cell.workload.name + "'");
    return *description;
}

}  // namespace

}  // namespace schedfarm::campaigns
