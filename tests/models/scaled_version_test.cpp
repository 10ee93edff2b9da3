// Workloads scaled to a utilization.
#include <cmath>
#include <vector>

#include <doctest/doctest.h>

#include "tests/models/drawn_jobs.hpp"
#include "tests/support/within.hpp"

namespace schedfarm::models {

namespace {

using engine::ExperimentKind;
using engine::Job;
using engine::Value;
using tests::choice;
using tests::within;

engine::Choice listed_jobs() {
    return choice(
        "listed",
        {{"service_times", Value::List{10.0, 20.5, 0.25, 40.0}},
         {"sizes", Value::List{4, 2, 1, 3}},
         {"submit_times", Value::List{10.0, 20.0, 50.0, 70.0}},
         {"requested_times", Value::List{10.0, 30.5, 0.5, 40.0}},
         {"fixed_starts", Value::List{-1, 25, -1, -1}}}
    );
}

std::vector<Job> jobs_of(
    const engine::Choice& original,
    std::vector<std::pair<std::string, Value>> values,
    std::size_t count,
    const engine::WorkloadContext& context
) {
    values.emplace_back("jobs", original);
    std::vector<Job> jobs;
    tests::for_jobs(
        "scaled_version",
        tests::parameters("scaled_version", values),
        context,
        count,
        [&](const Job& job) { jobs.push_back(job); }
    );
    return jobs;
}

}  // namespace

// The first three jobs have the area 4 · 10 + 2 · 20.5 + 1 · .25 = 81.25 and come within 40 s. On 5
// processors .65 of them are 130 processor seconds in those 40 s; to offer that the same jobs must
// come within 25 s: times are multiplied by 81.25 / 130 = .625. Job 1 keeps its lead of 5 s.
TEST_CASE("the first jobs offer the utilization, the others come at the same scale") {
    const auto jobs = jobs_of(
        listed_jobs(),
        {{"utilization", 0.65}, {"count", 3}},
        4,
        tests::context_of({5}, ExperimentKind::open)
    );
    CHECK(jobs[0].submit_time == 6.25);
    CHECK(jobs[1].submit_time == 12.5);
    CHECK(jobs[2].submit_time == 31.25);
    CHECK(jobs[3].submit_time == 43.75);
    CHECK(jobs[1].fixed_start == 17.5);
    CHECK(jobs[0].fixed_start == engine::no_fixed_start);
    CHECK(jobs[1].service_time == 20.5);
    CHECK(jobs[1].estimate == 30.5);
    CHECK(jobs[1].size == 2);
}

// Run times become 10, 20 and 1: the area is 40 + 40 + 1 = 81, the factor 81/130 = .6230…, and
// submits 6.23, 12.46, 31.15 and 43.6 are cut.
TEST_CASE("times are cut to whole seconds, of run times before they are added up") {
    const auto jobs = jobs_of(
        listed_jobs(),
        {{"utilization", 0.65}, {"count", 3}, {"whole_seconds", true}},
        4,
        tests::context_of({5}, ExperimentKind::open)
    );
    const std::vector<double> submits{6, 12, 31, 43};
    const std::vector<double> runs{10, 20, 1, 40};
    const std::vector<double> estimates{10, 30, 1, 40};
    for (std::size_t i = 0; i < 4; ++i) {
        CAPTURE(i);
        CHECK(jobs[i].submit_time == submits[i]);
        CHECK(jobs[i].service_time == runs[i]);
        CHECK(jobs[i].estimate == estimates[i]);
    }
    CHECK(jobs[1].fixed_start == 17);
}

TEST_CASE("a sample has the utilization that its study asks for, whatever the model's mean is") {
    auto context = tests::open_context(128);
    const auto offered = [&](std::uint32_t replication, bool is_whole) {
        context.replication = replication;
        double area = 0;
        double last = 0;
        const auto jobs = jobs_of(
            choice("lublin_feitelson", {{"jobs", "typeless"}}),
            {{"utilization", 0.825}, {"count", 2000}, {"whole_seconds", is_whole}},
            2000,
            context
        );
        for (const Job& job : jobs) {
            area += job.size * job.service_time;
            last = job.submit_time;
        }
        return area / 128 / (last - jobs[0].submit_time);
    };
    for (const std::uint32_t replication : {0U, 1U, 2U}) {
        CHECK(offered(replication, false) == within(1e-9, 0.825));
        CHECK(offered(replication, true) == within(1e-5, 0.825));  // submits are cut
    }
}

TEST_CASE("jobs stay the same at all utilizations, and beyond those that are scaled") {
    const auto original = choice("trace", {{"file", "example"}});
    const auto context = tests::context_of({64}, ExperimentKind::trace);
    const auto low = jobs_of(original, {{"utilization", 0.4}, {"count", 700}}, 3000, context);
    const auto high = jobs_of(original, {{"utilization", 0.8}, {"count", 700}}, 3000, context);
    const auto kept = jobs_of(original, {{"utilization", 0.0}}, 3000, context);
    for (std::size_t i = 0; i < low.size(); ++i) {
        CHECK(low[i].submit_time / 2 == doctest::Approx(high[i].submit_time).epsilon(1e-12));
        CHECK(low[i].service_time == kept[i].service_time);
        CHECK(low[i].size == kept[i].size);
        CHECK(low[i].user == kept[i].user);
        CHECK(low[i].index == kept[i].index);
    }
}

// Jobs that are all there at time 0 have no times between them.
TEST_CASE("jobs of one instant are not scaled") {
    const auto at_once =
        choice("listed", {{"service_times", Value::List{1.0, 2.0}}, {"sizes", Value::List{1, 1}}});
    const auto jobs = jobs_of(at_once, {}, 2, tests::context_of({5}, ExperimentKind::offline));
    CHECK(jobs[1].submit_time == 0);
}

}  // namespace schedfarm::models
