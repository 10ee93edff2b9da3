// What the standard workload models have in common: rigid jobs that need any processors, one after
// the other. A model of that kind is a source of jobs; this file makes a WorkloadModel of it, with
// estimates, an end after some days and the experiments that have other submits.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/simulation/workload_model.hpp"

namespace schedfarm::models {

struct RigidJob {
    double submit = 0;
    double run = 0;
    std::uint32_t size = 1;
    std::uint32_t job_class = 0;
};

/// Jobs in the order of their submits, without end. A pure function of what it was made from.
class RigidJobSource {
  public:
    RigidJobSource() = default;
    RigidJobSource(const RigidJobSource&) = delete;
    RigidJobSource& operator=(const RigidJobSource&) = delete;
    virtual ~RigidJobSource() = default;

    virtual RigidJob next() = 0;
};

/// Seconds per job at which the utilization of the context is offered; absent where it gives none.
/// `mean_area`: E[size · run time].
std::optional<double> interarrival_for(const engine::WorkloadContext& context, double mean_area);

/// open and trace: submits of the source; trace: the jobs of the first `days` days.
/// saturated, offline: all submits are 0.
std::vector<engine::ExperimentKind> rigid_experiments();

/// The parameters `days` and `estimates`, for the end of a model's table.
std::vector<engine::ParameterDescription> with_rigid_parameters(
    std::vector<engine::ParameterDescription> own
);

/// REQUIRES: parameters of a table made by with_rigid_parameters().
std::unique_ptr<engine::WorkloadModel> make_rigid_workload(
    std::unique_ptr<RigidJobSource> source,
    engine::WorkloadTraits traits,
    const engine::Parameters& parameters,
    const engine::WorkloadContext& context
);

/// The problem that the largest job does not fit; `parameter` is the one to change.
std::vector<engine::ParameterProblem> size_problems(
    std::uint32_t max_size, const engine::SystemDescription& system, const std::string& parameter
);

}  // namespace schedfarm::models
