// Versions of workloads: moldable_version, reserved_version, memory_version, classified_version and
// scaled_version take the jobs of any model, which one of their parameters names, and change a part
// of each. Pure.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "engine/foundation/parameters.hpp"
#include "engine/simulation/workload_model.hpp"

namespace schedfarm::models {

/// What distinguishes such a model.
struct WorkloadVersion {
    using Parameters = engine::Parameters;

    engine::Alternative alternative;
    std::string inner;  ///< the parameter that names the other model, one of inner_workloads()
    /// `original`: the other model's jobs, as of an open experiment, else a trace, else offline,
    /// where it does not serve the context's: those of a log that is asked for off-line come at
    /// their own times, and the simulator has them arrive at time 0.
    std::function<std::unique_ptr<engine::WorkloadModel>(
        std::unique_ptr<engine::WorkloadModel> original,
        const Parameters& given,
        const engine::WorkloadContext& context
    )>
        make;
    bool replaces_memory = false;  ///< so that it does not matter what the original's jobs need
    /// What of its own is wrong for a system; empty: nothing.
    std::function<
        std::vector<engine::ParameterProblem>(const Parameters&, const engine::SystemDescription&)>
        check_system = {};
    /// Whether it asks for fixed starts of its own; empty: never.
    std::function<bool(const Parameters& given)> adds_fixed_starts = {};
    /// Whether it changes the jobs at random; empty: always.
    std::function<bool(const Parameters& given)> draws = {};
    std::vector<engine::WorkloadExample> examples;
};

/// Serves open, trace and offline; what is wrong for a system, fixed starts, and whether the
/// replications repeat, are the other model's.
engine::WorkloadModelDescription describe_version(WorkloadVersion version);

/// The registered models that may stand inside, by their names.
std::vector<engine::Alternative> inner_workloads(
    const std::function<bool(const std::string& name)>& may_be_inside
);

}  // namespace schedfarm::models
