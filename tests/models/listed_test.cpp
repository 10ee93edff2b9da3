// Jobs listed in the campaign.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <unistd.h>

#include "tests/models/settings.hpp"

namespace schedfarm::models {

namespace {

using engine::ExperimentKind;
using engine::Parameters;
using engine::Value;
using Numbers = std::vector<double>;

const engine::WorkloadModelDescription& listed() {
    const engine::WorkloadModelDescription* model = find_model("listed");
    REQUIRE(model != nullptr);
    return *model;
}

Parameters jobs(Value::List service_times, Value::List sizes, Value::List submit_times) {
    Parameters given;
    given.set("service_times", std::move(service_times));
    given.set("sizes", std::move(sizes));
    given.set("submit_times", std::move(submit_times));
    return with_defaults(listed().alternative.parameters, given);
}

std::string problem_of(const Parameters& parameters) {
    const auto found = listed().alternative.check(parameters);
    return found.empty() ? "" : found[0].parameter + ": " + found[0].reason;
}

}  // namespace

TEST_CASE("listed jobs come as written and then no more") {
    const auto model = listed().make(jobs({4, 2.5}, {3, 1}, {0, 1.5}), tests::context_of({4}));
    CHECK(model->traits().max_size == 3);
    engine::JobBlock block;
    model->next(block);
    REQUIRE(block.count == 2);
    const engine::Job job = block.job(1);
    CHECK(job.index == 1);
    CHECK(job.submit_time == 1.5);
    CHECK(job.service_time == 2.5);
    CHECK(job.size == 1);
    model->next(block);
    CHECK(block.count == 0);
    CHECK(block.first_index == 2);
}

TEST_CASE("listed jobs may have requests and users and queues and fixed starts") {
    Parameters parameters = jobs({4, 2.5}, {3, 1}, {0, 1.5});
    CHECK(!listed().facts(parameters).has_fixed_starts);
    parameters.set("requested_times", Value::List{5, 3});
    parameters.set("fixed_starts", Value::List{-1, 7.5});
    parameters.set("users", Value::List{2, 1});
    parameters.set("queues", Value::List{0, 3});
    CHECK(problem_of(parameters).empty());
    CHECK(listed().facts(parameters).has_fixed_starts);
    const auto model = listed().make(parameters, tests::context_of({4}));
    CHECK(model->traits().has_fixed_starts);
    engine::JobBlock block;
    model->next(block);
    CHECK(block.job(0).fixed_start == engine::no_fixed_start);
    const engine::Job job = block.job(1);
    CHECK(job.fixed_start == 7.5);
    CHECK(job.estimate == 3);
    CHECK(job.service_time == 2.5);
    CHECK(job.user == 1);
    CHECK(job.queue == 3);
    parameters.set("queues", Value::List{1});
    CHECK(
        problem_of(parameters)
        == "queues: 2 service times but 1 queues (every job needs one, or none has)"
    );
}

TEST_CASE("the moldable jobs of a file come as it says") {
    const std::filesystem::path file =
        std::filesystem::temp_directory_path() / fmt::format("listed_{}_tasks.csv", getpid());
    const auto given = [&file](const std::string& text) {
        std::ofstream(file) << text;
        Parameters parameters;
        parameters.set("file", file.string());
        return with_defaults(listed().alternative.parameters, parameters);
    };
    Parameters parameters =
        given("# two\ntask,weight,p1,p2,p3\nfirst,2.5,4,2,1.5\n\nsecond,0,3,3,3\r\n");
    CHECK(problem_of(parameters).empty());
    const auto model = listed().make(parameters, tests::context_of({2}));
    engine::JobBlock block;
    model->next(block);
    REQUIRE(block.count == 2);
    const engine::Job job = block.job(0);
    CHECK(job.submit_time == 0);
    CHECK(job.service_time == 4);
    CHECK(job.size == 1);
    CHECK(job.weight == 2.5);
    REQUIRE(job.moldable != nullptr);
    CHECK(std::vector(job.moldable->times.begin(), job.moldable->times.end()) == Numbers{4, 2});
    CHECK(block.job(1).weight == 0);
    model->next(block);
    CHECK(block.count == 0);

    // A list beside the file, and another file than that of the checksum.
    const Parameters checked = listed().checksummed(parameters);
    CHECK(checked.text("sha256").size() == 64);
    CHECK(problem_of(checked).empty());
    parameters.set("service_times", Value::List{1});
    CHECK(
        problem_of(parameters)
        == "service_times: the jobs are those of 'file' (the list would be ignored)"
    );
    given("task,weight,p1\nanother,1,1\n");
    CHECK(problem_of(checked).find("this is another file (its SHA-256 is ") != std::string::npos);

    const auto wrong = [&](const std::string& text) {
        const std::string problem = problem_of(given(text));
        return problem.substr(std::min(problem.size(), problem.rfind("tasks.csv")));
    };
    const std::string header = " Write task,weight,p1,p2,... as the first line.";
    CHECK(
        wrong("task,weight\n")
        == "tasks.csv:1: column 3 is not 'p1' (columns have fixed names and places)." + header
    );
    CHECK(
        wrong("task,weight,p1,q\n")
        == "tasks.csv:1: column 4 is not 'p2' (columns have fixed names and places)." + header
    );
    CHECK(
        wrong("task,weight,p1\na,1\n")
        == "tasks.csv:2: 2 fields, not 3 (every task needs them all)." + header
    );
    CHECK(
        wrong("task,weight,p1\na,-1,1\n")
        == "tasks.csv:2: '-1' in column 2 is no weight (a number of at least 0). Write a decimal number "
           "such as 2.5."
    );
    CHECK(
        wrong("task,weight,p1\na,1,0\n")
        == "tasks.csv:2: '0' in column 3 is no time (a number above 0). Write a decimal number such as "
           "2.5."
    );
    CHECK(
        wrong("task,weight,p1\n")
        == "tasks.csv: there is no task in it. Write a header and a line per task."
    );
    std::filesystem::remove(file);
}

TEST_CASE("components are listed job by job and absent ones are zero") {
    Parameters parameters = jobs({4, 2.5}, {3, 2, 0, 4}, {});
    parameters.set("components", 2);
    parameters.set("request", "ordered");
    CHECK(problem_of(parameters).empty());
    const auto model = listed().make(parameters, tests::context_of({4, 4}));
    engine::JobBlock block;
    model->next(block);
    const auto components = [&](std::size_t i) {
        const engine::Job job = block.job(i);
        return std::vector<std::uint32_t>(job.components.begin(), job.components.end());
    };
    CHECK(components(0) == std::vector<std::uint32_t>{3, 2});
    CHECK(components(1) == std::vector<std::uint32_t>{0, 4});
    CHECK(block.job(0).size == 5);
    CHECK(block.job(1).submit_time == 0);
}

TEST_CASE("more jobs than a block holds come in several") {
    const Value::List ones(1300, Value(1));
    const auto model = listed().make(jobs(ones, ones, {}), tests::context_of({4}));
    engine::JobBlock block;
    std::size_t seen = 0;
    for (model->next(block); block.count > 0; model->next(block)) {
        CHECK(block.first_index == seen);
        seen += block.count;
    }
    CHECK(seen == 1300);
}

TEST_CASE("off line all listed jobs are there at time zero") {
    const auto model = listed().make(
        jobs({1, 1}, {1, 1}, {2, 3}), tests::context_of({4}, ExperimentKind::offline)
    );
    engine::JobBlock block;
    model->next(block);
    CHECK(block.submit_time == std::vector<double>{0, 0});
}

TEST_CASE("lists that do not go together are refused") {
    CHECK(problem_of(jobs({}, {}, {})) == "service_times: the list is empty (there are no jobs)");
    CHECK(
        problem_of(jobs({1, 1}, {1, 1}, {0}))
        == "submit_times: 2 service times but 1 submit times (every job needs both)"
    );
    CHECK(
        problem_of(jobs({1, 1}, {1, 1}, {2, 1}))
        == "submit_times: the times decrease (jobs are listed in the order of their arrival)"
    );
    CHECK(
        problem_of(jobs({1, 1}, {1}, {}))
        == "sizes: 2 service times but 1 sizes (every job needs 1)"
    );
    CHECK(
        problem_of(jobs({1, 1}, {1, 0}, {}))
        == "sizes: job 1 asks for no processors (it could not run)"
    );
}

TEST_CASE("a listed job that the system cannot hold is named") {
    const auto found = listed().check_system(jobs({1, 1}, {1, 5}, {}), {.clusters = {4}});
    REQUIRE(found.size() == 1);
    CHECK(found[0].parameter == "sizes");
    CHECK(
        found[0].reason
        == "job 1: a request can be of 5 processors but the system has 4 (the job would never "
           "start)"
    );
}

}  // namespace schedfarm::models
