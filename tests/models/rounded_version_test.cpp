// Jobs of other workloads whose users request round values.
#include <vector>

#include <doctest/doctest.h>

#include "tests/models/drawn_jobs.hpp"

namespace schedfarm::models {

namespace {

using engine::Value;
using tests::choice;

std::vector<double> requests_of(
    const engine::Choice& jobs, Value::List requests, double margin = 1
) {
    std::vector<double> found;
    tests::for_jobs(
        "rounded_version",
        tests::parameters(
            "rounded_version",
            {{"jobs", jobs}, {"requests", std::move(requests)}, {"margin", margin}}
        ),
        tests::context_of({64}, engine::ExperimentKind::offline),
        4,
        [&](const engine::Job& job) {
            CHECK(job.estimate >= job.service_time);
            found.push_back(job.estimate);
        }
    );
    return found;
}

}  // namespace

TEST_CASE("a request is raised to the next round value, and stays where it is one or beyond all") {
    const auto jobs = choice(
        "listed",
        {{"service_times", Value::List{50.0, 60.0, 100.0, 500.0}},
         {"sizes", Value::List{1, 1, 1, 1}},
         {"requested_times", Value::List{59.5, 300.0, 300.5, 4000.0}}}
    );
    CHECK(requests_of(jobs, {60.0, 300.0, 3600.0}) == std::vector<double>{60, 300, 3600, 4000});
    CHECK(requests_of(jobs, {}) == std::vector<double>{59.5, 300, 300.5, 4000});
}

TEST_CASE("where a workload knows no requests its run times are raised") {
    const auto jobs = choice(
        "listed",
        {{"service_times", Value::List{50.0, 60.0, 100.0, 5000.0}},
         {"sizes", Value::List{1, 1, 1, 1}}}
    );
    CHECK(requests_of(jobs, {60.0, 300.0, 3600.0}) == std::vector<double>{60, 60, 300, 5000});
    // 100, 120, 200 and 10,000.
    CHECK(requests_of(jobs, {60.0, 100.0}, 2) == std::vector<double>{100, 120, 200, 10000});
}

TEST_CASE("round values rise") {
    const auto problems = [](double second) {
        const Value::List requests{60.0, second};
        return find_model("rounded_version")
            ->alternative
            .check(tests::parameters(
                "rounded_version", {{"jobs", choice("downey_97", {})}, {"requests", requests}}
            ))
            .size();
    };
    CHECK(problems(300) == 0);
    CHECK(problems(60) == 1);
}

}  // namespace schedfarm::models
