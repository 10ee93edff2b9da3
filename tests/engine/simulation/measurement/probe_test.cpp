#include "engine/simulation/measurement/probe.hpp"

#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "engine/foundation/expect.hpp"

namespace schedfarm::engine {

namespace {

std::vector<std::string> names_of(const std::vector<ObservationColumn>& columns) {
    std::vector<std::string> names;
    for (const ObservationColumn& column : columns) {
        names.push_back(column.name);
        CHECK(!column.unit.empty());
        CHECK(column.meaning.back() == '.');
    }
    return names;
}

using Names = std::vector<std::string>;

}  // namespace

TEST_CASE("columns are named after metric and quantile and class") {
    ProbeSet probes;
    probes.requests.push_back(
        {.metric = Metric::response_time, .quantiles = {0.5, 0.95, 0.999}, .per_class = false}
    );
    probes.requests.push_back({.metric = Metric::gross_utilization, .quantiles = {}});
    probes.requests.push_back({.metric = Metric::slowdown, .quantiles = {0.5}, .per_class = true});
    probes.requests.push_back({.metric = Metric::queue_length, .quantiles = {}});
    CHECK(
        names_of(observation_columns(probes, {.kind = ExperimentKind::open}, 2))
        == Names{
            "backlog_growth",
            "wait.warm_up",
            "wait.first_half",
            "wait.second_half",
            "response_time.mean",
            "response_time.p50",
            "response_time.p95",
            "response_time.p99.9",
            "gross_utilization",
            "slowdown.mean",
            "slowdown.p50",
            "slowdown.largest_share",
            "slowdown.mean[class=0]",
            "slowdown.p50[class=0]",
            "slowdown.count[class=0]",
            "slowdown.mean[class=1]",
            "slowdown.p50[class=1]",
            "slowdown.count[class=1]",
            "queue_length.mean"}
    );
}

TEST_CASE("time averages by class are named like job metrics") {
    ProbeSet probes;
    probes.requests.push_back(
        {.metric = Metric::queue_length, .quantiles = {0.9}, .per_class = true}
    );
    probes.requests.push_back(
        {.metric = Metric::gross_utilization, .quantiles = {}, .per_class = true}
    );
    const auto columns = observation_columns(probes, {.kind = ExperimentKind::offline}, 2);
    CHECK(
        names_of(columns)
        == Names{
            "makespan",
            "weighted_completion",
            "queue_length.mean",
            "queue_length.p90",
            "queue_length.mean[class=0]",
            "queue_length.p90[class=0]",
            "queue_length.mean[class=1]",
            "queue_length.p90[class=1]",
            "gross_utilization",
            "gross_utilization[class=0]",
            "gross_utilization[class=1]"}
    );
    CHECK(columns[3].unit == "1");
    CHECK(columns[5].meaning.find("class=0") != std::string::npos);
    CHECK(columns[10].meaning.find("jobs with class=1") != std::string::npos);
}

TEST_CASE("means by class name the column of the number of jobs that they are means over") {
    ProbeSet probes;
    probes.requests.push_back({.metric = Metric::job_size, .quantiles = {0.5}, .per_class = true});
    const auto columns = observation_columns(probes, {.kind = ExperimentKind::offline}, 2);
    CHECK(columns[2].counted_by.empty());
    CHECK(columns[4].counted_by == "job_size.count[class=0]");
    CHECK(columns[5].counted_by.empty());
    CHECK(columns[7].counted_by == "job_size.count[class=1]");
    CHECK(
        names_of(columns)
        == Names{
            "makespan",
            "weighted_completion",
            "job_size.mean",
            "job_size.p50",
            "job_size.mean[class=0]",
            "job_size.p50[class=0]",
            "job_size.count[class=0]",
            "job_size.mean[class=1]",
            "job_size.p50[class=1]",
            "job_size.count[class=1]"}
    );
}

TEST_CASE("bin filling and the saturated system have fixed columns") {
    ProbeSet probes;
    probes.requests.push_back({.metric = Metric::response_time, .quantiles = {}});
    CHECK(
        names_of(observation_columns(probes, {.kind = ExperimentKind::bin_filling}, 1))
        == Names{"capacity_loss", "capacity_loss.fill_sd", "gross_utilization", "jobs_placed"}
    );
    CHECK(
        names_of(observation_columns(probes, {.kind = ExperimentKind::saturated}, 1))
        == Names{"gross_utilization", "capacity_loss", "throughput", "busy_area", "capacity_area"}
    );
}

TEST_CASE("what is watched by the program is marked and nothing else") {
    ProbeSet probes;
    probes.requests.push_back({.metric = Metric::wait, .quantiles = {0.5}});
    for (const ExperimentKind kind :
         {ExperimentKind::bin_filling,
          ExperimentKind::open,
          ExperimentKind::saturated,
          ExperimentKind::trace,
          ExperimentKind::offline}) {
        const bool has_arrivals = kind == ExperimentKind::open || kind == ExperimentKind::trace;
        const std::vector<ObservationColumn> columns =
            observation_columns(probes, {.kind = kind}, 1);
        for (std::size_t i = 0; i < columns.size(); ++i) {
            CAPTURE(columns[i].name);
            CHECK(columns[i].is_diagnostic == (has_arrivals && i < 4));
        }
    }
}

TEST_CASE("only arriving jobs have interarrival times") {
    ProbeSet probes;
    probes.requests.push_back({.metric = Metric::service_time, .quantiles = {}});
    probes.requests.push_back({.metric = Metric::interarrival_time, .quantiles = {}});
    probes.requests.push_back({.metric = Metric::job_size, .quantiles = {}});
    CHECK(
        names_of(observation_columns(probes, {.kind = ExperimentKind::trace}, 1))
        == Names{
            "backlog_growth",
            "wait.warm_up",
            "wait.first_half",
            "wait.second_half",
            "service_time.mean",
            "interarrival_time.mean",
            "job_size.mean"}
    );
    CHECK(
        names_of(observation_columns(probes, {.kind = ExperimentKind::offline}, 1))
        == Names{"makespan", "weighted_completion", "service_time.mean", "job_size.mean"}
    );
}

TEST_CASE("every probe alternative makes its request") {
    for (const Alternative& alternative : probe_alternatives()) {
        const Choice choice{alternative.name, with_defaults(alternative.parameters)};
        ProbeSet probes;
        probes.requests.push_back(make_probe_request(choice));
        const Names names =
            names_of(observation_columns(probes, {.kind = ExperimentKind::open}, 1));
        const bool has_more = alternative.name == "fair_start_miss"
                              || alternative.name == "slowdown"
                              || alternative.name == "weighted_response_time";
        REQUIRE(names.size() == (has_more ? 6 : 5));
        CHECK(names[4].rfind(alternative.name, 0) == 0);
    }
    Choice choice{"bounded_slowdown", {}};
    choice.parameters.set("quantiles", Value(Value::List{Value(0.9)}));
    choice.parameters.set("per_class", Value(true));
    choice.parameters.set("threshold", Value(60));
    CHECK(!make_probe_request(choice).sketch);
    choice.parameters.set("sketch", Value(true));
    const ProbeRequest request = make_probe_request(choice);
    CHECK(request.metric == Metric::bounded_slowdown);
    CHECK(request.quantiles == std::vector<double>{0.9});
    CHECK(request.per_class);
    CHECK(request.sketch);
    CHECK(request.threshold == 60);
    CHECK_THROWS_AS(make_probe_request({"makespan_of_nothing", {}}), ContractViolation);
}

}  // namespace schedfarm::engine
