// The search for a load on functions that are seen through noise: how often the interval that it
// reports holds the load, over many searches with streams of their own.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "engine/foundation/elementary.hpp"
#include "engine/random/stream.hpp"
#include "engine/simulation/measurement/backlog_meter.hpp"

#include "app/run/campaign_progress.hpp"
#include "app/run/rules/load_search_rule.hpp"

#include "tests/app/measuring.hpp"
#include "tests/app/run/made_up_campaign.hpp"
#include "tests/support/long_form.hpp"

using namespace schedfarm;       // NOLINT(google-build-using-namespace)
using namespace schedfarm::app;  // NOLINT(google-build-using-namespace)

namespace {

/// Uniforms of one replication of one search.
class Draws {
  public:
    Draws(std::uint32_t search, std::uint32_t replication)
        : stream_(20261124 + search, engine::Purpose::service, replication) {}
    double uniform() { return engine::unit_interval(stream_.draw(position_++)); }
    double exponential() { return -engine::logarithm(uniform()); }
    double normal() { return engine::normal_quantile(uniform()); }

  private:
    engine::Stream stream_;
    std::uint64_t position_ = 0;
};

/// What a replication at this load observes.
using Function = std::function<engine::Observations(double load, Draws& draws)>;

Plan plan_of(const LoadSearch& search) {
    Plan plan;
    plan.cells = {tests::open_cell(0, search.round, 1'000'000)};
    plan.cells[0].utilization.reset();
    plan.cells[0].measures = tests::measuring(
        {{"backlog_change", "time", ""},
         {"backlog_time", "time", ""},
         {"response_time.mean", "", ""}}
    );
    plan.cells[0].load_search = std::make_shared<const LoadSearch>(search);
    return plan;
}

struct Count {
    std::uint32_t searches = 0;
    std::uint32_t met = 0;
    std::uint32_t covered = 0;  ///< of those met
    std::uint32_t not_bracketed = 0;
    double replications = 0;
    double length = 0;
};

Count count(
    std::uint32_t searches, const LoadSearch& search, double truth, const Function& function
) {
    Count count;
    count.searches = searches;
    const Plan plan = plan_of(search);
    for (std::uint32_t i = 0; i < searches; ++i) {
        CampaignProgress progress(plan);
        tests::run_made_up(
            progress,
            [&](const ReplicationTask& task) {
                Draws draws(i, task.id.replication);
                return function(*task.utilization, draws);
            },
            1,
            1
        );
        const LoadSearchRule& rule = *progress.search(0);
        const CellDecision& decision = progress.cells()[0]->decision();
        count.replications += static_cast<double>(decision.n);
        count.not_bracketed += decision.end == CellEnd::not_bracketed ? 1U : 0U;
        if (decision.end == CellEnd::met) {
            ++count.met;
            const LoadSearchRule::Found found = rule.found();
            CHECK(found.interval.upper - found.interval.lower <= search.width);
            count.covered += found.interval.contains(truth) ? 1U : 0U;
            count.length += found.interval.upper - found.interval.lower;
        }
    }
    return count;
}

void expect_coverage(const std::string& name, const Count& count) {
    const double share = static_cast<double>(count.covered) / count.met;
    MESSAGE(
        name << ": " << count.covered << " of " << count.met << " covered, "
             << count.replications / count.searches << " replications, mean length "
             << count.length / count.met
    );
    CHECK(count.met == count.searches);
    CHECK(std::fabs(share - 0.95) < 3 * std::sqrt(0.95 * 0.05 / count.met));
}

engine::Observations observed(double change, double time, double response) {
    engine::Observations observations;
    observations.values = {change, time, response};
    return observations;
}

LoadSearch drift_search(double low, double high, double width) {
    LoadSearch search;
    search.low = low;
    search.high = high;
    search.width = width;
    search.most_rounds = 4000;
    return search;
}

Function noisy_line(double root, double deviation) {
    return [=](double load, Draws& draws) {
        return observed(load - root + deviation * draws.normal(), 1, 0);
    };
}

/// M/M/s: what the backlog of a queue that begins with 130 jobs does while 2,000 more come.
engine::Observations queue_with(std::uint32_t servers, double load, Draws& draws) {
    constexpr std::uint64_t backlog = 130;
    const engine::Horizon horizon{
        .jobs = 2000 + backlog, .warm_up_jobs = backlog, .start_backlog = backlog};
    engine::BacklogMeter meter(horizon, servers);
    std::vector<double> free_at(servers, 0.0);
    double now = 0;
    for (std::uint64_t i = 0; i < horizon.jobs; ++i) {
        now += i < backlog ? 0 : draws.exponential() / (load * servers);
        const auto first = std::min_element(free_at.begin(), free_at.end());
        const double service = draws.exponential();
        const double start = std::max(now, *first);
        *first = start + service;
        meter.add(i, now, start, service);
    }
    return observed(meter.change().work, meter.change().time, 0);
}

}  // namespace

