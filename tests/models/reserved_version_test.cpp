// Advance reservations made of other workloads.
#include <cmath>

#include <doctest/doctest.h>

#include "engine/random/stream.hpp"

#include "tests/models/drawn_jobs.hpp"

namespace schedfarm::models {

namespace {

using engine::ExperimentKind;
using engine::Job;
using engine::Value;
using tests::choice;

/// A log's jobs, a quarter of which reserve, as resampled; the lead time is `lead`.
engine::Parameters reserved(const engine::Choice& lead, double share = 0.25) {
    return tests::parameters(
        "reserved_version",
        {{"jobs", choice("trace", {{"file", "example"}})}, {"share", share}, {"lead_time", lead}}
    );
}

template <typename Work>
void for_jobs(const engine::Parameters& given, const Work& work) {
    const auto context = tests::context_of({64}, ExperimentKind::trace);
    tests::for_jobs("reserved_version", given, context, 4000, work);
}

}  // namespace

TEST_CASE("a share of the jobs reserve their start and nothing else changes") {
    std::vector<Job> expected;
    tests::for_jobs(
        "trace",
        tests::parameters("trace", {{"file", "example"}}),
        tests::context_of({64}, ExperimentKind::trace),
        4000,
        [&](const Job& job) { expected.push_back(job); }
    );
    const auto context = tests::context_of({64}, ExperimentKind::trace);
    const engine::Stream draws(context.seed, engine::Purpose::estimates, context.replication);
    double reservations = 0;
    for_jobs(reserved(choice("deterministic", {{"value", 600.0}})), [&](const Job& job) {
        const Job& original = expected.at(job.index);
        CHECK(job.submit_time == original.submit_time);
        CHECK(job.service_time == original.service_time);
        CHECK(job.estimate == original.estimate);
        CHECK(job.size == original.size);
        CHECK(job.user == original.user);
        CHECK(job.queue == original.queue);
        const double u = engine::unit_interval(draws.draw((std::uint64_t{1} << 60) + job.index));
        CHECK(job.fixed_start == (u < 0.25 ? job.submit_time + 600 : engine::no_fixed_start));
        reservations += u < 0.25 ? 1 : 0;
    });
    tests::check_share(reservations, 4000, 0.25);
}

TEST_CASE("lead times have their distribution") {
    tests::Sample leads;
    for_jobs(reserved(choice("exponential", {{"mean", 300.0}}), 1), [&](const Job& job) {
        CHECK(job.fixed_start >= job.submit_time);
        leads.add(job.fixed_start - job.submit_time);
    });
    CHECK(leads.count() == 4000);
    CHECK(std::abs(leads.mean() - 300) < tests::z * leads.error());
}

TEST_CASE("without a share there are no reservations but those of the workload itself") {
    const auto* model = find_model("reserved_version");
    REQUIRE(model != nullptr);
    CHECK(model->facts(reserved(choice("exponential"))).has_fixed_starts);
    CHECK_FALSE(model->facts(reserved(choice("exponential"), 0)).has_fixed_starts);
    for_jobs(reserved(choice("exponential"), 0), [](const Job& job) {
        CHECK(job.fixed_start == engine::no_fixed_start);
    });
    const auto listed = tests::parameters(
        "reserved_version",
        {{"jobs",
          choice(
              "listed",
              {{"service_times", Value::List{5, 6}},
               {"sizes", Value::List{1, 1}},
               {"fixed_starts", Value::List{-1, 50}}}
          )},
         {"share", 1.0},
         {"lead_time", choice("deterministic", {{"value", 7.0}})}}
    );
    CHECK(model->facts(listed).has_fixed_starts);
    std::vector<double> starts;
    tests::for_jobs(
        "reserved_version",
        listed,
        tests::context_of({4}, ExperimentKind::offline),
        2,
        [&](const Job& job) { starts.push_back(job.fixed_start); }
    );
    CHECK(starts == std::vector<double>{7, 50});
}

TEST_CASE("what does not fit the original workload is said of it") {
    const auto* model = find_model("reserved_version");
    REQUIRE(model != nullptr);
    const auto problems = model->check_system(reserved(choice("exponential")), {.clusters = {16}});
    REQUIRE(problems.size() == 1);
    CHECK(problems[0].parameter == "jobs");
    CHECK(problems[0].reason.find("sizes: a job of the log needs 32 processors") == 0);
}

}  // namespace schedfarm::models
