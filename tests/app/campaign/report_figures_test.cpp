// Figures of a campaign are options of `schedfarm plot`; whether there is what they name is asked
// in the package (tests/python/planning_test.py).
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
}

TEST_CASE("the effective configuration has the figures") {
    const Plan plan = plan_of(with("{kind: curve, select: {policy: [fcfs, sjf]}}, {kind: forest}"));
    CampaignSource source = plan.source;
    source.files[source.main_file] = plan.effective;
    CHECK(make_plan(source).report.figures == plan.report.figures);
    CHECK(plan.plan_hash == plan_of(with("")).plan_hash);
}

}  // namespace schedfarm::app::tests
