// What theory says of cells of the co-allocation model, and where it is silent.
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
        CHECK(*known(parameters, context, "queueing_time.mean") == Approx(response - 1));
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

TEST_CASE("nothing is claimed where capacity changes or a job cannot run") {
    const Parameters parameters = coallocation_parameters("total", 1, uniform(1, 4));
    TheoryContext context = fcfs({32}, ExperimentKind::saturated);
    context.system.capacity_changes = {{.time = 5, .first_processor = 0, .count = 1}};
    CHECK(coallocation().known_values(parameters, context).empty());
    CHECK(!limit(parameters, context));
    CHECK(!limit(parameters, fcfs({3}, ExperimentKind::saturated)));
}

TEST_CASE("closed forms of huge systems are left out rather than waited for") {
    const Parameters parameters = coallocation_parameters("total", 1, uniform(1, 100'000));
    CHECK(!limit(parameters, fcfs({100'000}, ExperimentKind::saturated)));
}

}  // namespace schedfarm::models
