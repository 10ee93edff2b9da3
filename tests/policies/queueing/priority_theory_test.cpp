// Shortest and longest job first on one processor against theory: W. E. Phipps (Machine repair as a
// priority waiting-line problem, Operations Research 4, 1956), after Cobham (1954). With Poisson
// arrivals at the rate λ and the residual work R = λ E[S²] / 2, a job that needs x waits
// R / (1 − ρ(x))² on average, ρ(x) the load of the jobs that go before it. Few jobs are measured in
// a replication, so that the end of the run weighs much. Every bound is 4 standard errors over
// replications; the seeds are fixed.
#include <cmath>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "engine/simulation/kernel/simulator.hpp"

#include "models/catalogue.hpp"
#include "policies/catalogue.hpp"

#include "tests/support/long_form.hpp"

namespace schedfarm::tests {

using namespace engine;  // NOLINT(google-build-using-namespace)

namespace {

constexpr double load = 0.9;

/// The mean response time with exponential service of mean 1; `load_before` of a job that needs x.
template <typename LoadBefore>
double response_time(const LoadBefore& load_before) {
    // Simpson's rule over 0 … 60, beyond which e^−x is less than 1e-26; with half the intervals it
    // gives the same 9 digits.
    constexpr int intervals = 60'000;
    constexpr double step = 60.0 / intervals;
    double sum = 0;
    for (int i = 0; i <= intervals; ++i) {
        const double x = i * step;
        const double idle = 1 - load_before(x);
        const double weight = i == 0 || i == intervals ? 1 : i % 2 == 1 ? 4 : 2;
        sum += weight * std::exp(-x) * load / (idle * idle);
    }
    return 1 + sum * step / 3;
}

/// Work that jobs of at most x bring in a unit of time: λ ∫ t e^−t dt from 0 to x.
double load_up_to(double x) {
    return load * (1 - (1 + x) * std::exp(-x));
}

void check_agrees(const std::string& name, double theory) {
    const auto replications = short_or_long<std::uint32_t>(1500, 4000);
    const PolicyDescription& policy = *policies::find_policy(name);
    const Parameters policy_parameters = with_defaults(policy.alternative.parameters);
    const WorkloadModelDescription& model = *models::find_model("coallocation");
    Parameters given;
    given.set("components", 1);
    Choice size{"uniform", {}};
    size.parameters.set("low", 1);
    size.parameters.set("high", 1);
    given.set("component_size", size);
    const Parameters parameters = with_defaults(model.alternative.parameters, given);
    WorkloadContext context;
    context.system.clusters = {1};
    context.utilization = load;
    context.seed = 2001;
    SimulationSetup setup;
    setup.system = context.system;
    setup.experiment.horizon = {.jobs = 5'500, .warm_up_jobs = 5'000};  // 14 relaxation times
    setup.probes.requests.emplace_back();
    double sum = 0;
    double squares = 0;
    for (context.replication = 0; context.replication < replications; ++context.replication) {
        const Stream random(context.seed, Purpose::policy, context.replication);
        const auto scheduler = policy.make(policy_parameters, {context.system, random});
        const auto workload = model.make(parameters, context);
        const double mean = simulate(setup, *workload, *scheduler).values[4];
        sum += mean;
        squares += mean * mean;
    }
    const double mean = sum / replications;
    const double error = std::sqrt((squares / replications - mean * mean) / (replications - 1));
    MESSAGE(name << ": " << mean << " ± " << error << " against " << theory);
    CHECK(std::abs(mean - theory) < 4 * error);
}

}  // namespace

TEST_CASE("shortest job first waits as long as theory says, however short the run") {
    check_agrees("sjf", response_time(load_up_to));
}

TEST_CASE("longest job first waits as long as theory says, however short the run") {
    check_agrees("ljf", response_time([](double x) { return load - load_up_to(x); }));
}

}  // namespace schedfarm::tests
