// The workload inside another: moldable_version and reserved_version take the jobs of any model,
// which one of their parameters names, and change a part of each. Pure.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "engine/foundation/parameters.hpp"
#include "engine/simulation/workload_model.hpp"

namespace schedfarm::models {

class InnerWorkload {
  public:
    /// `parameter` of the outer model's `given`. REQUIRES: a registered model.
    InnerWorkload(const engine::Parameters& given, std::string parameter);

    /// Its jobs, as of an open experiment, else a trace, else offline, where it does not serve this
    /// one: those of a log that is asked for off-line come at their own times, and the simulator
    /// has them arrive at time 0.
    std::unique_ptr<engine::WorkloadModel> make(engine::WorkloadContext context) const;

    /// What check_system says of it, as problems of the outer model's parameter.
    std::vector<engine::ParameterProblem> system_problems(const engine::SystemDescription& system
    ) const;

    bool has_fixed_starts() const;

  private:
    std::string parameter_;
    const engine::WorkloadModelDescription* model_;
    engine::Parameters parameters_;  // complete
};

/// The registered models that may stand inside, by their names.
std::vector<engine::Alternative> inner_workloads(
    const std::function<bool(const std::string& name)>& may_be_inside
);

}  // namespace schedfarm::models
