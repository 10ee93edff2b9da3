// Campaigns of a page or less, and what their replications come to when they are really simulated.
#pragma once

#include <string>

#include "campaigns/plan/plan.hpp"
#include "campaigns/run/outcome_codec.hpp"
#include "campaigns/run/run_campaign.hpp"

namespace schedfarm::tests {

inline campaigns::Plan plan_of(const std::string& text) {
    campaigns::CampaignSource source;
    source.main_file = "small.yaml";
    source.files["small.yaml"] = text;
    return campaigns::make_plan(source);
}

inline engine::TaskResult result_of(
    const campaigns::ReplicationTask& task, const campaigns::Plan& plan
) {
    engine::TaskResult result;
    result.id = task.id.task_id();
    result.seconds = 0.001;
    result.rank = 1;
    result.began_s = 1e9 + task.id.replication;
    result.run_began_s = 1e9;
    const auto execute = campaigns::replication_function(plan, campaigns::Kernel::automatic);
    result.payload = execute(campaigns::encode(task));
    return result;
}

}  // namespace schedfarm::tests