TEST_CASE("the interval of a search covers the root of a noisy line at every width") {
    // The noise of a replication is up to five widths: what a narrow search has to do with.
    for (const double width : {0.01, 0.002}) {
        expect_coverage(
            "width " + std::to_string(width),
            count(
                tests::short_or_long(50U, 150U),
                drift_search(0.4, 1, width),
                0.7312,
                noisy_line(0.7312, 0.01)
            )
        );
    }
}

TEST_CASE("the interval of a search covers the saturation point of M/M/1 and M/M/2") {
    for (const std::uint32_t servers : {1U, 2U}) {
        const Function queue = [=](double load, Draws& draws) {
            return queue_with(servers, load, draws);
        };
        expect_coverage(
            "M/M/" + std::to_string(servers),
            count(tests::short_or_long(40U, 100U), drift_search(0.3, 1.2, 0.05), 1, queue)
        );
    }
}

TEST_CASE("the interval of a search for a response time covers") {
    // Mean response 1 / (1 − load) as of M/M/1, with a deviation of a quarter of it: 20 at 0.95.
    LoadSearch search = drift_search(0.4, 0.99, 0.01);
    search.criterion = SearchCriterion::response_time;
    search.threshold = 20;
    const Function curve = [](double load, Draws& draws) {
        const double mean = 1 / (1 - std::min(load, 0.999));
        return observed(0, 0, mean * (1 + 0.25 * (draws.exponential() - 1)));
    };
    expect_coverage("response time", count(200, search, 0.95, curve));
}

TEST_CASE("a root at the end of the bounds is found and one beyond is not bracketed") {
    constexpr std::uint32_t searches = 100;
    const LoadSearch search = drift_search(0.4, 1, 0.01);
    const Count at_the_end = count(searches, search, 1, noisy_line(1, 0.01));
    // 2.5 % of the intervals lie wholly above the end, and as many below the root.
    CHECK(at_the_end.met + at_the_end.not_bracketed == searches);
    const double most = searches * 0.05 + 3 * std::sqrt(searches * 0.05 * 0.95);
    CHECK(searches - at_the_end.covered <= most);
    for (const double root : {0.2, 0.36, 1.015, 1.04, 2.}) {
        CAPTURE(root);
        const Count beyond = count(searches, search, root, noisy_line(root, 0.01));
        CHECK(beyond.not_bracketed == searches);
    }
}

TEST_CASE("a search that finds nothing between its bounds says on which side the load lies") {
    const Plan plan = plan_of(drift_search(0.4, 1, 0.01));
    for (const double root : {0.2, 1.3}) {
        CampaignProgress progress(plan);
        tests::run_made_up(
            progress,
            [&](const ReplicationTask& task) {
                Draws draws(0, task.id.replication);
                return noisy_line(root, 0.01)(*task.utilization, draws);
            },
            1,
            1
        );
        const LoadSearchRule::Found found = progress.search(0)->found();
        CHECK_FALSE(found.load);
        CHECK(found.interval.contains(root));
        CHECK((root < 1 ? found.interval.upper == 0.4 : found.interval.lower == 1));
    }
}

TEST_CASE("the last visits on both sides of a load that was found answered as they should") {
    const Plan plan = plan_of(drift_search(0.4, 1, 0.01));
    CampaignProgress progress(plan);
    tests::run_made_up(
        progress,
        [](const ReplicationTask& task) {
            Draws draws(3, task.id.replication);
            return noisy_line(0.7312, 0.01)(*task.utilization, draws);
        },
        1,
        1
    );
    REQUIRE(progress.cells()[0]->decision().end == CellEnd::met);
    const LoadSearchRule& rule = *progress.search(0);
    const LoadSearchRule::Found found = rule.found();
    CHECK(found.standard_error);
    const std::vector<SearchStep>& steps = rule.steps();
    std::uint64_t replications = 0;
    bool has_lower = false;
    bool has_upper = false;
    for (const SearchStep& step : steps) {
        CHECK(step.first_replication == replications);  // every one has a visit and no two
        replications += step.replications;
    }
    CHECK(replications == progress.cells()[0]->decision().n);
    for (auto step = steps.rbegin(); step != steps.rend() && !(has_lower && has_upper); ++step) {
        const bool is_lower = step->utilization < *found.load;
        (is_lower ? has_lower : has_upper) = true;
        REQUIRE(std::fabs(step->utilization - *found.load) < 0.01);
        if (step->side) {
            CHECK(*step->side == (is_lower ? engine::RootSide::above : engine::RootSide::below));
        }
    }
    CHECK(steps.back().interval.contains(*found.load));
    CHECK(steps.back().interval.upper - steps.back().interval.lower <= 0.01);
}
