// Memory drawn for the jobs of other workloads.
#include <array>
#include <map>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "engine/random/stream.hpp"

#include "tests/models/drawn_jobs.hpp"

namespace schedfarm::models {

namespace {

using engine::ExperimentKind;
using engine::Job;
using engine::Value;
using tests::choice;

const engine::WorkloadModelDescription& model() {
    return *find_model("memory_version");
}

engine::WorkloadContext context(
    double memory, std::uint32_t processors, ExperimentKind experiment = ExperimentKind::open
) {
    auto result = tests::context_of({processors}, experiment);
    result.system.memory_per_processor = memory;
    return result;
}

engine::Choice whole_sample() {
    return choice("lublin_feitelson", {{"jobs", "typeless"}});
}

engine::Choice shares(Value::List values) {
    return choice("shares", {{"shares", std::move(values)}});
}

engine::Parameters with_memory(const engine::Choice& jobs, Value::List memory) {
    return tests::parameters("memory_version", {{"jobs", jobs}, {"memory", std::move(memory)}});
}

}  // namespace

// Types begin at 600 s and 10800 s. Each has one share: 100, 200 and 400 of 400 units.
TEST_CASE("a job has memory by its run time, and keeps all else") {
    const auto listed = choice(
        "listed",
        {{"service_times", Value::List{599.5, 600.0, 10799.5, 10800.0}},
         {"sizes", Value::List{4, 3, 2, 1}},
         {"requested_times", Value::List{20000.0, 20000.0, 20000.0, 20000.0}},
         {"queues", Value::List{7, 6, 5, 4}}}
    );
    std::vector<Job> jobs;
    tests::for_jobs(
        "memory_version",
        with_memory(listed, {shares({0.25}), shares({0.5}), shares({1.0})}),
        context(400, 8, ExperimentKind::offline),
        4,
        [&](const Job& job) { jobs.push_back(job); }
    );
    CHECK(jobs[0].memory_per_processor == 100);
    CHECK(jobs[1].memory_per_processor == 200);
    CHECK(jobs[2].memory_per_processor == 200);
    CHECK(jobs[3].memory_per_processor == 400);
    CHECK(jobs[1].size == 3);
    CHECK(jobs[1].queue == 6);
    CHECK(jobs[1].estimate == 20000);
}

// Appendix D: of ten entries each. Expected numbers of jobs by memory in units of a node's 400.
TEST_CASE("the lists of the thesis are drawn with the probabilities of Appendix D") {
    using Tenths = std::map<double, double>;  // of the entries, by units
    const std::map<std::string, Tenths> published = {
        {"default", {{120, 3}, {160, 2}, {200, 2}, {240, 1}, {400, 2}}},
        {"high", {{240, 2}, {280, 2}, {320, 2}, {360, 2}, {400, 2}}},
        {"low", {{40, 2}, {80, 3}, {120, 2}, {160, 2}, {200, 1}}},
        {"very_high", {{280, 2}, {320, 2}, {360, 2}, {400, 4}}},
        {"very_low", {{40, 3}, {80, 3}, {120, 3}, {160, 1}}}};
    for (const auto& [name, tenths] : published) {
        CAPTURE(name);
        Tenths drawn;
        tests::for_jobs(
            "memory_version",
            with_memory(whole_sample(), {choice(name), choice(name), choice(name)}),
            context(400, 128),
            20'000,
            [&](const Job& job) { ++drawn[job.memory_per_processor]; }
        );
        CHECK(drawn.size() == tenths.size());
        for (const auto& [units, entries] : tenths) {
            CAPTURE(units);
            tests::check_share(drawn[units], 20'000, entries / 10);
        }
    }
}

// MM1: long jobs high, medium default, short low. The means are .8, .53 and .27 of a node.
TEST_CASE("types have memory of their own, the shortest first") {
    std::array<tests::Sample, 3> units;
    tests::for_jobs(
        "memory_version",
        with_memory(whole_sample(), {choice("low"), choice("default"), choice("high")}),
        context(400, 128),
        50'000,
        [&](const Job& job) {
            units.at(job.service_time < 600     ? 0
                     : job.service_time < 10800 ? 1
                                                : 2)
                .add(job.memory_per_processor);
        }
    );
    const std::array<double, 3> expected{0.27 * 400, 0.53 * 400, 0.8 * 400};
    for (std::size_t type = 0; type < 3; ++type) {
        CAPTURE(type);
        CHECK(
            std::abs(units.at(type).mean() - expected.at(type)) <= tests::z * units.at(type).error()
        );
    }
}

TEST_CASE("a job's memory is its own draw, the same whatever the load and the assignment") {
    const auto given =
        with_memory(whole_sample(), {shares({0.0, 0.5}), choice("low"), choice("low")});
    auto loaded = context(400, 128);
    loaded.utilization = 0.7;
    const engine::Stream draws(loaded.seed, engine::Purpose::memory, loaded.replication);
    tests::for_jobs("memory_version", given, loaded, 3000, [&](const Job& job) {
        if (job.service_time < 600) {
            const double u = engine::unit_interval(draws.draw(job.index));
            CHECK(job.memory_per_processor == (u < 0.5 ? 0 : 200));
        }
    });
}

TEST_CASE("classes by run time stay inside") {
    const auto classified = choice("classified_version", {{"jobs", whole_sample()}});
    const auto given = with_memory(classified, {choice("low"), choice("low"), choice("low")});
    tests::for_jobs("memory_version", given, context(400, 128), 1000, [](const Job& job) {
        CHECK(job.job_class == (job.service_time < 600 ? 0 : job.service_time < 10800 ? 1 : 2));
    });
}

TEST_CASE("memory that makes no sense is refused") {
    const auto problems = [](Value::List memory, Value::List run_times) {
        return model().alternative.check(tests::parameters(
            "memory_version",
            {{"jobs", whole_sample()},
             {"memory", std::move(memory)},
             {"run_times", std::move(run_times)}}
        ));
    };
    CHECK(problems({choice("low"), choice("high")}, {600.0}).empty());
    CHECK(problems({choice("low")}, {}).empty());
    REQUIRE(problems({choice("low")}, {600.0}).size() == 1);
    CHECK(
        problems({choice("low")}, {600.0})[0].reason
        == "1 lists of shares for 2 types (every type needs one)"
    );
    CHECK(problems({choice("low"), shares({}), choice("low")}, {1.0, 2.0}).size() == 1);
    REQUIRE(problems({choice("low"), choice("low"), choice("low")}, {2.0, 2.0}).size() == 1);
    CHECK(
        problems({choice("low"), choice("low"), choice("low")}, {2.0, 2.0})[0].parameter
        == "run_times"
    );
}

// The largest jobs of the log need more than 100 KB.
TEST_CASE("memory of the workload itself is replaced, and fits or not") {
    const engine::Choice log = choice("trace", {{"file", "example"}});
    const engine::SystemDescription small{.clusters = {64}, .memory_per_processor = 100};
    CHECK_FALSE(find_model("trace")
                    ->check_system(tests::parameters("trace", {{"file", "example"}}), small)
                    .empty());
    const auto given = with_memory(log, {choice("low"), choice("low"), choice("low")});
    CHECK(model().check_system(given, small).empty());
    tests::for_jobs(
        "memory_version",
        given,
        context(100, 64, ExperimentKind::trace),
        500,
        [](const Job& job) { CHECK(job.memory_per_processor <= 50); }
    );
}

TEST_CASE("shares of no memory are refused") {
    const auto given = with_memory(whole_sample(), {choice("low"), choice("low"), choice("low")});
    CHECK(model().check_system(given, {.clusters = {128}, .memory_per_processor = 400}).empty());
    const auto problems = model().check_system(given, {.clusters = {128}});
    REQUIRE(problems.size() == 1);
    CHECK(problems[0].parameter == "memory");
    CHECK(
        problems[0].suggestion
        == "Write system: {memory_per_processor: 400}, or leave memory_version out."
    );
}

TEST_CASE("the largest memory is known before the jobs are drawn") {
    const auto most = [](const engine::Parameters& given) {
        return model().make(given, context(400, 128))->traits().max_memory_per_processor;
    };
    CHECK(most(with_memory(whole_sample(), {choice("low"), choice("low"), choice("low")})) == 200);
    CHECK(most(with_memory(whole_sample(), {choice("low"), choice("high"), choice("low")})) == 400);
    const auto without = tests::parameters("lublin_feitelson");
    const auto workload = find_model("lublin_feitelson")->make(without, context(400, 128));
    CHECK(workload->traits().max_memory_per_processor == 0);
}

}  // namespace schedfarm::models
