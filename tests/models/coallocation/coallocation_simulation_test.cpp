// Simulated first-come first-served cells against the exact values that theory states for them:
// saturated systems by the ratio estimator, open ones by the mean over replications.
#include <cmath>
#include <map>
#include <numeric>

#include <doctest/doctest.h>

#include "engine/simulation/kernel/simulator.hpp"
#include "engine/simulation/measurement/probe.hpp"

#include "policies/catalogue.hpp"

#include "tests/models/settings.hpp"
#include "tests/support/long_form.hpp"

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

/// How much is simulated, and the label of the values that hold for it.
struct Size {
    std::uint32_t replications = 40;
    engine::Horizon horizon = {.jobs = 20'000, .warm_up_jobs = 4'000, .backlog = 1};
    const char* label = "exact";
};

/// For each column of the observations, its value in every replication.
using Observed = std::map<std::string, std::vector<double>>;

engine::SimulationSetup setup_of(const engine::WorkloadContext& context, const Size& size) {
    engine::SimulationSetup setup;
    setup.system = context.system;
    setup.experiment.kind = context.experiment;
    setup.experiment.horizon = size.horizon;
    if (context.experiment == ExperimentKind::open) {
        for (const char* metric : {"response_time", "wait"}) {
            const engine::Choice probe = choice(metric);
            setup.probes.requests.push_back(engine::make_probe_request(probe));
        }
    }
    setup.policy_traits.first_come_first_served = true;
    return setup;
}

Observed simulate_fcfs(
    const Parameters& parameters, engine::WorkloadContext context, const Size& size
) {
    const engine::PolicyDescription* fcfs = policies::find_policy("fcfs");
    REQUIRE(fcfs != nullptr);
    const Parameters defaults = with_defaults(fcfs->alternative.parameters);
    const engine::SimulationSetup setup = setup_of(context, size);
    const auto columns = engine::observation_columns(setup.probes, setup.experiment, 1);
    Observed observed;
    for (context.replication = 0; context.replication < size.replications; ++context.replication) {
        const engine::Stream random(context.seed, engine::Purpose::policy, context.replication);
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
    const Parameters& parameters, const engine::WorkloadContext& context, const Size& size
) {
    engine::TheoryContext theory;
    theory.system = context.system;
    theory.experiment = context.experiment;
    theory.utilization = context.utilization;
    theory.horizon = size.horizon;
    theory.first_come_first_served = true;
    std::map<std::string, double> exact;
    for (const KnownValue& known : coallocation().known_values(parameters, theory)) {
        if (known.label == size.label) {
            exact[known.metric] = known.value;
        }
    }
    return exact;
}

void check_saturated(
    const Parameters& parameters, std::vector<std::uint32_t> clusters, const Size& size = {}
) {
    CAPTURE(parameters.text());
    const auto context = tests::context_of(std::move(clusters), ExperimentKind::saturated);
    const auto exact = exact_values(parameters, context, size);
    const Observed observed = simulate_fcfs(parameters, context, size);
    check_ratio(
        observed.at("busy_area"), observed.at("capacity_area"), exact.at("gross_utilization")
    );
}

void check_open(
    const Parameters& parameters,
    std::vector<std::uint32_t> clusters,
    double utilization,
    const Size& size = {}
) {
    CAPTURE(parameters.text());
    CAPTURE(utilization);
    const auto context = tests::context_of(std::move(clusters), ExperimentKind::open, utilization);
    const auto exact = exact_values(parameters, context, size);
    const Observed observed = simulate_fcfs(parameters, context, size);
    for (const char* metric : {"response_time.mean", "wait.mean"}) {
        CAPTURE(metric);
        const std::vector<double> ones(size.replications, 1.0);
        check_ratio(observed.at(metric), ones, exact.at(metric));
    }
}

/// One processor, unit sizes.
Parameters one_server(const engine::Choice& service) {
    Parameters parameters = coallocation_parameters("total", 1, choice("constant", {{"size", 1}}));
    parameters.set("service", service);
    return parameters;
}

engine::Choice values(const engine::Value::List& sizes, const engine::Value::List& weights = {}) {
    return choice("values", {{"sizes", sizes}, {"weights", weights}});
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

TEST_CASE("the seven saturation oracles are reached") {
    const auto check = [](const engine::Choice& sizes, std::uint32_t processors) {
        const Size size{
            .replications = schedfarm::tests::short_or_long(20U, 50U),
            .horizon = {.jobs = 40'000, .warm_up_jobs = 4'000, .backlog = 1}};
        check_saturated(coallocation_parameters("total", 1, sizes), {processors}, size);
    };
    check(uniform(1, 4), 4);
    check(uniform(1, 32), 32);
    check(uniform(1, 128), 128);
    check(values({1, 2, 4, 8, 16, 32}), 32);
    check(values({1, 2, 4, 8, 16, 32, 64, 128}), 128);
    check(values({1, 10}), 10);
    check(values({1, 32}, {0.9, 0.1}), 32);
}

TEST_CASE("the first jobs that meet an empty server have their exact mean response time") {
    const Parameters parameters = one_server(choice("exponential"));
    const char* const label = "exact from empty";
    check_open(
        parameters,
        {1},
        0.8,
        {schedfarm::tests::short_or_long(7'000U, 20'000U), {.jobs = 200}, label}
    );
    check_open(
        parameters,
        {1},
        0.8,
        {schedfarm::tests::short_or_long(7'000U, 20'000U),
         {.jobs = 200, .warm_up_jobs = 150},
         label}
    );
    check_open(
        parameters,
        {1},
        0.95,
        {schedfarm::tests::short_or_long(30'000U, 100'000U), {.jobs = 3}, label}
    );
}

TEST_CASE("one server has Pollaczek and Khinchine's mean response time for any service time") {
    const Size size{
        schedfarm::tests::short_or_long(16U, 40U), {.jobs = 100'000, .warm_up_jobs = 20'000}};
    for (const double load : {0.5, 0.8}) {
        check_open(one_server(choice("deterministic")), {1}, load, size);
        const engine::Choice h2 = choice("hyperexponential", {{"squared_variation", 4.84}});
        check_open(one_server(h2), {1}, load, size);
        const engine::Choice lognormal = choice("lognormal", {{"squared_variation", 1.7182818}});
        check_open(one_server(lognormal), {1}, load, size);
    }
}

TEST_CASE("jobs of half the processors are M/M/2 at every load") {
    const Parameters halves =
        coallocation_parameters("total", 1, choice("constant", {{"size", 4}}));
    for (const double load : {0.3, 0.6, 0.9}) {
        check_open(
            halves,
            {8},
            load,
            {schedfarm::tests::short_or_long(16U, 40U), {.jobs = 100'000, .warm_up_jobs = 20'000}}
        );
    }
}

}  // namespace schedfarm::models
