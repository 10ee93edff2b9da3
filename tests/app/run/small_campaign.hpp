// Campaigns of a page or less, and what their replications come to when they are really simulated.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "results_schema/tables/table.hpp"

#include "app/campaign/plan/identity/cell_values.hpp"
#include "app/campaign/plan/plan.hpp"
#include "app/run/journal/task_message.hpp"
#include "app/run/run_campaign.hpp"

namespace schedfarm::tests {

inline app::Plan plan_of(const std::string& text) {
    app::CampaignSource source;
    source.main_file = "small.yaml";
    source.files["small.yaml"] = text;
    return app::make_plan(source);
}

inline engine::TaskResult result_of(
    const app::ReplicationTask& task,
    const app::Plan& plan,
    models::trace::WaitGroups groups = models::trace::WaitGroups::all_jobs
) {
    engine::TaskResult result;
    result.id = task.id.task_id();
    result.seconds = 0.001;
    result.rank = 1;
    result.began_s = 1e9 + task.id.replication;
    result.run_began_s = 1e9;
    const auto execute = app::replication_function(app::SimulatorChoice::automatic, groups);
    result.payload =
        execute.one()(app::task_message(task, app::encode_cell(plan.cells.at(task.id.cell))));
    return result;
}

/// One cell, of so many replications of 30 jobs.
inline std::string small_campaign(const std::string& name, int seed, int replications) {
    return "campaign_format: 1\nname: " + name + "\nseed: " + std::to_string(seed) + R"(
experiment: open
system: {clusters: [8]}
workload: {model: coallocation, components: 1, component_size: {uniform: [1, 4]}}
horizon: {jobs: 30, warm_up: {jobs: 10}}
policy: fcfs
load: {utilization: 0.5}
replications: )"
           + std::to_string(replications) + "\n";
}

/// That of three replications, "small".
inline const app::Plan& plan() {
    static const app::Plan made = plan_of(small_campaign("small", 5, 3));
    return made;
}

inline engine::TaskResult done(std::uint32_t replication, const app::Plan& of = plan()) {
    return result_of({{0, replication}, {}}, of);
}

inline engine::TaskResult failed(std::uint32_t replication) {
    engine::TaskResult result;
    result.id = app::ReplicationId{0, replication}.task_id();
    result.status = engine::TaskStatus::failed;
    result.message = "deliberate";
    return result;
}

/// A numeric column of a table.
template <typename T>
const std::vector<T>& column_in(const results_schema::Table& table, const char* name) {
    return std::get<std::vector<T>>(table.at(name).data);
}

}  // namespace schedfarm::tests
