// `seed` as a factor: every seed is a campaign of its own.
#include <string>

#include <doctest/doctest.h>

#include "tests/app/campaign/campaign_text.hpp"

namespace schedfarm::app::tests {

namespace {

/// Two policies, or one whose load waits for a pilot, under some seeds or one.
Lines seeded(const std::string& seed, const std::string& factor, Lines more) {
    more[3] = seed;
    more[10] = "factors:" + factor + more[10];
    return more;
}

const std::string five_and_six = "\n  seed: {first: 5, count: 2}";

}  // namespace

TEST_CASE("cells of a seed are those of the campaign with that seed alone") {
    const std::string policies = "\n  policy: [fcfs, sjf]";
    const Lines common{{7, ""}, {10, policies}};
    const Lines independent{
        {7, ""}, {10, policies}, {11, "random_numbers: {streams: independent}"}};
    const Lines placed{
        {7, "policy: {fpfs: 7}"},
        {8, ""},
        {10, "\n  load.utilization: {of_saturation: [0.5, 0.6]}"}};
    for (const Lines& campaign : {common, independent, placed}) {
        const Plan both = plan_of(seeded("", five_and_six, campaign));
        const Plan five = plan_of(seeded("seed: 5", "", campaign));
        const Plan six = plan_of(seeded("seed: 6", "", campaign));
        REQUIRE(both.cells.size() == five.cells.size() + six.cells.size());
        CHECK(both.seed == 5);
        const auto is_in_both = [&](const Cell& cell, const char* seed) {
            for (const Cell& other : both.cells) {
                if (other.replication_key == cell.replication_key
                    && other.random.seed == cell.random.seed && other.is_pilot == cell.is_pilot) {
                    return seed_level(other) == seed;
                }
            }
            return false;
        };
        for (std::size_t i = 0; i < five.cells.size(); ++i) {
            CHECK(is_in_both(five.cells[i], "5"));
            CHECK(is_in_both(six.cells[i], "6"));
        }
    }
}

TEST_CASE("the file of results says how a campaign of several seeds is run again") {
    const Plan plan = plan_of(seeded("", five_and_six, {}));
    const Plan again = make_plan(source_of(plan.effective));
    CHECK(again.plan_hash == plan.plan_hash);
    CHECK(plan_of(seeded("", "\n  seed: [5, 6]", {})).plan_hash == plan.plan_hash);
    CHECK(plan_of(seeded("", "\n  seed: [5, 7]", {})).plan_hash != plan.plan_hash);
}

TEST_CASE("differences to a precision are a family within each seed") {
    const Lines precise{
        {7, ""},
        {9, "precision: {metric: response_time, relative: 0.1}"},
        {10, "\n  policy: [fcfs, sjf]"},
        {11, "comparison: {factor: policy, metric: response_time, relative: 0.1}"}};
    const auto confidence = [](const Plan& plan) {
        return plan.comparison->target->confidence;
    };
    const Plan one = plan_of(seeded("seed: 5", "", precise));
    const Plan two = plan_of(seeded("", five_and_six, precise));
    CHECK(two.comparison->groups.size() == 2);
    CHECK(confidence(two) == confidence(one));
}

TEST_CASE("a log that is drawn by the seed is another one in every campaign") {
    const Lines weeks{
        {4, "experiment: trace"},
        {5, "system: {clusters: [1]}"},
        {6, "workload: {model: trace, file: mm1_weeks, resampling: users}"},
        {8, ""},
        {11, "horizon: {jobs: 1000}"}};
    const Plan plan = plan_of(seeded("", five_and_six, weeks));
    CHECK(plan.cells[0].workload->parameters.text("file") == "mm1_weeks.5");
    CHECK(plan.cells[1].workload->parameters.text("file") == "mm1_weeks.6");
}

}  // namespace schedfarm::app::tests
