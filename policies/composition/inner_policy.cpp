#include "policies/composition/inner_policy.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "engine/foundation/expect.hpp"

#include "policies/catalogue.hpp"

namespace schedfarm::policies {

using engine::Choice;
using engine::ParameterProblem;
using engine::Parameters;
using engine::PolicyTraits;
using engine::Value;

namespace {

constexpr const char* inner = "inner";
constexpr const char* stands_alone = "slurm";  // it divides a machine by its own files

const engine::PolicyDescription& registered(const std::string& name) {
    const engine::PolicyDescription* description = find_policy(name);
    SCHEDFARM_EXPECT(description != nullptr, "no policy '" + name + "'");
    return *description;
}

/// A function, because a policy of the table may be the one that asks for it.
const std::vector<engine::Alternative>& registered_alternatives() {
    static const std::vector<engine::Alternative> table = [] {
        std::vector<engine::Alternative> all;
        for (const engine::PolicyDescription& description : catalogue()) {
            all.push_back(description.alternative);
        }
        return all;
    }();
    return table;
}

/// With the parameters of a library's own, which are in no table here.
Parameters complete(const engine::PolicyDescription& policy, const Parameters& given) {
    Parameters all = with_defaults(policy.alternative.parameters, given);
    for (const auto& [name, value] : given.entries()) {
        all.set(name, value);
    }
    return all;
}

}  // namespace

InnerPolicy::InnerPolicy(const Choice& choice)
    : description_(&registered(choice.name))
    , parameters_(complete(*description_, choice.parameters)) {}

std::vector<ParameterProblem> InnerPolicy::system_problems(const engine::SystemDescription& system
) const {
    return description_->check_system ? description_->check_system(parameters_, system)
                                      : std::vector<ParameterProblem>();
}

std::vector<ParameterProblem> InnerPolicy::workload_problems(
    const engine::SystemDescription& system, const engine::WorkloadTraits& workload
) const {
    return description_->check_workload
               ? description_->check_workload(parameters_, system, workload)
               : std::vector<ParameterProblem>();
}

std::vector<engine::ObservationColumn> InnerPolicy::observations(
    const engine::SystemDescription& system
) const {
    return description_->observations ? description_->observations(parameters_, system)
                                      : std::vector<engine::ObservationColumn>();
}

engine::ParameterDescription inner_parameter(const char* meaning) {
    return {
        .name = inner,
        .meaning = meaning,
        .type = engine::ParameterType::choice_list,
        .default_value = Value::List{Value(Choice{.name = "fcfs"})},
        .alternatives = registered_alternatives};
}

std::size_t inner_count(const Parameters& parameters) {
    return parameters.at(inner).as_list().size();
}

InnerPolicy inner_policy(const Parameters& parameters, std::size_t part) {
    const Value::List& policies = parameters.at(inner).as_list();
    return InnerPolicy(policies.at(policies.size() == 1 ? 0 : part).as_choice());
}

std::vector<ParameterProblem> stands_alone_problems(const Parameters& parameters) {
    for (const Value& one : parameters.at(inner).as_list()) {
        if (one.as_choice().name == stands_alone) {
            return {
                {inner,
                 fmt::format(
                     "'{}' divides the machine itself (it is no part of another policy)",
                     one.as_choice().name
                 ),
                 "Use its own partitions."}};
        }
    }
    return {};
}

std::vector<ParameterProblem> inner_count_problems(
    const Parameters& parameters, const std::string& part, std::size_t parts
) {
    if (auto found = stands_alone_problems(parameters); !found.empty()) {
        return found;
    }
    const std::size_t count = inner_count(parameters);
    if (count == 1 || count == parts) {
        return {};
    }
    return {
        {inner,
         fmt::format(
             "{} policies are named and there are {} {}s (there is one for each)",
             count,
             parts,
             part
         ),
         fmt::format("Give one policy for all, or one for each {}.", part)}};
}

void add_observations(
    const InnerPolicy& policy,
    const engine::SystemDescription& system,
    std::vector<engine::ObservationColumn>& columns
) {
    for (engine::ObservationColumn& column : policy.observations(system)) {
        const bool is_there = std::any_of(columns.begin(), columns.end(), [&](const auto& one) {
            return one.name == column.name;
        });
        if (!is_there) {
            columns.push_back(std::move(column));
        }
    }
}

PolicyTraits joined_traits(const std::vector<InnerPolicy>& policies) {
    PolicyTraits joined{.keeps_fixed_starts = true, .takes_withdrawals = true};
    for (const InnerPolicy& policy : policies) {
        const PolicyTraits traits = policy.traits();
        joined.preemptive = joined.preemptive || traits.preemptive;
        joined.keeps_fixed_starts = joined.keeps_fixed_starts && traits.keeps_fixed_starts;
        joined.draws = joined.draws || traits.draws;
        joined.takes_withdrawals = joined.takes_withdrawals && traits.takes_withdrawals;
        joined.names_processors = joined.names_processors || traits.names_processors;
    }
    return joined;
}

std::vector<ParameterProblem> as_inner_problems(std::vector<ParameterProblem> found) {
    for (ParameterProblem& problem : found) {
        problem.reason = problem.parameter + ": " + problem.reason;
        problem.parameter = inner;
    }
    return found;
}

}  // namespace schedfarm::policies
