// Workloads inside of others, which one of their parameters names. Versions of workloads
// (models/versions) take the jobs of any model and change a part of each. What a version changes
// decides its place, from times of submission (10) to reservations beside the jobs (60): inside of
// it may stand those of a lower place. Pure.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engine/foundation/parameters.hpp"
#include "engine/simulation/dependent_workload.hpp"
#include "engine/simulation/workload_model.hpp"

namespace schedfarm::models {

/// A model inside of another one, with its parameters.
class InnerWorkload {
  public:
    /// REQUIRES: a registered model.
    explicit InnerWorkload(const engine::Choice& choice);

    /// As of the context's experiment, else of the first in which jobs have response times.
    std::unique_ptr<engine::WorkloadModel> jobs(engine::WorkloadContext context) const;
    /// What check_system says of it, as problems of the outer model's parameter.
    std::vector<engine::ParameterProblem> system_problems(
        const std::string& parameter, const engine::SystemDescription& system
    ) const;
    engine::Choice checksummed() const;
    std::string text() const { return choice_.text(); }
    engine::WorkloadFacts facts() const { return model_.facts(parameters_); }

  private:
    const engine::WorkloadModelDescription& model_;
    engine::Choice choice_;
    engine::Parameters parameters_;  // complete
};

/// The jobs of another workload. A version changes them, and says what of their traits it changes.
class VersionOfJobs : public engine::VersionOfWorkload {
  public:
    const engine::WorkloadTraits& traits() const final { return traits_; }

  protected:
    explicit VersionOfJobs(std::unique_ptr<engine::WorkloadModel> original)
        : VersionOfWorkload(*original)
        , original_(std::move(original))
        , traits_(original_->traits()) {}

    std::unique_ptr<engine::WorkloadModel> original_;
    engine::WorkloadTraits traits_;
};

/// What distinguishes a version of workloads.
struct WorkloadVersion {
    using Parameters = engine::Parameters;
    using Jobs = engine::WorkloadModelDescription::Jobs;

    engine::Alternative alternative;  ///< with the parameters behind `original`
    /// The parameter that names the other model.
    engine::ParameterDescription original;
    int place = 0;                  ///< that of its description
    std::vector<Jobs> except = {};  ///< no models with such jobs
    bool replaces_memory = false;   ///< so that it does not matter what the original's jobs need
    /// What of its own is wrong for a system; empty: nothing.
    std::function<
        std::vector<engine::ParameterProblem>(const Parameters&, const engine::SystemDescription&)>
        check_system = {};
    /// Whether it asks for fixed starts of its own; empty: never.
    std::function<bool(const Parameters& given)> adds_fixed_starts = {};
    /// Whether it changes the jobs at random; empty: always.
    std::function<bool(const Parameters& given)> draws = {};
    std::vector<engine::WorkloadExample> examples;  ///< without the defaults
};

/// `original`: the other model's jobs. Those of a log that is asked for off-line come at their own
/// times, and the simulator has them arrive at time 0.
using MakeVersion = std::unique_ptr<engine::WorkloadModel> (*)(
    std::unique_ptr<engine::WorkloadModel> original,
    const engine::Parameters& given,
    const engine::WorkloadContext& context
);

/// Serves open, trace and offline; what is wrong for a system and what else is known of it are the
/// other model's.
engine::WorkloadModelDescription describe_version(WorkloadVersion version, MakeVersion make);

/// Of a T(original, given, context).
template <typename T>
engine::WorkloadModelDescription describe_version(WorkloadVersion version) {
    return describe_version(
        std::move(version),
        [](auto original, const auto& given, const auto& context
        ) -> std::unique_ptr<engine::WorkloadModel> {
            return std::make_unique<T>(std::move(original), given, context);
        }
    );
}

/// A small log that every program has.
engine::Choice example_log();

/// The registered models of a lower place, but those with such jobs.
std::vector<engine::Alternative> inner_workloads(
    int place, const std::vector<engine::WorkloadModelDescription::Jobs>& except
);

}  // namespace schedfarm::models
