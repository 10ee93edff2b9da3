// Managers over clusters on random federations: against plain slots, and with delays, old
// knowledge, jobs that run longer than planned, and every message lost once.
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "policies/composition/managers/manager_tree.hpp"

#include "tests/policies/calendars/calendar_runs.hpp"
#include "tests/policies/calendars/plain_federation.hpp"

namespace schedfarm::tests {

namespace {

const std::vector<SlotLevel> two_levels{{4, 10}, {1, 40}};

struct RandomFederation {
    std::vector<std::uint32_t> clusters;
    PlainRules rules;
    Jobs jobs;
    Parameters given;

    /// One job in `wide` may be as wide as all clusters.
    explicit RandomFederation(Dice& dice, std::uint32_t most_jobs, std::uint32_t wide = 5) {
        const std::uint32_t count = 1 + dice.below(4);
        for (std::uint32_t k = 0; k < count; ++k) {
            clusters.push_back(1 + dice.below(6));
        }
        rules.levels = {
            dice.below(2) == 0 ? two_levels : std::vector<SlotLevel>{{2, 5}, {2, 10}, {1, 40}}};
        rules.threshold = dice.below(3) == 0 ? 0.5 + 0.25 * dice.below(3) : 1;
        const std::uint32_t levels = dice.below(3);
        rules.spans = levels == 0   ? std::vector<std::uint32_t>{4}
                      : levels == 1 ? std::vector<std::uint32_t>{2, 2}
                                    : std::vector<std::uint32_t>{2, 3, 2};
        rules.share = dice.below(2) == 0 ? 0.5 : 1;
        rules.length = dice.below(2) == 0 ? 50 : 1e9;
        rules.bump =
            dice.below(2) == 0 ? std::numeric_limits<double>::infinity() : 10.0 * dice.below(4);
        rules.tie = static_cast<int>(dice.below(3));
        std::uint32_t all = 0;
        for (const std::uint32_t size : clusters) {
            all += size;
        }
        double submit = 0;
        for (std::uint32_t i = 0; i < 2 + dice.below(most_jobs); ++i) {
            submit += dice.below(12);
            const std::uint32_t origin = dice.below(count);
            const std::uint32_t most = dice.below(wide) == 0 ? all : clusters[origin];
            GivenJob job = at_cluster(origin, submit, 1 + dice.below(60), 1 + dice.below(most));
            job.estimate = job.service_time + dice.below(3) * dice.below(30);
            if (dice.below(6) == 0) {
                job.fixed_start = submit + dice.below(120);
            }
            jobs.push_back(job);
        }
        set_structure();
        given.set("promote_share", reals({rules.share}));
        given.set("promote_length_s", reals({rules.length}));
        given.set("bump_s", std::min(rules.bump, 1e12));
        const char* const ties[] = {"lowest_index", "least_loaded", "home_first"};
        given.set("tie", ties[rules.tie]);
    }

    void set_structure() {
        Value::List inner;
        for (std::size_t k = 0; k < (rules.levels.size() == 1 ? 1 : clusters.size()); ++k) {
            inner.emplace_back(
                choice("calendar", slots(rules.levels[k % rules.levels.size()], rules.threshold))
            );
        }
        given.set("inner", inner);
        given.set("managers", numbers(rules.spans));
        given.set("backfill_over", rules.roams ? "all_clusters" : "own_cluster");
    }

    /// In half of them jobs move ahead on their own clusters alone; in some the clusters divide
    /// slots at different times, or lie below two managers that have none above them.
    void vary(Dice& dice) {
        rules.roams = dice.below(2) == 0;
        if (dice.below(3) == 0) {
            rules.levels = {two_levels, {{8, 5}, {1, 40}}};
        }
        if (dice.below(3) == 0) {
            rules.spans = {2};
        }
        const policies::ManagerTree tree(clusters, rules.spans);
        for (GivenJob& job : jobs) {
            std::uint32_t& size = job.components.front();
            size = std::min(size, tree.processors(tree.root(job.origin)));
            // A time lies in slots that begin at different times: no matter for one cluster.
            if (rules.levels.size() > 1 && size > clusters[job.origin]) {
                job.fixed_start = no_fixed_start;
            }
        }
        set_structure();
    }

    /// More work than there is room for, most of it promoted, with long requests.
    void press(Dice& dice) {
        for (std::uint32_t i = 0; i < 15; ++i) {
            const std::uint32_t origin = dice.below(static_cast<std::uint32_t>(clusters.size()));
            const double submit = jobs.back().submit_time + dice.below(6);
            const double run = 1 + dice.below(60);
            jobs.push_back(at_cluster(origin, submit, run, 1 + dice.below(clusters[origin])));
            jobs.back().estimate = run + 10.0 * dice.below(8);
        }
        rules.share = 0.5;
        rules.bump = std::numeric_limits<double>::infinity();
        given.set("promote_share", reals({rules.share}));
        given.set("bump_s", 1e12);
    }

