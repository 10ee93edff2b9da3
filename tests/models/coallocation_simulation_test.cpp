// Simulated first-come first-served cells against the exact values that theory states for them:
// saturated systems by the ratio estimator, open ones by the mean over replications.
#include <cmath>
#include <map>
#include <numeric>

#include <doctest/doctest.h>

#include "engine/simulation/probe.hpp"
#include "engine/simulation/simulator.hpp"

#include "policies/catalogue.hpp"

#include "tests/models/settings.hpp"

namespace schedfarm::models {

namespace {

using engine::ExperimentKind;
using engine::KnownValue;
using engine::Parameters;
using tests::choice;
using tests::coallocation;
using tests::coallocation_parameters;
using tests::uniform;

constexpr double z = 4;
constexpr std::uint32_t replications = 40;

/// For each column of the observations, its value in every replication.
using Observed = std::map<std::string, std::vector<double>>;

engine::SimulationSetup setup_of(const engine::WorkloadContext& context) {
    engine::SimulationSetup setup;
    setup.system = context.system;
    setup.experiment.kind = context.experiment;
    setup.experiment.horizon = {.jobs = 20'000, .warm_up_jobs = 4'000, .backlog = 1};
    if (context.experiment == ExperimentKind::open) {
        for (const char* metric : {"response_time", "queueing_time"}) {
            const engine::Choice probe = choice(metric);
            setup.probes.requests.push_back(engine::make_probe_request(probe));
        }
    }
    setup.policy_traits.first_come_first_served = true;
    return setup;
}

Observed simulate_fcfs(const Parameters& parameters, engine::WorkloadContext context) {
    const engine::PolicyDescription* fcfs = policies::find_policy("fcfs");
    REQUIRE(fcfs != nullptr);
    const Parameters defaults = with_defaults(fcfs->alternative.parameters);
    const engine::SimulationSetup setup = setup_of(context);
    const auto columns = engine::observation_columns(setup.probes, context.experiment, 1);
    Observed observed;
    for (context.replication = 0; context.replication < replications; ++context.replication) {
        const engine::Stream random(
            context.seed, engine::Purpose::policy, context.replication
        );
        const auto policy = fcfs->make(defaults, {context.system, random});
        const auto workload = coallocation().make(parameters, context);
        const engine::Observations result = engine::simulate(setup, *workload, *policy);
        for (std::size_t i = 0; i < columns.size(); ++i) {
            observed[columns[i].name].push_back(result.values[i]);
        }
    }
    return observed;
}

double sum(const std::vector<double>& values) {
    return std::accumulate(values.begin(), values.end(), 0.0);
}

/// Σ a / Σ t against `expected`, its standard error from the residuals a − ratio · t.
void check_ratio(const std::vector<double>& a, const std::vector<double>& t, double expected) {
    const double ratio = sum(a) / sum(t);
    double squares = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        const double residual = a[i] - ratio * t[i];
        squares += residual * residual;
    }
    const auto n = static_cast<double>(a.size());
    const double error = std::sqrt(squares * n / (n - 1)) / sum(t);
    CAPTURE(ratio);
    CAPTURE(expected);
    CAPTURE(error);
    CHECK(std::abs(ratio - expected) <= z * error);
}

std::map<std::string, double> exact_values(
    const Parameters& parameters, const engine::WorkloadContext& context
) {
    engine::TheoryContext theory;
    theory.system = context.system;
    theory.experiment = context.experiment;
    theory.utilization = context.utilization;
    theory.first_come_first_served = true;
    std::map<std::string, double> exact;
    for (const KnownValue& known : coallocation().known_values(parameters, theory)) {
        if (known.is_exact) {
            exact[known.metric] = known.value;
        }
    }
    return exact;
}

void check_saturated(const Parameters& parameters, std::vector<std::uint32_t> clusters) {
    CAPTURE(parameters.text());
    const auto context = tests::context_of(std::move(clusters), ExperimentKind::saturated);
    const auto exact = exact_values(parameters, context);
    const Observed observed = simulate_fcfs(parameters, context);
    check_ratio(
        observed.at("busy_area"), observed.at("capacity_area"), exact.at("gross_utilization")
    );
}

void check_open(
    const Parameters& parameters, std::vector<std::uint32_t> clusters, double utilization
) {
    CAPTURE(parameters.text());
    const auto context = tests::context_of(std::move(clusters), ExperimentKind::open, utilization);
    const auto exact = exact_values(parameters, context);
    const Observed observed = simulate_fcfs(parameters, context);
    for (const char* metric : {"response_time.mean", "queueing_time.mean"}) {
        CAPTURE(metric);
        check_ratio(observed.at(metric), std::vector<double>(replications, 1.0), exact.at(metric));
    }
}

}  // namespace

TEST_CASE("saturated first come first served systems reach their exact utilization") {
    check_saturated(coallocation_parameters("total", 1, uniform(1, 16)), {32});
    check_saturated(coallocation_parameters("total", 4, tests::mixture_of_section_4_4()), {32});
    check_saturated(coallocation_parameters("ordered", 0, uniform(1, 4)), {8, 8, 8, 8});
    check_saturated(
        coallocation_parameters("ordered", 0, tests::mixture_of_section_4_4()), {8, 8, 8, 8}
    );
    check_saturated(coallocation_parameters("ordered", 0, uniform(1, 24)), {128, 24, 24, 24});
}

TEST_CASE("two jobs at a time reach an exact utilization with any service time") {
    Parameters parameters = coallocation_parameters("unordered", 0, uniform(13, 16));
    parameters.set("service", choice("erlang", {{"shape", 3}, {"mean", 2.0}}));
    check_saturated(parameters, {32, 32});
}

TEST_CASE("open systems of one or two jobs at a time have the exact mean response time") {
    check_open(coallocation_parameters("total", 1, choice("constant", {{"size", 16}})), {32}, 0.7);
    check_open(coallocation_parameters("unordered", 0, uniform(13, 16)), {32, 32}, 0.6);
    Parameters one = coallocation_parameters("ordered", 0, uniform(5, 8));
    check_open(one, {8, 8}, 0.5);
    one.set("service", choice("deterministic", {{"value", 2.0}}));
    check_open(one, {8, 8}, 0.5);
}

}  // namespace schedfarm::models
