// What the standard workload models have in common: rigid jobs that need any processors, one after
// the other. A model of that kind is a source of jobs; this file makes a WorkloadModel of it, with
// estimates, an end after some days and the experiments that have other submits.
#pragma once

#include <cstdint>
#include <functional>
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

/// The parameters `days` and `estimates`, for the end of a model's table.
std::vector<engine::ParameterDescription> with_rigid_parameters(
    std::vector<engine::ParameterDescription> own
);

/// Of the jobs that a model draws.
struct LargestSize {
    std::uint32_t processors = 0;
    std::string parameter;  ///< the one to change where such a job does not fit
};

/// What distinguishes such models.
struct RigidModel {
    using Parameters = engine::Parameters;
    using Context = engine::WorkloadContext;

    engine::Alternative alternative;  ///< its parameters are made by with_rigid_parameters()
    std::function<std::unique_ptr<RigidJobSource>(const Parameters&, const Context&)> source;
    std::function<engine::WorkloadTraits(const Parameters&, const Context&)> traits;
    /// One, or one for each kind of jobs.
    std::function<std::vector<LargestSize>(const Parameters&)> largest_sizes;
    std::vector<engine::WorkloadExample> examples;
    bool is_in_seconds = true;
};

/// A RigidModel::source.
template <typename Source>
std::unique_ptr<RigidJobSource> make_source(
    const engine::Parameters& parameters, const engine::WorkloadContext& context
) {
    return std::make_unique<Source>(parameters, context);
}

/// Serves open and trace with the submits of the source, trace with the jobs of the first `days`
/// days, and saturated and offline with all submits at 0. A system too small for the largest jobs
/// is refused.
engine::WorkloadModelDescription describe_rigid(RigidModel model);

}  // namespace schedfarm::models