    /// For the calendar in half of them.
    void set_other_inner(Dice& dice) {
        const char* const others[] = {"easy", "conservative", "k_reservations", "selective"};
        const std::uint32_t number = dice.below(8);
        if (number < 4) {
            given.set("inner", choices({choice(others[number])}));
        }
    }
    Outcome run() const { return outcome_of(choice("managers", given), clusters, jobs); }
    void expect_all_start() const {
        for (const double start : run().starts) {
            REQUIRE(start >= 0);
        }
    }
};

double sum_of(const Outcome& outcome, const std::string& account, std::size_t clusters) {
    double sum = 0;
    for (std::size_t k = 0; k < clusters; ++k) {
        sum += outcome.published.at(account + "[cluster=" + std::to_string(k + 1) + "]");
    }
    return sum;
}

}  // namespace

TEST_CASE("2000 random federations are those of plain slots") {
    int roaming = 0;
    for (std::uint64_t seed = 0; seed < 2000; ++seed) {
        CAPTURE(seed);
        Dice dice(seed);
        RandomFederation one(dice, 20);
        one.vary(dice);
        if (seed % 2 == 0) {
            one.press(dice);
        }
        PlainFederation plain(one.clusters, one.rules, one.jobs);
        const Outcome outcome = one.run();
        REQUIRE(outcome.starts == plain.starts());
        REQUIRE(outcome.published.at("offered_delay") == plain.offered_delay);
        REQUIRE(delay_by_log(outcome, one.jobs) == plain.offered_delay);
        for (std::size_t k = 0; k < one.clusters.size(); ++k) {
            const auto published = [&](const char* account) {
                return outcome.published.at(
                    std::string(account) + "[cluster=" + std::to_string(k + 1) + "]"
                );
            };
            REQUIRE(published("supply") * 3600 == doctest::Approx(plain.supply[k]));
            REQUIRE(published("consume") * 3600 == doctest::Approx(plain.consume[k]));
            REQUIRE(published("local") * 3600 == doctest::Approx(plain.local[k]));
        }
        REQUIRE(outcome.published.at("declines") == 0);
        roaming += plain.roamed > 0 ? 1 : 0;
    }
    CHECK(roaming > 300);  // federations with moves between clusters
}

// The verifiers hold that what is promised is kept and nothing is half reserved, the kernel that no
// job waits for ever.
TEST_CASE("with delays and old knowledge no job is lost and trade adds up") {
    for (std::uint64_t seed = 0; seed < 1000; ++seed) {
        CAPTURE(seed);
        Dice dice(seed);
        RandomFederation one(dice, 30, 1 + dice.below(5));
        const double delays[] = {0, 0.1, 1, 3, 7, 20};
        one.given.set("message_delay_s", delays[dice.below(6)]);
        one.given.set("staleness_s", 20.0 * dice.below(4));
        one.set_other_inner(dice);
        const Outcome outcome = one.run();
        for (const double start : outcome.starts) {
            REQUIRE(start >= 0);
        }
        const std::size_t count = one.clusters.size();
        REQUIRE(
            std::abs(sum_of(outcome, "supply", count) - sum_of(outcome, "consume", count)) < 1e-9
        );
    }
}

TEST_CASE("whatever jobs run longer than planned, every job runs") {
    for (std::uint64_t seed = 0; seed < 600; ++seed) {
        CAPTURE(seed);
        Dice dice(seed);
        RandomFederation one(dice, 20, 2);
        for (GivenJob& job : one.jobs) {
            job.estimate = dice.below(3) == 0 ? 1 + dice.below(60) : job.estimate;
        }
        one.given.set("message_delay_s", 1.0 * dice.below(3));
        one.set_other_inner(dice);
        one.expect_all_start();
    }
}

TEST_CASE("whatever message is lost, every job runs and nothing stays reserved") {
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
        Dice dice(seed);
        RandomFederation one(dice, 6, 1 + dice.below(5));
        one.given.set("message_delay_s", 1.0 * static_cast<double>(seed % 3));
        one.given.set("time_out_s", 20);
        one.set_other_inner(dice);
        const auto messages = static_cast<std::uint32_t>(one.run().published.at("messages"));
        for (std::uint32_t lost = 1; lost <= messages; ++lost) {
            CAPTURE(seed);
            CAPTURE(lost);
            one.given.set("lost_messages", numbers({lost, lost + dice.below(6)}));
            one.expect_all_start();
        }
    }
}

}  // namespace schedfarm::tests
