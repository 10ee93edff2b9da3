// The words of a simulation mean what they mean in campaigns.
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "app/campaign/yaml/config_error.hpp"
#include "app/simulate/job_source.hpp"

namespace schedfarm::app {

namespace {

SimulationRequest request_with(std::vector<std::string> settings) {
    SimulationRequest request;
    request.trace = "example";
    request.policy = "easy";
    request.clusters = "8,16";
    request.settings = std::move(settings);
    return request;
}

std::string problem_of(const SimulationRequest& request) {
    try {
        open_cell(request);
    } catch (const ConfigErrors& errors) {
        return errors.what();
    }
    return "";
}

}  // namespace

TEST_CASE("settings reach the policy and the workload") {
    const SimulationRequest request = request_with(
        {"order=sjf", "workload.overrun=runs_on", "workload.statuses=[-1, 5]", "order=fcfs"}
    );
    CHECK(open_cell(request).cell.policy->parameters.text("order") == "fcfs");
    const engine::Choice workload = *open_cell(request).cell.workload;
    CHECK(workload.name == "trace");
    CHECK(workload.parameters.text("overrun") == "runs_on");
    CHECK(workload.parameters.at("statuses").as_list().size() == 2);
    CHECK(sets(request, "workload.overrun"));
    CHECK_FALSE(sets(request, "workload.shake"));
}

TEST_CASE("a policy may be written with its parameters, as in campaigns") {
    SimulationRequest request = request_with({"workload.sizes=[1, 8]"});
    request.policy = "{partitions: {inner: [{easy: {order: sjf}}, fcfs], processors: [8, 16]}}";
    const engine::Choice policy = *open_cell(request).cell.policy;
    CHECK(policy.name == "partitions");
    const engine::Value::List& inner = policy.parameters.at("inner").as_list();
    REQUIRE(inner.size() == 2);
    CHECK(inner[0].as_choice().parameters.text("order") == "sjf");
    CHECK(inner[1].as_choice().name == "fcfs");
    request.policy = "{partitions: {inner: easy, processors: [8, 16]}}";  // one for all
    CHECK(open_cell(request).cell.policy->parameters.at("inner").as_list().size() == 1);
    request.policy = "{partitions: {inner: []}}";
    CHECK(problem_of(request).find("must be at least one inner") != std::string::npos);
    request.policy = "{easy: {ordr: sjf}}";
    CHECK(problem_of(request).find("Did you mean 'order'?") != std::string::npos);
    request = request_with({"order=sjf"});
    request.policy = "{easy: {}}";
    CHECK(
        problem_of(request)
        == "--set order=sjf: the policy is written with its parameters (this one would be ignored). "
           "Write it into --policy."
    );
}

TEST_CASE("a parameter of the workload without its prefix is told from one of the policy") {
    CHECK(
        problem_of(request_with({"load_factor=1.2"}))
        == "--set load_factor=1.2: 'load_factor' is no parameter of policy 'easy', but one of "
           "workload model 'trace'. Did you mean 'workload.load_factor'?"
    );
}

TEST_CASE("a log is taken as it is but for jobs that do not fit") {
    const SimulationRequest request = request_with({});
    const Cell cell = open_cell(request).cell;
    CHECK(cell.system.clusters == std::vector<std::uint32_t>{8, 16});
    const engine::Parameters& parameters = cell.workload->parameters;
    CHECK(parameters.text("file") == "example");
    CHECK(parameters.text("resampling") == "none");
    CHECK(parameters.reals("sizes") == std::vector<double>{1, 24});
    const auto narrower = request_with({"workload.sizes=[2, 4]"});
    CHECK(
        open_cell(narrower).cell.workload->parameters.reals("sizes") == std::vector<double>{2, 4}
    );
    CHECK(problem_of(request_with({"workload.sizes=[25, 30]"})).find("24") != std::string::npos);
}

TEST_CASE("a wrong word is told with what was meant") {
    CHECK(
        problem_of(request_with({"ordr=sjf"}))
        == "--set ordr=sjf: unknown key 'ordr' in 'policy.easy' (it would be ignored). Did you mean "
           "'order'?"
    );
    CHECK(problem_of(request_with({"order"})).find("key=value") != std::string::npos);
    CHECK(problem_of(request_with({"=sjf"})).find("key=value") != std::string::npos);
    CHECK(problem_of(request_with({"order=[a"})).find("--set order=[a") != std::string::npos);
    CHECK(problem_of(request_with({"order=a\nb: c"})) != "");
    SimulationRequest request = request_with({"order=sjf"});
    for (const std::string clusters : {"8,,8", "8,", "8, "}) {
        CAPTURE(clusters);
        request.clusters = clusters;
        CHECK(
            problem_of(request)
            == "--clusters " + clusters + ": 'processors' must be an integer, not nothing"
        );
    }
    request = request_with({"order=sjf"});
    request.policy = "fcfs";
    CHECK(problem_of(request).find("unknown key 'order' in 'policy.fcfs'") != std::string::npos);
    request.policy = "fcsf";
    CHECK(problem_of(request) == "--policy fcsf: unknown policy 'fcsf'. Did you mean 'fcfs'?");
}

}  // namespace schedfarm::app
