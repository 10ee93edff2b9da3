// Jobs of other workloads in classes by their run times.
#include <cstdint>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "tests/models/drawn_jobs.hpp"

namespace schedfarm::models {

namespace {

using engine::ExperimentKind;
using engine::Job;
using engine::Value;
using tests::choice;

engine::Parameters classified(const engine::Choice& jobs, Value::List run_times) {
    return tests::parameters(
        "classified_version", {{"jobs", jobs}, {"run_times", std::move(run_times)}}
    );
}

engine::Choice listed_jobs() {
    return choice(
        "listed",
        {{"service_times", Value::List{599.5, 600.0, 10799.5, 10800.0, 0.0}},
         {"sizes", Value::List{4, 3, 2, 1, 1}},
         {"requested_times", Value::List{700.0, 700.0, 20000.0, 20000.0, 20000.0}},
         {"fixed_starts", Value::List{-1, 50, -1, -1, -1}},
         {"queues", Value::List{7, 6, 5, 4, 3}}}
    );
}

std::vector<Job> jobs_of(const char* model, const engine::Parameters& given, std::size_t count) {
    std::vector<Job> jobs;
    const auto context = tests::context_of({64}, ExperimentKind::offline);
    tests::for_jobs(model, given, context, count, [&](const Job& job) { jobs.push_back(job); });
    return jobs;
}

const engine::WorkloadModelDescription& model() {
    return *find_model("classified_version");
}

}  // namespace

// By run times, not requests: jobs 0 and 4 have request classes 1 and 2.
TEST_CASE("a job that runs as long as a limit is of the class above") {
    const auto jobs = jobs_of("classified_version", classified(listed_jobs(), {600.0, 10800.0}), 5);
    std::vector<std::uint32_t> classes;
    for (const Job& job : jobs) {
        classes.push_back(job.job_class);
    }
    CHECK(classes == std::vector<std::uint32_t>{0, 1, 1, 2, 0});
    CHECK(jobs[1].fixed_start == 50);
    CHECK(jobs[1].queue == 6);
    CHECK(jobs[1].estimate == 700);
    CHECK(jobs[1].size == 3);
}

TEST_CASE("classes have names, those of the workload's own are replaced") {
    const auto own = choice("trace", {{"file", "example"}, {"classes", "sizes"}});
    const auto context = tests::context_of({64}, ExperimentKind::trace);
    const auto workload = model().make(classified(own, {10.0, 100.0, 1000.0}), context);
    CHECK(workload->traits().job_classes == 4);
    CHECK(
        workload->traits().class_names
        == std::vector<std::string>{
            "run time < 10", "10 <= run time < 100", "100 <= run time < 1000", "run time >= 1000"}
    );
    tests::for_jobs(
        "classified_version",
        classified(own, {10.0, 100.0, 1000.0}),
        context,
        1000,
        [](const Job& job) {
            const double run = job.service_time;
            CHECK(job.job_class == (run < 10 ? 0 : run < 100 ? 1 : run < 1000 ? 2 : 3));
        }
    );
}

TEST_CASE("the classes stay where the jobs reserve") {
    const auto reserved = tests::parameters(
        "reserved_version",
        {{"jobs",
          choice(
              "classified_version", {{"jobs", listed_jobs()}, {"run_times", Value::List{10000.0}}}
          )},
         {"share", 1.0}}
    );
    const auto jobs = jobs_of("reserved_version", reserved, 5);
    CHECK(jobs[1].job_class == 0);
    CHECK(jobs[2].job_class == 1);
}

TEST_CASE("limits that make no classes are refused") {
    const auto problems = [](Value::List run_times) {
        return model().alternative.check(classified(listed_jobs(), std::move(run_times)));
    };
    CHECK(problems({600.0}).empty());
    REQUIRE(problems({}).size() == 1);
    CHECK(problems({})[0].parameter == "run_times");
    REQUIRE(problems({600.0, 60.0}).size() == 1);
    CHECK(problems({600.0, 60.0})[0].reason == "600 stands before 60 (no job is between)");
    CHECK(problems({60.0, 60.0}).size() == 1);
    CHECK(problems(Value::List(65, 1.0)).size() == 1);
}

}  // namespace schedfarm::models
