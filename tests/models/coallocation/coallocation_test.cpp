// The co-allocation model: common random numbers, scaling of arrivals, classes, and its checks.
#include <doctest/doctest.h>

#include "tests/models/settings.hpp"

namespace schedfarm::models {

namespace {

using engine::ExperimentKind;
using engine::ParameterProblem;
using engine::Parameters;
using engine::Value;
using tests::coallocation;
using tests::coallocation_parameters;
using tests::context_of;
using tests::draw;
using tests::DrawnJobs;
using tests::uniform;

std::vector<ParameterProblem> problems(
    const Parameters& parameters, std::vector<std::uint32_t> clusters
) {
    return coallocation().check_system(parameters, {.clusters = std::move(clusters)});
}

void check_problem(
    const Parameters& parameters,
    std::vector<std::uint32_t> clusters,
    const std::string& parameter,
    const std::string& reason
) {
    const auto found = problems(parameters, std::move(clusters));
    REQUIRE(found.size() == 1);
    CHECK(found[0].parameter == parameter);
    CHECK(found[0].reason == reason);
    CHECK(found[0].suggestion.back() == '.');
}

}  // namespace

TEST_CASE("loads and request structures and experiments share sizes and service times") {
    const Parameters total = coallocation_parameters("total", 4, tests::mixture_of_section_4_4());
    const DrawnJobs jobs = draw(total, context_of({8, 8, 8, 8}, ExperimentKind::open, 0.5), 5);
    for (const char* request : {"total", "ordered", "unordered", "grouped"}) {
        const Parameters other =
            coallocation_parameters(request, 4, tests::mixture_of_section_4_4());
        for (const double utilization : {0.2, 0.9}) {
            const auto context = context_of({8, 8, 8, 8}, ExperimentKind::open, utilization);
            const DrawnJobs others = draw(other, context, 5);
            CHECK(others.components == jobs.components);
            CHECK(others.sizes == jobs.sizes);
            CHECK(others.service_times == jobs.service_times);
        }
        const auto saturated = context_of({8, 8, 8, 8}, ExperimentKind::saturated);
        CHECK(draw(other, saturated, 5).components == jobs.components);
        CHECK(draw(other, saturated, 5).service_times == jobs.service_times);
        const auto filling = context_of({8, 8, 8, 8}, ExperimentKind::bin_filling);
        CHECK(draw(other, filling, 5).components == jobs.components);
        CHECK(draw(other, filling, 5).service_times.empty());
    }
}

TEST_CASE("the mean interarrival time is known where jobs arrive") {
    Parameters parameters = coallocation_parameters("total", 2, uniform(1, 4));
    parameters.set("interarrival", tests::choice("deterministic", {{"value", 0.75}}));
    const auto mean_of = [&](ExperimentKind kind, std::optional<double> utilization) {
        const auto context = context_of({16}, kind, utilization);
        return coallocation().make(parameters, context)->traits().mean_interarrival_time;
    };
    // The model's own; E[size] E[service] / (utilization * processors) = 5 * 1 / (0.5 * 16).
    CHECK(mean_of(ExperimentKind::open, std::nullopt) == 0.75);
    CHECK(mean_of(ExperimentKind::open, 0.5) == 0.625);
    CHECK(!mean_of(ExperimentKind::saturated, std::nullopt));
}

TEST_CASE("twice the load is twice as fast with the same pattern of arrivals") {
    const Parameters parameters = coallocation_parameters("total", 1, uniform(1, 4));
    const DrawnJobs slow = draw(parameters, context_of({32}, ExperimentKind::open, 0.25), 3);
    const DrawnJobs fast = draw(parameters, context_of({32}, ExperimentKind::open, 0.5), 3);
    for (std::size_t i = 0; i < slow.submit_times.size(); ++i) {
        CHECK(fast.submit_times[i] == doctest::Approx(slow.submit_times[i] / 2).epsilon(1e-12));
    }
}

TEST_CASE("a deterministic interarrival time meets the utilization exactly") {
    Parameters parameters = coallocation_parameters("total", 2, uniform(1, 3));
    parameters.set("interarrival", tests::choice("deterministic", {{"value", 5.0}}));
    parameters.set("service", tests::choice("deterministic", {{"value", 3.0}}));
    // E[size] = 4, E[service] = 3: 12 per job; utilization 1/2 of 8 processors is 4 per unit of
    // time: one arrival in 3.
    const DrawnJobs jobs = draw(parameters, context_of({8}, ExperimentKind::open, 0.5), 1);
    CHECK(jobs.submit_times[0] == 3);
    CHECK(jobs.submit_times[9] == 30);
}

TEST_CASE("without a utilization arrivals keep their own mean to the bit") {
    Parameters parameters = coallocation_parameters("total", 1, uniform(1, 3));
    parameters.set("interarrival", tests::choice("deterministic", {{"value", 49.0}}));
    const DrawnJobs jobs = draw(parameters, context_of({8}), 1);
    CHECK(jobs.submit_times[99] == 4900);
}

TEST_CASE("outside the open experiment all jobs are there at time zero") {
    const Parameters parameters = coallocation_parameters("total", 1, uniform(1, 3));
    for (const ExperimentKind kind : {ExperimentKind::saturated, ExperimentKind::offline}) {
        const DrawnJobs jobs = draw(parameters, context_of({8}, kind), 2);
        CHECK(jobs.submit_times == std::vector<double>(jobs.sizes.size(), 0.0));
    }
}

TEST_CASE("no number of components means one for every cluster") {
    const Parameters parameters = coallocation_parameters("ordered", 0, uniform(1, 3));
    const auto model = coallocation().make(parameters, context_of({8, 8, 4}));
    CHECK(model->traits().max_components == 3);
    CHECK(model->traits().max_size == 9);
    CHECK(*model->traits().mean_size == 6);
}

TEST_CASE("classes are formed by upper limits of the size") {
    Parameters parameters = coallocation_parameters("total", 1, uniform(1, 9));
    parameters.set("size_classes", Value::List{2, 5});
    const auto model = coallocation().make(parameters, context_of({16}));
    CHECK(model->traits().job_classes == 3);
    CHECK(
        model->traits().class_names
        == std::vector<std::string>{"1 to 2 processors", "3 to 5 processors", "6 to 9 processors"}
    );
    engine::JobBlock block;
    model->next(block);
    for (std::size_t i = 0; i < block.count; ++i) {
        const std::uint32_t size = block.size[i];
        CHECK(block.job_class[i] == (size <= 2 ? 0U : size <= 5 ? 1U : 2U));
    }
    // The last limit is the largest size: there is no further class.
    parameters.set("size_classes", Value::List{2, 9});
    const auto fewer = coallocation().make(parameters, context_of({16}));
    CHECK(fewer->traits().job_classes == 2);
    CHECK(fewer->traits().class_names.back() == "3 to 9 processors");
    parameters.set("size_classes", Value::List{5, 5});
    CHECK(coallocation().alternative.check(parameters).size() == 1);
}

TEST_CASE("more components than clusters are refused unless they may share") {
    for (const char* request : {"ordered", "unordered"}) {
        check_problem(
            coallocation_parameters(request, 3, uniform(1, 2)),
            {8, 8},
            "components",
            "3 components but 2 clusters (every component needs a cluster of its own)"
        );
    }
    CHECK(problems(coallocation_parameters("grouped", 3, uniform(1, 2)), {8, 8}).empty());
    CHECK(problems(coallocation_parameters("total", 3, uniform(1, 2)), {8, 8}).empty());
}

TEST_CASE("a component that its cluster cannot hold is refused") {
    check_problem(
        coallocation_parameters("ordered", 2, uniform(1, 5)),
        {8, 4},
        "component_size",
        "a component can be of 5 processors but the cluster of component 2 has 4 (the job would "
        "never start)"
    );
    CHECK(problems(coallocation_parameters("ordered", 1, uniform(1, 5)), {8, 4}).empty());
    check_problem(
        coallocation_parameters("unordered", 1, uniform(1, 9)),
        {4, 8},
        "component_size",
        "a component can be of 9 processors but the largest cluster has 8 (the job would never "
        "start)"
    );
    check_problem(
        coallocation_parameters("unordered", 3, uniform(1, 5)),
        {4, 8, 6},
        "component_size",
        "a component can be of 5 processors but number 3 of the clusters by size has 4 (the job "
        "would never start)"
    );
    CHECK(problems(coallocation_parameters("unordered", 2, uniform(1, 6)), {4, 8, 6}).empty());
}

TEST_CASE("a request beyond the system is refused") {
    check_problem(
        coallocation_parameters("total", 4, uniform(1, 5)),
        {8, 8},
        "component_size",
        "a request can be of 20 processors but the system has 16 (the job would never start)"
    );
    // Clusters of 8 and 7 hold one component of 5 each.
    check_problem(
        coallocation_parameters("grouped", 3, uniform(1, 5)),
        {8, 7},
        "component_size",
        "3 components of up to 5 processors do not fit the empty system (the job would never "
        "start)"
    );
    CHECK(problems(coallocation_parameters("grouped", 3, uniform(1, 4)), {8, 7}).empty());
}

}  // namespace schedfarm::models
