#include "engine/simulation/policy.hpp"

#include "engine/foundation/expect.hpp"

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

}  // namespace schedfarm::engine
