// A cell whose replications are short, for tests of how they are run.
#pragma once

#include <memory>

#include "models/catalogue.hpp"
#include "policies/catalogue.hpp"

#include "app/campaign/plan/plan.hpp"

namespace schedfarm::app {

/// 200 jobs of total requests, sizes 2 … 8 on 16 processors, at utilization 0.8.
inline Cell cell_of(const char* policy) {
    engine::Choice sizes{.name = "uniform"};
    sizes.parameters.set("low", 1);
    sizes.parameters.set("high", 4);
    engine::Parameters workload;
    workload.set("components", 2);
    workload.set("component_size", sizes);
    Cell cell;
    cell.system.clusters = {16};
    cell.experiment.kind = engine::ExperimentKind::open;
    cell.experiment.horizon.jobs = 200;
    cell.experiment.horizon.warm_up_jobs = 40;
    cell.probes.requests.emplace_back();
    cell.workload = std::make_shared<const engine::Choice>(engine::Choice{
        "coallocation",
        with_defaults(models::find_model("coallocation")->alternative.parameters, workload)});
    cell.policy = std::make_shared<const engine::Choice>(engine::Choice{
        policy, with_defaults(policies::find_policy(policy)->alternative.parameters)});
    cell.random.seed = 2001;
    cell.utilization = 0.8;
    return cell;
}

}  // namespace schedfarm::app
