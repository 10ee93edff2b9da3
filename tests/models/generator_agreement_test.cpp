// The two families of generators against exact values and against each other: quantities from an
// open, a saturated and a timeless experiment, each from both.
#include <cmath>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "engine/planning/bin_filling.hpp"
#include "engine/planning/queue_policy.hpp"
#include "engine/simulation/kernel/simulator.hpp"
#include "engine/simulation/measurement/probe.hpp"

#include "policies/catalogue.hpp"

#include "tests/models/settings.hpp"

namespace schedfarm::models {

namespace {

using engine::ExperimentKind;
using engine::Generator;
using tests::choice;
using tests::coallocation;
using tests::coallocation_parameters;
using tests::uniform;

constexpr double z = 4;
constexpr std::uint32_t replications = 50;

/// Σ numerator / Σ denominator over replications, by the names of columns; no denominator: 1 each.
struct Quantity {
    std::string numerator;
    std::string denominator;
};

struct Estimate {
    double value;
    double error;  ///< standard error
};

/// A cell and what it should give.
struct Case {
    engine::Parameters parameters;
    engine::WorkloadContext context;
    Quantity quantity;
    double exact = 0;
};

engine::SimulationSetup setup_of(const engine::WorkloadContext& context) {
    engine::SimulationSetup setup;
    setup.system = context.system;
    setup.experiment.kind = context.experiment;
    setup.experiment.horizon = {
        .jobs = 20'000, .warm_up_jobs = 4'000, .backlog = 1, .fills = 4'000};
    if (context.experiment == ExperimentKind::open) {
        setup.probes.requests.push_back(engine::make_probe_request(choice("response_time")));
    }
    setup.policy_traits.first_come_first_served = true;
    return setup;
}

engine::Observations run_fcfs(const Case& one, const engine::WorkloadContext& context) {
    const engine::PolicyDescription* fcfs = policies::find_policy("fcfs");
    REQUIRE(fcfs != nullptr);
    const auto workload = coallocation().make(one.parameters, context);
    const engine::Parameters defaults = with_defaults(fcfs->alternative.parameters);
    if (!context.experiment.has_time()) {
        return engine::fill_bins(
            engine::placement_rule(defaults),
            context.system,
            setup_of(context).experiment.horizon.fills,
            *workload
        );
    }
    const engine::Stream random(
        context.seed, engine::Purpose::policy, context.replication, context.generator
    );
    const auto policy = fcfs->make(defaults, {context.system, random});
    return engine::simulate(setup_of(context), *workload, *policy);
}

std::size_t index_of(const Case& one, const std::string& name) {
    const auto columns = engine::observation_columns(
        setup_of(one.context).probes, {.kind = one.context.experiment}, /*job_classes=*/1
    );
    std::size_t index = 0;
    while (index < columns.size() && columns[index].name != name) {
        ++index;
    }
    REQUIRE(index < columns.size());
    return index;
}

/// The ratio, and its standard error from the residuals numerator − ratio · denominator.
Estimate estimate(const Case& one, Generator generator) {
    std::vector<double> above;
    std::vector<double> below;
    double sum_above = 0;
    double sum_below = 0;
    const std::size_t numerator = index_of(one, one.quantity.numerator);
    const bool is_mean = one.quantity.denominator.empty();
    const std::size_t denominator = is_mean ? 0 : index_of(one, one.quantity.denominator);
    engine::WorkloadContext context = one.context;
    context.generator = generator;
    for (context.replication = 0; context.replication < replications; ++context.replication) {
        const std::vector<double> values = run_fcfs(one, context).values;
        above.push_back(values.at(numerator));
        below.push_back(is_mean ? 1 : values.at(denominator));
        sum_above += above.back();
        sum_below += below.back();
    }
    const double ratio = sum_above / sum_below;
    double squares = 0;
    for (std::size_t i = 0; i < above.size(); ++i) {
        const double residual = above[i] - ratio * below[i];
        squares += residual * residual;
    }
    const auto n = static_cast<double>(replications);
    return {.value = ratio, .error = std::sqrt(squares * n / (n - 1)) / sum_below};
}

void check_both_generators(const Case& one) {
    const Estimate philox = estimate(one, Generator::philox);
    const Estimate mrg32k3a = estimate(one, Generator::mrg32k3a);
    CAPTURE(one.exact);
    CAPTURE(philox.value);
    CAPTURE(philox.error);
    CAPTURE(mrg32k3a.value);
    CAPTURE(mrg32k3a.error);
    CHECK(philox.value != mrg32k3a.value);
    CHECK(std::abs(philox.value - one.exact) <= z * philox.error);
    CHECK(std::abs(mrg32k3a.value - one.exact) <= z * mrg32k3a.error);
    const double combined = std::hypot(philox.error, mrg32k3a.error);
    CHECK(std::abs(philox.value - mrg32k3a.value) <= z * combined);
    // The bounds mean something: errors are below one per cent, and of one size: the logarithm of
    // their ratio has the standard error sqrt(2 / (2 · 49)) = 0.14.
    CHECK(std::max(philox.error, mrg32k3a.error) < 0.01 * one.exact);
    CHECK(std::abs(std::log(philox.error / mrg32k3a.error)) < z * 0.15);
}

}  // namespace

TEST_CASE("both generators give the mean response time of the queue M/M/1") {
    // 1 / (1 − ρ) with service of mean 1.
    check_both_generators(
        {coallocation_parameters("total", 1, choice("constant", {{"size", 1}})),
         tests::context_of({1}, ExperimentKind::open, 0.5),
         {"response_time.mean", ""},
         2.0}
    );
}

TEST_CASE("both generators give the capacity loss of bin filling") {
    // Eq. (2) of Bucur & Epema 2000: i processors stay idle with probability
    // (1 − F(i)) u(32 − i), u(k) = Σ u(k − n) / 16.
    std::vector<double> u{1.0};
    for (int k = 1; k <= 32; ++k) {
        double sum = 0;
        for (int n = 1; n <= std::min(k, 16); ++n) {
            sum += u[static_cast<std::size_t>(k - n)];
        }
        u.push_back(sum / 16);
    }
    double idle = 0;
    for (int i = 1; i < 16; ++i) {
        idle += i * (1 - i / 16.0) * u[static_cast<std::size_t>(32 - i)];
    }
    check_both_generators(
        {coallocation_parameters("total", 1, uniform(1, 16)),
         tests::context_of({32}, ExperimentKind::bin_filling),
         {"capacity_loss", ""},
         idle / 32}
    );
}

TEST_CASE("both generators give the utilization of a saturated system") {
    // E[S] / (4 E[1/N]), E[S] = 5/2, N = jobs that fit: P(N >= 2) = 6/16, P(N >= 3) = 4/64,
    // P(N >= 4) = 1/256; E[1/N] = 1 − (6/16)/2 − (4/64)/6 − (1/256)/12 = 0.801758 ….
    const double mean_inverse = 1 - 6.0 / 16 / 2 - 4.0 / 64 / 6 - 1.0 / 256 / 12;
    const double exact = 2.5 / (4 * mean_inverse);
    CHECK(exact == doctest::Approx(0.779537).epsilon(1e-6));
    check_both_generators(
        {coallocation_parameters("total", 1, uniform(1, 4)),
         tests::context_of({4}, ExperimentKind::saturated),
         {"busy_area", "capacity_area"},
         exact}
    );
}

}  // namespace schedfarm::models
