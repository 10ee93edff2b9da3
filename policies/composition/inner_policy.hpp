// Policies inside a policy: the parameter that names them, and what the outer one's description
// takes over from them. Pure.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "engine/foundation/parameters.hpp"
#include "engine/simulation/policy.hpp"

namespace schedfarm::policies {

/// A registered policy with all its parameters.
class InnerPolicy {
  public:
    /// REQUIRES: the policy is registered.
    explicit InnerPolicy(const engine::Choice& choice);

    engine::PolicyTraits traits() const { return description_->traits(parameters_); }
    std::unique_ptr<engine::Policy> make(const engine::PolicyContext& context) const {
        return description_->make(parameters_, context);
    }
    const engine::PolicyDescription& description() const { return *description_; }
    const engine::Parameters& parameters() const { return parameters_; }
    std::vector<engine::ParameterProblem> system_problems(const engine::SystemDescription& system
    ) const;
    std::vector<engine::ParameterProblem> workload_problems(
        const engine::SystemDescription& system, const engine::WorkloadTraits& workload
    ) const;
    std::vector<engine::ObservationColumn> observations(const engine::SystemDescription& system
    ) const;

  private:
    const engine::PolicyDescription* description_;
    engine::Parameters parameters_;
};

/// `inner`: a list of policies, or one; default fcfs.
engine::ParameterDescription inner_parameter(const char* meaning);

/// How many `inner` names.
std::size_t inner_count(const engine::Parameters& parameters);

/// That of part number `part`.
InnerPolicy inner_policy(const engine::Parameters& parameters, std::size_t part);

/// One of them is no part of another policy.
std::vector<engine::ParameterProblem> stands_alone_problems(const engine::Parameters& parameters);

/// The same, or neither one policy for all nor one for each of so many parts; `part` is what
/// messages call one.
std::vector<engine::ParameterProblem> inner_count_problems(
    const engine::Parameters& parameters, const std::string& part, std::size_t parts
);

/// What the policy publishes on this system, where it is not among the columns already.
void add_observations(
    const InnerPolicy& policy,
    const engine::SystemDescription& system,
    std::vector<engine::ObservationColumn>& columns
);

/// Traits of a policy that is made of these: preemptive, drawing or naming processors where one
/// is, keeping fixed starts and taking withdrawals
/// where all do; first come, first served is only what the outer one says.
engine::PolicyTraits joined_traits(const std::vector<InnerPolicy>& inner);

/// Their problems as problems of `inner`, the first of each sort.
std::vector<engine::ParameterProblem> as_inner_problems(std::vector<engine::ParameterProblem> found
);

}  // namespace schedfarm::policies
