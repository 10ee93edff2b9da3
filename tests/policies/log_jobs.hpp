// The jobs of a whole log of the Parallel Workloads Archive; skips the test where it is not found.
#pragma once

#include <memory>
#include <string>

#include "engine/simulation/system.hpp"
#include "engine/simulation/workload_model.hpp"

#include "models/catalogue.hpp"

#include "tests/models/trace/real_log.hpp"

namespace schedfarm::tests {

/// `overrun`: what becomes of jobs that outlive their estimates, as the model `trace` has it.
inline std::unique_ptr<engine::WorkloadModel> log_jobs(
    const std::string& file, const std::string& overrun, const engine::SystemDescription& system
) {
    const engine::WorkloadModelDescription& model = *models::find_model("trace");
    engine::Parameters parameters;
    parameters.set("file", models::trace::tests::real_log_file(file).string());
    parameters.set("overrun", overrun);
    parameters.set("resampling", "none");
    engine::WorkloadContext context;
    context.system = system;
    context.experiment = engine::ExperimentKind::trace;
    return model.make(engine::with_defaults(model.alternative.parameters, parameters), context);
}

}  // namespace schedfarm::tests
