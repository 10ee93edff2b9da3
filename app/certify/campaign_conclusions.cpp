#include "app/certify/campaign_conclusions.hpp"

#include <utility>

#include "engine/foundation/expect.hpp"

#include "models/trace/built_in_logs.hpp"

#include "app/config/fixed_jobs.hpp"
#include "app/plan/identity/keys.hpp"
#include "app/plan/log_blocks.hpp"
#include "app/run/campaign_progress.hpp"
#include "app/run/replication.hpp"
#include "app/run/tables/result_tables.hpp"

namespace schedfarm::app {

namespace {

/// A log that the program generates is drawn anew; others stay as they are.
void draw_log_anew(Cell& cell, std::uint64_t seed) {
    if (!is_log(cell.workload)) {
        return;
    }
    const auto name = models::trace::another_log(cell.workload->parameters.text("file"), seed);
    if (name) {
        engine::Choice workload = cell.workload;
        workload.parameters.set("file", *name);
        cell.workload = std::move(workload);
        cell.log_blocks = log_blocks(cell.workload, cell.experiment.horizon);
        for (MetricTarget& target : cell.replications.targets) {
            target.target.log = cell.log_blocks;
        }
    }
}

/// Independent streams stay independent. Pilots come first, as the keys of others follow from them.
Plan reseeded(const Plan& plan, std::uint64_t seed) {
    Plan copy = plan;
    copy.seed = seed;
    for (auto cell = copy.cells.rbegin(); cell != copy.cells.rend(); ++cell) {
        draw_log_anew(*cell, seed);
        const bool is_common = cell->random.seed == plan.seed;
        const Cell* pilot = cell->placed_load ? &copy.cells[cell->placed_load->pilot] : nullptr;
        identify(
            *cell, pilot, seed, is_common ? StreamSharing::common : StreamSharing::independent
        );
    }
    return copy;
}

}  // namespace

CampaignConclusions conclude_under_seed(const Plan& plan, std::uint64_t seed) {
    const Plan copy = reseeded(plan, seed);
    CampaignProgress progress(copy);
    while (const auto task = progress.next()) {
        ReplicationOutcome outcome;
        outcome.observations = run_replication(
            copy.cells.at(task->id.cell), {task->id.replication, task->utilization}
        );
        progress.take(task->id, std::move(outcome));
    }
    SCHEDFARM_EXPECT(progress.finished(), "a campaign that wants nothing and is not finished");
    CampaignConclusions conclusions;
    conclusions.cells = summaries_of(progress);
    conclusions.results.tables = conclusion_tables(copy, progress, conclusions.cells);
    return conclusions;
}

}  // namespace schedfarm::app
