#include "app/campaign/plan/policy_times.hpp"

#include <fmt/format.h>

#include "app/campaign/checks/fixed_jobs.hpp"
#include "app/campaign/keys/catalogues.hpp"
#include "app/campaign/yaml/suggestion.hpp"

namespace schedfarm::app {

namespace {

TimeUnit unit_of(const engine::Choice& workload) {
    return facts_of(workload).is_in_seconds ? TimeUnit::seconds : TimeUnit::of_workload;
}

}  // namespace

std::string default_times_warning(const engine::Choice& policy, TimeUnit unit) {
    const auto* const description = registered_catalogues().find_policy(policy.name);
    if (unit == TimeUnit::seconds || description == nullptr) {
        return "";
    }
    std::string times;
    for (const engine::ParameterDescription& row : description->alternative.parameters) {
        if (row.unit != "s" || !row.default_value) {
            continue;
        }
        const std::string text = policy.parameters.at(row.name).text();
        if (text != row.default_value->text()) {
            return "";
        }
        if (row.type == engine::ParameterType::real) {
            times += fmt::format("{}{} {}", times.empty() ? "" : ", ", row.name, text);
        }
    }
    return times.empty() ? ""
                         : fmt::format(
                             "the defaults of policy '{}' are meant in seconds ({}) but are taken "
                             "in the unit of the workload, which is not seconds. Give them in that "
                             "unit.",
                             policy.name,
                             times
                         );
}

std::vector<std::string> default_times_warnings(const Plan& plan) {
    std::vector<std::string> warnings;
    for (const Cell& cell : plan.cells) {
        std::string warning = default_times_warning(*cell.policy, unit_of(*cell.workload));
        if (!warning.empty() && !contains(warnings, warning)) {
            warnings.push_back(std::move(warning));
        }
    }
    return warnings;
}

}  // namespace schedfarm::app
