#include "engine/simulation/policy.hpp"

#include "engine/foundation/expect.hpp"
#include "engine/simulation/kernel/actions.hpp"

namespace schedfarm::engine {

namespace {

constexpr const char* problem = "a policy was asked for the start of a job that does not answer";

}  // namespace

double Policy::earliest_start(const Job& /*job*/, double /*from*/, double /*now*/) {
    throw ContractViolation(problem);
}

std::unique_ptr<StartOutlook> Policy::outlook(double /*now*/) {
    throw ContractViolation(problem);
}

void Actions::leave(JobId /*id*/) {
    throw ContractViolation("a policy within another has a job leave");
}

void Actions::count_wait_from(JobId /*id*/, double /*time*/) {
    throw ContractViolation("a policy within another says when a wait begins");
}

}  // namespace schedfarm::engine
