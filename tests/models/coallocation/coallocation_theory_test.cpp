// What theory says of cells of the co-allocation model, and where it is silent.
#include <cmath>

#include <doctest/doctest.h>

#include "tests/models/settings.hpp"

namespace schedfarm::models {

namespace {

using doctest::Approx;
using engine::ExperimentKind;
using engine::KnownValue;
using engine::Parameters;
using engine::TheoryContext;
using tests::choice;
using tests::coallocation;
using tests::coallocation_parameters;
using tests::uniform;

TheoryContext fcfs(
    std::vector<std::uint32_t> clusters,
    ExperimentKind experiment,
    std::optional<double> utilization = std::nullopt
) {
    TheoryContext context;
    context.system.clusters = std::move(clusters);
    context.experiment = experiment;
    context.utilization = utilization;
    context.first_come_first_served = true;
    return context;
}

std::optional<double> known(
    const Parameters& parameters,
    const TheoryContext& context,
    const std::string& metric,
    const std::string& label = "exact"
) {
    for (const KnownValue& value : coallocation().known_values(parameters, context)) {
        if (value.metric == metric && value.label == label) {
            return value.value;
        }
    }
    return std::nullopt;
}

std::optional<double> limit(const Parameters& parameters, const TheoryContext& context) {
    const auto value = coallocation().maximal_utilization(parameters, context);
    return value ? std::optional(value->value) : std::nullopt;
}

std::vector<std::uint32_t> four_of_8() {
    return {8, 8, 8, 8};
}

const char* const overlay = "M/M/1 at the same arrival rate";
const char* const from_empty = "exact from empty";

/// One processor, unit sizes.
Parameters one_server() {
    return coallocation_parameters("total", 1, choice("constant", {{"size", 1}}));
}

TheoryContext one_server_from_empty(std::uint64_t jobs, std::uint64_t warm_up_jobs = 0) {
    TheoryContext context = fcfs({1}, ExperimentKind::open, 0.8);
    context.horizon = {.jobs = jobs, .warm_up_jobs = warm_up_jobs};
    return context;
}

std::optional<double> response(const TheoryContext& context) {
    return known(one_server(), context, "response_time.mean", from_empty);
}

}  // namespace

TEST_CASE("a filled cluster has its exact loss beside the three approximations") {
    const Parameters parameters = coallocation_parameters("total", 1, uniform(13, 16));
    const TheoryContext context = fcfs({32}, ExperimentKind::bin_filling);
    CHECK(*known(parameters, context, "capacity_loss") == 0.09375);
    CHECK(*known(parameters, context, "gross_utilization") == 1 - 0.09375);
    CHECK(*known(parameters, context, "jobs_placed") == 2);
    // Eq. (4): (4096 − 2197 + 507 − 16 − 26)/(768 − 507 + 48 + 39)/32 = 2364/348/32.
    for (const char* label : {"approximation eq. (3)", "approximation eq. (4)"}) {
        CHECK(
            *known(parameters, context, "capacity_loss", label)
            == Approx(2364.0 / 348 / 32).epsilon(1e-13)
        );
    }
    CHECK(
        *known(parameters, context, "gross_utilization", "approximation, true set I")
        == Approx(1 - 3.0 / 32)
    );
}

TEST_CASE("equation 4 stands only beside uniform sizes and no approximation beside one size") {
    const TheoryContext context = fcfs({32}, ExperimentKind::bin_filling);
    const Parameters sums = coallocation_parameters("total", 4, uniform(1, 4));
    CHECK(known(sums, context, "capacity_loss", "approximation eq. (3)"));
    CHECK(!known(sums, context, "capacity_loss", "approximation eq. (4)"));
    const Parameters one = coallocation_parameters("total", 1, choice("constant", {{"size", 5}}));
    CHECK(*known(one, context, "capacity_loss") == Approx(2.0 / 32));  // 32 mod 5
    CHECK(!known(one, context, "capacity_loss", "approximation eq. (3)"));
}

TEST_CASE("bin filling is known for every policy but saturation for first come first served") {
    const Parameters parameters = coallocation_parameters("ordered", 0, uniform(1, 4));
    TheoryContext context = fcfs(four_of_8(), ExperimentKind::bin_filling);
    context.first_come_first_served = false;
    CHECK(known(parameters, context, "capacity_loss"));
    context.experiment = ExperimentKind::saturated;
    CHECK(!known(parameters, context, "capacity_loss"));
    CHECK(!limit(parameters, context));
}

TEST_CASE("saturation is exact for total and ordered requests with exponential service") {
    Parameters parameters = coallocation_parameters("total", 1, uniform(1, 4));
    TheoryContext context = fcfs({32}, ExperimentKind::saturated);
    CHECK(*known(parameters, context, "capacity_loss") == Approx(.03227894).epsilon(1e-6));
    const double busy = *known(parameters, context, "gross_utilization");
    CHECK(busy == *limit(parameters, context));
    // Jobs per unit of time: busy processors / (mean size 2.5 · mean service 1).
    CHECK(*known(parameters, context, "throughput") == Approx(busy * 32 / 2.5));
    parameters.set("service", choice("erlang", {{"shape", 2}, {"mean", 1.0}}));
    CHECK(!known(parameters, context, "capacity_loss"));
    // One cluster and one component: the structure of the request says nothing.
    for (const char* request : {"total", "ordered", "unordered", "grouped"}) {
        CHECK(*limit(coallocation_parameters(request, 1, uniform(1, 4)), context) == busy);
    }
    context.system.clusters = four_of_8();
    CHECK(limit(coallocation_parameters("ordered", 0, uniform(1, 4)), context));
    CHECK(!limit(coallocation_parameters("unordered", 0, uniform(1, 4)), context));
    CHECK(!limit(coallocation_parameters("grouped", 0, uniform(1, 4)), context));
}

TEST_CASE("where two jobs always and three never fit the limit is exact for any service") {
    for (const char* request : {"total", "ordered", "unordered"}) {
        CAPTURE(request);
        const bool is_total = std::string(request) == "total";
        const std::vector<std::uint32_t> clusters(is_total ? 1 : 4, 32);
        Parameters parameters = coallocation_parameters(request, 0, uniform(13, 16));
        parameters.set("service", choice("deterministic", {{"value", 2.0}}));
        CHECK(*limit(parameters, fcfs(clusters, ExperimentKind::saturated)) == 2 * 14.5 / 32);
    }
    // With fewer components than clusters more jobs may run: nothing is claimed.
    const Parameters fewer = coallocation_parameters("unordered", 2, uniform(13, 16));
    CHECK(!limit(fewer, fcfs({32, 32, 32}, ExperimentKind::saturated)));
}

TEST_CASE("jobs of half a cluster are two servers") {
    const Parameters parameters =
        coallocation_parameters("total", 1, choice("constant", {{"size", 16}}));
    for (const double rho : {0.3, 0.9}) {
        const TheoryContext context = fcfs({32}, ExperimentKind::open, rho);
        const double response = 1 / (1 - rho * rho);
        CHECK(*known(parameters, context, "response_time.mean") == Approx(response));
        CHECK(*known(parameters, context, "wait.mean") == Approx(response - 1));
    }
}

TEST_CASE("jobs that exclude each other are one server of any service time") {
    Parameters parameters = coallocation_parameters("ordered", 0, uniform(5, 8));
    const TheoryContext context = fcfs(four_of_8(), ExperimentKind::open, 0.65);
    // E[size] = 26 of 32 processors: arrival rate 0.65 · 32 / 26 = 0.8, E[T] = 1/(1 − 0.8).
    CHECK(*known(parameters, context, "response_time.mean") == Approx(5));
    CHECK(!known(parameters, context, "response_time.mean", overlay));
    parameters.set("service", choice("deterministic", {{"value", 1.0}}));
    CHECK(*known(parameters, context, "response_time.mean") == Approx(3));
    parameters.set("interarrival", choice("deterministic", {{"value", 1.0}}));
    CHECK(!known(parameters, context, "response_time.mean"));
}

TEST_CASE("an unstable or not first come first served queue has no known response time") {
    const Parameters parameters = coallocation_parameters("ordered", 0, uniform(5, 8));
    TheoryContext context = fcfs(four_of_8(), ExperimentKind::open, 26.0 / 32);
    CHECK(coallocation().known_values(parameters, context).empty());
    context.utilization = 0.5;
    CHECK(known(parameters, context, "response_time.mean"));
    context.first_come_first_served = false;
    CHECK(!known(parameters, context, "response_time.mean"));
}

TEST_CASE("M/M/1 stands beside ordered requests up to the cluster's size as in Figure 5") {
    const Parameters wide = coallocation_parameters("ordered", 0, uniform(1, 8));
    // E[size] = 18: arrival rate 0.45 · 32 / 18 = 0.8.
    const TheoryContext context = fcfs(four_of_8(), ExperimentKind::open, 0.45);
    CHECK(*known(wide, context, "response_time.mean", overlay) == Approx(5));
    CHECK(!known(wide, context, "response_time.mean"));
    // Two jobs of [1, 4] always fit; a single server has nothing to do with them.
    const Parameters narrow = coallocation_parameters("ordered", 0, uniform(1, 4));
    CHECK(
        !known(narrow, fcfs(four_of_8(), ExperimentKind::open, 0.2), "response_time.mean", overlay)
    );
    // Arrival rate 0.6 · 32 / 18 > 1: M/M/1 would not be stable.
    CHECK(!known(wide, fcfs(four_of_8(), ExperimentKind::open, 0.6), "response_time.mean", overlay)
    );
}

TEST_CASE("one server has Pollaczek and Khinchine's mean for every service time") {
    // E[T] = 1 + 0.8 (1 + c²) / (2 · 0.2) = 1 + 2 (1 + c²).
    const std::vector<std::pair<engine::Choice, double>> services{
        {choice("exponential"), 1},
        {choice("deterministic"), 0},
        {choice("erlang", {{"shape", 4}}), 0.25},
        {choice("hyperexponential", {{"squared_variation", 4.84}}), 4.84},
        {choice("lognormal", {{"squared_variation", 1.718281828459045}}), 1.718281828459045},
        // Values 0.5 and 2 with 2/3 and 1/3: mean 1, variance 1/6 + 1/3 = 1/2.
        {choice(
             "empirical",
             {{"values", engine::Value::List{0.5, 2.0}}, {"weights", engine::Value::List{2, 1}}}
         ),
         0.5}};
    for (const auto& [service, squared_variation] : services) {
        CAPTURE(service.text());
        Parameters parameters = one_server();
        parameters.set("service", service);
        const TheoryContext context = fcfs({1}, ExperimentKind::open, 0.8);
        CHECK(
            *known(parameters, context, "response_time.mean")
            == Approx(1 + 2 * (1 + squared_variation)).epsilon(1e-14)
        );
    }
}

TEST_CASE("the first jobs of one server from empty have their own exact mean") {
    // p = 0.8/1.8 = 4/9: one, 13/9, and q p + p (2 p + p q) = 20/81 + 32/81 + 80/729 = 548/729
    // more.
    CHECK(*response(one_server_from_empty(1)) == 1);
    CHECK(*response(one_server_from_empty(2)) == Approx(11.0 / 9).epsilon(1e-14));
    CHECK(*response(one_server_from_empty(2, 1)) == Approx(13.0 / 9).epsilon(1e-14));
    CHECK(*response(one_server_from_empty(3, 2)) == Approx(1277.0 / 729).epsilon(1e-14));
    const TheoryContext context = one_server_from_empty(200);
    CHECK(*response(context) < 5);
    CHECK(
        *known(one_server(), context, "wait.mean", from_empty)
        == Approx(*response(context) - 1).epsilon(1e-14)
    );
    // The stationary values stay beside.
    CHECK(*known(one_server(), context, "response_time.mean") == Approx(5));
    // Above saturation only the first jobs have a mean.
    Parameters overloaded = one_server();
    overloaded.set("interarrival", choice("exponential", {{"mean", 0.5}}));
    TheoryContext own_rate = context;
    own_rate.utilization.reset();
    CHECK(known(overloaded, own_rate, "response_time.mean", from_empty));
    CHECK(!known(overloaded, own_rate, "response_time.mean"));
}

TEST_CASE("jobs from empty are not known where they may start otherwise or are too many") {
    CHECK(!response(one_server_from_empty(0)));
    CHECK(!response(one_server_from_empty(5, 5)));
    CHECK(response(one_server_from_empty(5000)));
    CHECK(!response(one_server_from_empty(5001)));
    TheoryContext context = one_server_from_empty(200);
    context.horizon.queue_limit = 200;
    CHECK(response(context));
    context.horizon.queue_limit = 150;
    CHECK(!response(context));
    context = one_server_from_empty(200);
    context.horizon.start_backlog = 1;
    CHECK(!response(context));
    context = one_server_from_empty(200);
    context.first_come_first_served = false;
    CHECK(!response(context));
    for (const char* part : {"service", "interarrival"}) {
        Parameters parameters = one_server();
        parameters.set(part, choice("deterministic"));
        CHECK(!known(parameters, one_server_from_empty(200), "response_time.mean", from_empty));
    }
    // Two jobs of half the processors may run together.
    TheoryContext two = one_server_from_empty(200);
    two.system.clusters = {2};
    CHECK(!known(one_server(), two, "response_time.mean", from_empty));
}

TEST_CASE("a single job takes its service time on any system") {
    Parameters parameters = coallocation_parameters("unordered", 0, uniform(1, 8));
    parameters.set("service", choice("lognormal", {{"mean", 3.0}, {"squared_variation", 2.0}}));
    parameters.set("interarrival", choice("deterministic"));
    TheoryContext context = fcfs(four_of_8(), ExperimentKind::open, 0.5);
    context.horizon.jobs = 1;
    CHECK(*known(parameters, context, "response_time.mean", from_empty) == 3);
    context.horizon.jobs = 2;
    CHECK(!known(parameters, context, "response_time.mean", from_empty));
}

TEST_CASE("the saturation oracles are known values of their cells to six digits") {
    const auto values_of = [](const engine::Value::List& sizes,
                              const engine::Value::List& weights) {
        return choice("values", {{"sizes", sizes}, {"weights", weights}});
    };
    struct Oracle {
        engine::Choice sizes;
        std::uint32_t processors;
        double utilization;
    };
    const std::vector<Oracle> oracles{
        {uniform(1, 4), 4, .779537},
        {uniform(1, 32), 32, .706920},
        {uniform(1, 128), 128, .698821},
        {values_of({1, 2, 4, 8, 16, 32}, {}), 32, .634006},
        {values_of({1, 2, 4, 8, 16, 32, 64, 128}, {}), 128, .580937},
        {values_of({1, 10}, {}), 10, .649672},
        {values_of({1, 32}, {0.9, 0.1}), 32, .387718}};
    for (const Oracle& oracle : oracles) {
        CAPTURE(oracle.sizes.text());
        const Parameters parameters = coallocation_parameters("total", 1, oracle.sizes);
        const TheoryContext context = fcfs({oracle.processors}, ExperimentKind::saturated);
        const double busy = *known(parameters, context, "gross_utilization");
        CHECK(std::abs(busy - oracle.utilization) < 0.5e-6);
        CHECK(*known(parameters, context, "capacity_loss") == 1 - busy);
    }
}

TEST_CASE("nothing is claimed where capacity changes or a job cannot run") {
    const Parameters parameters = coallocation_parameters("total", 1, uniform(1, 4));
    TheoryContext context = fcfs({32}, ExperimentKind::saturated);
    context.system.outages.listed = {{.from = 5, .until = 9, .count = 1}};
    CHECK(coallocation().known_values(parameters, context).empty());
    CHECK(!limit(parameters, context));
    CHECK(!limit(parameters, fcfs({3}, ExperimentKind::saturated)));
}

TEST_CASE("closed forms of huge systems are left out rather than waited for") {
    const Parameters parameters = coallocation_parameters("total", 1, uniform(1, 100'000));
    CHECK(!limit(parameters, fcfs({100'000}, ExperimentKind::saturated)));
}

}  // namespace schedfarm::models
