// Plans built in code and outcomes made up by a function, run through CampaignProgress by any
// number of workers whose answers come in any order.
#pragma once

#include <functional>
#include <random>
#include <utility>
#include <vector>

#include "app/campaign/plan/plan.hpp"
#include "app/run/campaign_progress.hpp"

#include "tests/app/measuring.hpp"

namespace schedfarm::tests {

/// Observations of a replication, by task.
using MadeUpOutcome = std::function<engine::Observations(const app::ReplicationTask&)>;

/// Standard normal noise, a function of cell and replication alone.
inline double noise(std::uint32_t cell, std::uint32_t replication) {
    std::mt19937_64 generator(std::uint64_t{cell} * 1000003 + replication + 1);
    std::normal_distribution<double> normal;
    return normal(generator);
}

inline app::Cell open_cell(std::uint32_t index, std::uint64_t min, std::uint64_t max) {
    app::Cell cell;
    cell.index = index;
    cell.workload = std::make_shared<const engine::Choice>(engine::Choice{"coallocation", {}});
    cell.experiment.kind = engine::ExperimentKind::open;
    cell.experiment.horizon.jobs = 10;
    cell.utilization = 0.5;
    cell.measures =
        tests::measuring({{"backlog_growth", "1", ""}, {"response_time.mean", "time", ""}});
    cell.replications.limits = {min, max};
    return cell;
}

inline app::MetricTarget response_target(double relative) {
    engine::PrecisionTarget target;
    target.relative = relative;
    target.method = engine::IntervalMethod::student_t;
    return {"response_time.mean", target};
}

/// Runs to the end with `workers` under way; which of them answers next is drawn from `seed`.
/// Returns the tasks in the order of dispatch.
inline std::vector<app::ReplicationTask> run_made_up(
    app::CampaignProgress& progress,
    const MadeUpOutcome& outcome,
    std::size_t workers,
    unsigned seed
) {
    std::mt19937 order(seed);
    std::vector<app::ReplicationTask> all;
    std::vector<app::ReplicationTask> under_way;
    for (;;) {
        while (under_way.size() < workers) {
            const auto task = progress.next();
            if (!task) {
                break;
            }
            under_way.push_back(*task);
            all.push_back(*task);
        }
        if (under_way.empty()) {
            return all;
        }
        std::swap(under_way[order() % under_way.size()], under_way.back());
        engine::TaskResult result;
        result.id = under_way.back().id.task_id();
        result.payload = app::encode(outcome(under_way.back()));
        progress.take(result);
        under_way.pop_back();
    }
}

}  // namespace schedfarm::tests
