// Figures of a campaign are options of `schedfarm plot`, checked before anything runs.
#include <doctest/doctest.h>

#include "tests/app/campaign/campaign_text.hpp"

namespace schedfarm::app::tests {

namespace {

using Figures = std::vector<std::vector<std::string>>;

/// A campaign of 2 x 2 cells with a comparison and these figures.
Lines with(const std::string& figures) {
    return {
        {7, ""},
        {8, ""},
        {10, "comparison: {factor: policy, metric: response_time}"},
        {11, "factors: {policy: [fcfs, sjf], load.utilization: [0.5, 0.6]}"},
        {12, "report: {figures: [" + figures + "]}"}};
}

}  // namespace

TEST_CASE("figures of a campaign are options of plot") {
    CHECK(plan_of({}).report.figures.empty());
    CHECK(
        plan_of(with("{kind: curve, x: load.utilization, y: response_time, by: [policy]}, "
                     "{kind: forest, facet: policy}, "
                     "{kind: convergence, select: {policy: fcfs, load.utilization: [0.6]}}"))
            .report.figures
        == Figures{
            {"--kind=curve", "--x=load.utilization", "--y=response_time", "--by=policy"},
            {"--kind=forest", "--facet=policy"},
            {"--kind=convergence", "--select=policy=fcfs", "--select=load.utilization=0.6"}}
    );
}

TEST_CASE("figures may show quantities, wall times, classes and extremes") {
    const auto figures = [](const std::string& text) {
        Lines lines = with(text);
        lines[13] = "claims: {quantities: {twice: 2 * response_time.mean}}";
        return lines;
    };
    CHECK(
        plan_of(figures("{kind: curve, y: twice, range: response_time, facet: class, top: 20}, "
                        "{kind: curve, y: wall_time_ms beyond fcfs}"))
            .report.figures
        == Figures{
            {"--kind=curve", "--y=twice", "--facet=class", "--range=response_time", "--top=20"},
            {"--kind=curve", "--y=wall_time_ms beyond fcfs"}}
    );
    CHECK(
        errors_of(figures("{kind: curve, y: twicee}"))
        == "a.yaml:12:37: metric 'twicee' is not observed in any cell. Did you mean 'twice'?"
    );
    CHECK(errors_of(figures("{kind: curve, top: high}")) == "a.yaml:12:39: 'high' is no number");
    CHECK(
        errors_of(figures("{kind: curve, range: twice}"))
        == "a.yaml:12:41: metric 'twice' is not observed in any cell. Known: backlog_growth, "
           "wait.warm_up, wait.first_half, wait.second_half, response_time.mean"
    );
}

TEST_CASE("the effective configuration has the figures") {
    const Plan plan = plan_of(with("{kind: curve, select: {policy: [fcfs, sjf]}}, {kind: forest}"));
    CampaignSource source = plan.source;
    source.files[source.main_file] = plan.effective;
    CHECK(make_plan(source).report.figures == plan.report.figures);
    CHECK(plan.plan_hash == plan_of(with("")).plan_hash);
}

TEST_CASE("figures name what the campaign has") {
    CHECK(
        errors_of(with("{kind: curve, x: load}"))
        == "a.yaml:12:37: 'load' is no factor of the campaign. Did you mean 'load.utilization'?"
    );
    CHECK(
        errors_of(with("{kind: curve, by: [polcy]}"))
        == "a.yaml:12:38: 'polcy' is no factor of the campaign. Did you mean 'policy'?"
    );
    CHECK(
        errors_of(with("{kind: curve, y: response}"))
        == "a.yaml:12:37: metric 'response' is not observed in any cell. Did you mean "
           "'response_time.mean'?"
    );
    CHECK(
        errors_of(with("{kind: curve, select: {policy: [fcfs, sfj]}}"))
        == "a.yaml:12:51: 'sfj' is no level of 'policy'. Did you mean 'sjf'?"
    );
    CHECK(
        errors_of(with("{kind: curve, select: policy}"))
        == "a.yaml:12:42: 'report.figures.select' must be a mapping, not 'policy'. Write {policy: "
           "fcfs}?"
    );
    CHECK(
        errors_of(with("{kind: pareto, x: response_time}"))
        == "a.yaml:12:27: a pareto figure needs two metrics. Add x and y, two metrics?"
    );
    CHECK(
        errors_of({{10, "report: {figures: curve}"}})
        == "a.yaml:10:19: 'report.figures' must be a list, not 'curve'. Write [{kind: curve}, "
           "{kind: forest}]?"
    );
}

TEST_CASE("figures are of what the campaign asks for") {
    const auto reason = [](const std::string& kind) {
        return errors_of(with("{kind: " + kind + ", select: {policy: fcfs}}"));
    };
    const auto contains = [](const std::string& text, const std::string& part) {
        return text.find(part) != std::string::npos;
    };
    CHECK(errors_of(with("{kind: forest}, {kind: ranks}, {kind: heatmap}")).empty());
    CHECK(contains(reason("paper"), "the campaign has no value of a paper to draw"));
    CHECK(contains(reason("ecdf"), "the campaign has no sketch to draw"));
    CHECK(contains(reason("bars"), "the campaign has no metric by class to draw"));
    CHECK(contains(reason("queue"), "the campaign has no job log to draw"));
    CHECK(contains(reason("utilization"), "the campaign has no utilization over time to draw"));
    CHECK(contains(
        reason("welch"),
        "a figure of kind welch shows one cell (this one has 2). Choose it with select"
    ));
    Lines alone = with("{kind: forest}");
    alone[10] = "job_log: {replications: 1, utilization_parts: 9}";
    CHECK(contains(errors_of(alone), "the campaign has no comparison to draw"));
    alone[12] = "report: {figures: [{kind: queue}, {kind: utilization}]}";
    CHECK(errors_of(alone).empty());
}

}  // namespace schedfarm::app::tests
