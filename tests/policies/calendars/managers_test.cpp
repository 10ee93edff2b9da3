// Managers over clusters, by hand.
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "engine/simulation/kernel/unserved_job.hpp"

#include "tests/policies/calendars/manager_runs.hpp"

namespace schedfarm::tests {

TEST_CASE("a job is handed up by its share, its length or its size, and goes where it starts first"
) {
    // Job 0 keeps cluster 1 busy until 100. Job 1, of 3 of 4, goes up by its share of a half;
    // cluster 2 is free. Job 2, of 2, is not more than a half and waits at home.
    const Jobs jobs{at_cluster(0, 0, 100, 4), at_cluster(0, 10, 10, 3), at_cluster(0, 10, 10, 2)};
    Places places;
    const Parameters by_share = with(federation(), "promote_share", reals({0.5}));
    CHECK(run(by_share, {4, 4}, jobs, &places).starts == Times{0, 10, 100});
    CHECK(places.at[1] == Shares{{1, 3}});
    // By its length job 1 and job 2, which both take 10; by its size of 2 likewise.
    CHECK(
        run(with(federation(), "promote_length_s", reals({10})), {4, 4}, jobs).starts
        == Times{0, 10, 20}
    );
    CHECK(
        run(with(federation(), "promote_size", reals({2})), {4, 4}, jobs).starts == Times{0, 10, 20}
    );
    CHECK(run(federation(), {4, 4}, jobs).starts == Times{0, 100, 110});
}

TEST_CASE("of clusters with the same start the first, the least loaded or the home cluster") {
    // Cluster 1 has 2 of 4 for 50, cluster 2 has 1 for 10, cluster 3 nothing; job 3, of 1 from
    // cluster 2, can start everywhere at 10.
    const Jobs jobs{at_cluster(0, 0, 50, 2), at_cluster(1, 0, 50, 1), at_cluster(1, 10, 10, 1)};
    const auto place = [&](const char* tie) {
        Places places;
        Parameters given = with(federation(), "tie", tie);
        given.set("promote_share", reals({0.3}));
        given.set("promote_length_s", reals({10}));
        Jobs local = jobs;  // the others stay by the length
        run(given, {4, 4, 4}, local, &places);
        return places.at[2];
    };
    CHECK(place("lowest_index") == Shares{{0, 1}});
    CHECK(place("least_loaded") == Shares{{2, 1}});
    CHECK(place("home_first") == Shares{{1, 1}});
}

TEST_CASE("of clusters with the same start the one with the least planned work per processor") {
    // Job 2, or 3, is handed up by its size of 4 and can start at 10 wherever it is large enough.
    Parameters given = with(federation(), "tie", "least_loaded");
    given.set("promote_size", reals({4}));
    const auto last_place = [&given](const std::vector<std::uint32_t>& clusters, const Jobs& jobs) {
        Places places;
        run(given, clusters, jobs, &places);
        return places.at.back();
    };
    // Cluster 1 has 2 · 40 / 8 = 10 to do, cluster 2 has 44 / 5 = 8.8, or 55 / 5 = 11.
    Jobs jobs{at_cluster(0, 0, 40, 2), at_cluster(1, 0, 44, 1), at_cluster(0, 10, 10, 4)};
    CHECK(last_place({8, 5}, jobs) == Shares{{1, 4}});
    jobs[1].service_time = 55;
    CHECK(last_place({8, 5}, jobs) == Shares{{0, 4}});
    // What is planned counts, not what it takes: cluster 2 has 60 / 5 = 12.
    jobs[1].service_time = 44;
    jobs[1].estimate = 60;
    CHECK(last_place({8, 5}, jobs) == Shares{{0, 4}});
    // All of it until the job ends: at 90 cluster 1 has 100 / 8 = 12.5, of which 11 s are left, and
    // cluster 2 has 60 / 5 = 12; once job 0 has ended cluster 1 has nothing.
    const Jobs late{at_cluster(0, 0, 100, 1), at_cluster(1, 60, 60, 1), at_cluster(0, 90, 10, 4)};
    CHECK(last_place({8, 5}, late) == Shares{{1, 4}});
    const Jobs later{at_cluster(0, 0, 100, 1), at_cluster(1, 60, 60, 1), at_cluster(0, 100, 10, 4)};
    CHECK(last_place({8, 5}, later) == Shares{{0, 4}});
    // As much: the lowest number. An earlier start comes first, whatever the load.
    const Jobs even{at_cluster(0, 0, 40, 2), at_cluster(1, 0, 40, 2), at_cluster(1, 10, 10, 4)};
    CHECK(last_place({8, 8}, even) == Shares{{0, 4}});
    const Jobs busy{at_cluster(0, 0, 500, 1), at_cluster(1, 0, 20, 5), at_cluster(1, 10, 10, 4)};
    CHECK(last_place({8, 5}, busy) == Shares{{0, 4}});
}

TEST_CASE("a job whose start is later than the bump is forwarded, if it starts earlier elsewhere") {
    // At home job 1 would start at 100, 95 after its submission.
    const Jobs jobs{at_cluster(0, 0, 100, 4), at_cluster(0, 5, 10, 1)};
    CHECK(run(federation(), {4, 4}, jobs).starts == Times{0, 100});
    CHECK(run(with(federation(), "bump_s", 95), {4, 4}, jobs).starts == Times{0, 100});
    CHECK(run(with(federation(), "bump_s", 94), {4, 4}, jobs).starts == Times{0, 10});
    // Elsewhere it would start at 100, too: it stays.
    const Jobs both{at_cluster(0, 0, 100, 4), at_cluster(1, 0, 100, 4), at_cluster(1, 5, 10, 1)};
    Places places;
    CHECK(run(with(federation(), "bump_s", 0), {4, 4}, both, &places).starts == Times{0, 0, 100});
    CHECK(places.at[2] == Shares{{1, 1}});
}

TEST_CASE("managers look further up as long as the best start is too late") {
    // Two managers of two clusters each, one above them. Clusters 1 and 2 are busy until 100 and
    // 60; job 4 of cluster 1 finds 60 at its manager, later than 30 after 5, and 10 above it.
    const Jobs jobs{at_cluster(0, 0, 100, 4), at_cluster(1, 0, 60, 4), at_cluster(0, 5, 10, 1)};
    Parameters given = with(federation(), "managers", numbers({2, 2}));
    Places places;
    CHECK(run(with(given, "bump_s", 30), {4, 4, 4, 4}, jobs, &places).starts == Times{0, 0, 10});
    CHECK(places.at[2] == Shares{{2, 1}});
    CHECK(run(with(given, "bump_s", 60), {4, 4, 4, 4}, jobs).starts == Times{0, 0, 60});
    CHECK(
        run(with(given, "managers", numbers({2})), {4, 4, 4, 4}, jobs).starts == Times{0, 0, 100}
    );
}

TEST_CASE("pieces of a job that cannot start give their processors back") {
    // Without delay. Of jobs 0 and 1, of 6, one reservation each is lost: that of cluster 1 and
    // that of cluster 2. The other piece lapses at once, and job 2 starts at 2. After the time-outs
    // at 20 and 21 job 0 starts at 20 and job 1 behind it.
    const Jobs wide{at_cluster(0, 0, 10, 6), at_cluster(1, 1, 10, 6), at_cluster(0, 2, 10, 6)};
    Parameters given = with(federation(), "time_out_s", 20);
    for (const char* policy : {"easy", "conservative"}) {
        CAPTURE(policy);
        given.set("inner", choices({choice(policy)}));
        CHECK(
            run(with(given, "lost_messages", numbers({3, 9})), {4, 4}, wide).starts
            == Times{20, 30, 2}
        );
        // The commit of job 0 to cluster 2 is lost: both pieces lapse at 0. Jobs 1 and 2 have 1–11
        // and 11–21. The commit that is repeated at 20 finds that, and both clusters have 21.
        CHECK(
            run(with(given, "lost_messages", numbers({8})), {4, 4}, wide).starts == Times{21, 1, 11}
        );
        // Job 0 runs until 30, 20 longer than planned. Job 1 is planned for 10; there cluster 1 is
        // late, and cluster 2 has room for job 2 at 12. At 30 both are free, or cluster 2 at 37.
        Jobs late{at_cluster(0, 0, 30, 4), at_cluster(0, 1, 10, 8), at_cluster(1, 12, 15, 4)};
        late[0].estimate = 10;
        CHECK(run(given, {4, 4}, late).starts == Times{0, 30, 12});
        late[2] = at_cluster(1, 12, 25, 4);
        CHECK(run(given, {4, 4}, late).starts == Times{0, 37, 12});
    }
    // Alone in its cluster: reserved for 0, its commit is lost and repeated at 20; job 1 has 1–31.
    given.set("promote_share", reals({0.5}));
    given.set("lost_messages", numbers({7}));
    CHECK(
        run(given, {4, 4}, {at_cluster(0, 0, 10, 3), at_cluster(0, 1, 30, 2)}).starts
        == Times{31, 1}
    );
}

TEST_CASE("a job larger than each cluster is divided, with a common start") {
    // 6 of 4 + 4: 3 and 3; cluster 1 is busy until 20, cluster 2 until 50: both at 50. Job 3, of 1,
    // goes ahead of its piece at home.
    const Jobs jobs{
        at_cluster(0, 0, 20, 4),
        at_cluster(1, 0, 50, 4),
        at_cluster(0, 1, 10, 6),
        at_cluster(0, 2, 10, 1)};
    Places places;
    CHECK(run(federation(), {4, 4}, jobs, &places).starts == Times{0, 0, 50, 20});
    CHECK(places.at[2] == Shares{{0, 3}, {1, 3}});
    // 7 of 2 + 4 + 4: of the first three, 2·7/10 = 1, 2 and 2, and the 2 left to the first two.
    Places three;
    CHECK(run(federation(), {2, 4, 4}, {at_cluster(1, 3, 10, 7)}, &three).starts == Times{10});
    CHECK(three.at[0] == Shares{{0, 2}, {1, 3}, {2, 2}});
}

TEST_CASE("an advance reservation over several clusters starts at its time or is refused") {
    // Job 0 has cluster 2 until 50. Job 1, of 8, wants 60: granted. Job 2, of 6, wants 62, in the
    // same slot: refused, 70 would be possible; it waits from 2 on and gets 50.
    const Jobs jobs{
        at_cluster(1, 0, 50, 4), at_cluster(0, 1, 10, 8, 60), at_cluster(0, 2, 10, 6, 62)};
    const Outcome outcome = run(federation(), {4, 4}, jobs);
    CHECK(outcome.starts == Times{0, 60, 50});
    CHECK(outcome.published.at("reservations_refused") == 1);
    CHECK(outcome.published.at("offered_delay") == 8);
    CHECK(std::isnan(outcome.offered[1]));
    CHECK(outcome.offered[2] == 70);
}

TEST_CASE("an advance reservation over several clusters that lacks processors is missed") {
    // Job 0, of 4 + 4, runs until 40 instead of 10; job 1, of 8, is due at 20, and job 2 at 50, and
    // ends early at 55. At 40 job 1, which takes 15, has no place before 50, and starts at 55.
    Jobs jobs{at_cluster(0, 0, 40, 8), at_cluster(0, 0, 15, 8, 20), at_cluster(0, 0, 5, 8, 50)};
    jobs[0].estimate = 10;
    jobs[2].estimate = 30;
    const Parameters given = with(federation(), "inner", choices({choice("conservative")}));
    const Outcome both = run(given, {4, 4}, jobs);
    CHECK(both.starts == Times{0, 55, 50});
    CHECK(both.published.at("reservations_missed") == 1);
    // Only cluster 1 is late: the piece at cluster 2 lapses at 20, and both are had anew at 40.
    jobs[0].components = {4};
    jobs.pop_back();
    const Outcome one = run(given, {4, 4}, jobs);
    CHECK(one.starts == Times{0, 40});
    CHECK(one.published.at("reservations_missed") == 1);
}

TEST_CASE("trade over three clusters adds up") {
    // In processor-hours. Job 0 keeps cluster 1 busy: 4 × 1 h at home. Job 1 of cluster 1, of 4 for
    // 2 h, goes to cluster 2: 8. Job 2 of cluster 2, of 4 for 1 h, to cluster 3: 4. Job 3 of
    // cluster 3, of 1 for 1/2 h, stays: 0.5, beside nothing, at 3600 behind job 2.
    const double hour = 3600;
    const Jobs jobs{
        at_cluster(0, 0, hour, 4),
        at_cluster(0, 10, 2 * hour, 4),
        at_cluster(1, 20, hour, 4),
        at_cluster(2, 30, hour / 2, 1)};
    const Parameters given = with(federation(), "promote_share", reals({0.5}));
    const auto published = run(given, {4, 4, 4}, jobs).published;
    const auto row = [&published](const char* account) {
        std::vector<double> values;
        for (const char* cluster : {"[cluster=1]", "[cluster=2]", "[cluster=3]"}) {
            values.push_back(published.at(std::string(account) + cluster));
        }
        return values;
    };
    CHECK(row("supply") == std::vector<double>{0, 8, 4});
    CHECK(row("consume") == std::vector<double>{8, 4, 0});
    CHECK(row("balance") == std::vector<double>{8, -4, -4});
    CHECK(row("local") == std::vector<double>{4, 0, 0.5});
    CHECK(published.at("jobs_moved") == 2);
}

TEST_CASE("a cluster in debt keeps its jobs, but for those that it cannot run") {
    // As above: once job 1 is committed cluster 1 has a deficit of 8. Job 3 of cluster 1 stays at
    // home under a limit of 8 and waits until 3600; under 9 it goes to cluster 3; job 4, of 5,
    // leaves all the same.
    const double hour = 3600;
    Jobs jobs{at_cluster(0, 0, hour, 4), at_cluster(0, 10, 2 * hour, 4), at_cluster(0, 20, 10, 4)};
    Parameters given = with(federation(), "promote_share", reals({0.5}));
    CHECK(run(with(given, "most_deficit", 9), {4, 4, 4}, jobs).starts == Times{0, 10, 20});
    CHECK(run(with(given, "most_deficit", 8), {4, 4, 4}, jobs).starts == Times{0, 10, hour});
    CHECK(
        run(with(with(given, "most_deficit", 8), "bump_s", 0), {4, 4, 4}, jobs).starts
        == Times{0, 10, hour}
    );
    jobs[2].components = {5};
    CHECK(run(with(given, "most_deficit", 8), {4, 4, 8}, jobs).starts == Times{0, 10, 20});
}

TEST_CASE("what a job did not use elsewhere is no debt of its home") {
    // In processor-hours: job 1 of cluster 1 is planned for 8 at cluster 2, a limit of 8, and uses
    // 0.4. Job 2 stays while it runs, until 3600; job 3 leaves when it has ended.
    const double hour = 3600;
    Jobs jobs{
        at_cluster(0, 0, hour, 4),
        at_cluster(0, 10, 360, 4),
        at_cluster(0, 20, 10, 4),
        at_cluster(0, 400, 10, 4)};
    jobs[1].estimate = 2 * hour;
    Parameters given = with(federation(), "promote_share", reals({0.5}));
    given.set("backfill_over", "own_cluster");
    CHECK(run(with(given, "most_deficit", 8), {4, 4, 4}, jobs).starts == Times{0, 10, hour, 400});
}

TEST_CASE("messages take their time, level by level") {
    // Cluster 1, manager 2 above it; 3 s per level. Job 0 is handed up at 1: request at 4, inquiry
    // at 7, offer at 10, reserve at 13, accepted at 16, commit at 19: it starts at 20.
    const Parameters given = with(federation(), "message_delay_s", 3);
    Places places;
    const Outcome outcome =
        run(with(given, "promote_size", reals({1})), {4, 4}, {at_cluster(0, 1, 10, 2)}, &places);
    CHECK(outcome.starts == Times{20});
    const std::vector<Places::Said> all{
        {4, request, 0, 2},
        {7, taken, 2, 0},
        {7, inquiry, 2, 0},
        {10, offer, 0, 2},
        {13, reserve, 2, 0},
        {16, accepted, 0, 2},
        {19, commit, 2, 0},
        {22, done, 0, 2}};
    CHECK(places.said == all);
    CHECK(outcome.published.at("messages") == 8);
}

TEST_CASE("a reservation that comes too late is declined, with the earliest time") {
    // 3 s per level. Job 0, of 4, is at the manager at 4, could be committed at 19, and is asked
    // for 20; cluster 1 confirms that at 7. Job 1, local, of 3 for 100, takes it from 20 on at 12,
    // and at 13 the cluster declines and says 120. At 16 the manager looks again, from 31 on:
    // cluster 2 confirms 40, reserves it, and at 31, when that is committed, starts the job with
    // the next slot, at 40: the job is promised 40, but may be placed as if it came at 31.
    const Jobs jobs{at_cluster(0, 1, 10, 4), at_cluster(0, 12, 100, 3)};
    Parameters given = with(federation(), "message_delay_s", 3);
    given.set("promote_size", reals({4}));
    Places places;
    const Outcome outcome = run(given, {4, 4}, jobs, &places);
    CHECK(outcome.starts == Times{40, 20});
    CHECK(places.at[0] == Shares{{1, 4}});
    CHECK(outcome.published.at("declines") == 1);
}

TEST_CASE("pieces start with a slot of their clusters, not before they are committed") {
    // 3 s per level. At the manager at 4, committed by 19 at the latest: slots begin at 20. Job 1,
    // local, follows at 30.
    const Parameters given = with(federation(), "message_delay_s", 3);
    CHECK(
        run(given, {4, 4}, {at_cluster(0, 1, 10, 8), at_cluster(1, 15, 5, 4)}).starts
        == Times{20, 30}
    );
    // Slots of 10 and of 15: both begin at 30.
    const Parameters other = with(
        given,
        "inner",
        choices({choice("calendar", slots({{1, 10}})), choice("calendar", slots({{1, 15}}))})
    );
    CHECK(run(other, {4, 4}, {at_cluster(0, 1, 10, 8)}).starts == Times{30});
    // Slots of 10 and of √2 never do.
    const Parameters never = with(
        given,
        "inner",
        choices(
            {choice("calendar", slots({{1, 10}})), choice("calendar", slots({{1, std::sqrt(2)}}))}
        )
    );
    CHECK_THROWS_AS(run(never, {4, 4}, {at_cluster(0, 1, 10, 8)}), UnservedJobError);
}

TEST_CASE("a job that gives way does not hold processors before it is committed") {
    // 3 s per level. Job 0, of 2 for 100, fits only cluster 1 and is asked for 18, 30 and 50, which
    // jobs 1, 2 and 3, local, have taken by then; at 30 it takes any start from 36 on: 70. Jobs 2
    // and 3 end early, and the processors are free at 34; the commit comes at 36. Job 4 has 35–45.
    Jobs jobs{
        at_cluster(0, 0, 100, 2),
        at_cluster(0, 10, 20, 4),
        at_cluster(0, 16, 3, 4),
        at_cluster(0, 22, 1, 4),
        at_cluster(0, 35, 10, 4)};
    jobs[2].estimate = 20;
    jobs[3].estimate = 20;
    Parameters given = with(federation(), "inner", choices({choice("conservative")}));
    given.set("promote_length_s", reals({100}));
    given.set("message_delay_s", 3);
    const Outcome outcome = run(given, {4, 1}, jobs);
    CHECK(outcome.starts == Times{45, 10, 30, 33, 35});
    CHECK(outcome.published.at("declines") == 3);
}

TEST_CASE("of two clusters one declines: both pieces are given up, and asked for later") {
    // Job 0, of 6: 3 and 3, asked for at 20 from 4 on. Job 1, local at cluster 2, of 4 for 30,
    // takes 10–40 at 5: cluster 2 declines at 7 and says 40; cluster 1 had accepted. Given up, both
    // are asked for 40 and accept. Job 2, local at cluster 1, of 4 for 10 at 14, has 20 again.
    const Jobs jobs{at_cluster(0, 1, 10, 6), at_cluster(1, 5, 30, 4), at_cluster(0, 14, 10, 4)};
    const Parameters given = with(federation(), "message_delay_s", 3);
    Places places;
    const Outcome outcome = run(given, {4, 4}, jobs, &places);
    CHECK(outcome.starts == Times{40, 10, 20});
    CHECK(places.at[0] == Shares{{0, 3}, {1, 3}});
    CHECK(outcome.published.at("declines") == 1);
}

TEST_CASE("what a manager knows may be old: the cluster it chooses says when it could") {
    // Job 0 has the manager look at 0: both clusters are free. It gets cluster 1. Job 1 at 1
    // believes so still, and is told 110; cluster 2 is still believed free, and is.
    const Jobs jobs{at_cluster(0, 0, 110, 4), at_cluster(0, 1, 10, 4)};
    Parameters given = with(federation(), "promote_share", reals({0.5}));
    const Outcome fresh = run(given, {4, 4}, jobs);
    given.set("staleness_s", 100);
    const Outcome stale = run(given, {4, 4}, jobs);
    CHECK(fresh.starts == Times{0, 10});
    CHECK(stale.starts == Times{0, 10});
    // An inquiry and its offer more.
    CHECK(stale.published.at("messages") == fresh.published.at("messages") + 2);
    // Two clusters together are not asked first: the stale belief fails, is given up, and is known.
    const Jobs wide{at_cluster(0, 0, 110, 8), at_cluster(0, 1, 10, 8)};
    const Outcome declined = run(given, {4, 4}, wide);
    CHECK(declined.starts == Times{0, 110});
    CHECK(declined.published.at("declines") >= 1);
}

TEST_CASE("clusters of any policy that answers are federated") {
    // As in the first case, under easy and conservative: no slots, so job 1 starts when it comes.
    const Jobs jobs{at_cluster(0, 0, 100, 4), at_cluster(0, 7, 10, 3), at_cluster(0, 8, 10, 6)};
    for (const char* policy : {"easy", "conservative", "k_reservations", "selective"}) {
        CAPTURE(policy);
        Parameters given = with(federation(), "promote_share", reals({0.5}));
        given.set("inner", choices({choice(policy)}));
        CHECK(run(given, {4, 4}, jobs).starts == Times{0, 7, 100});
        CHECK(
            run(with(given, "promote_share", reals({1})), {4, 4}, {jobs[0], jobs[1]}).starts
            == Times{0, 100}
        );
    }
    const PolicyDescription& managers = policy_named("managers");
    const auto found = managers.alternative.check(with_defaults(
        managers.alternative.parameters, with(federation(), "inner", choices({choice("fcfs")}))
    ));
    REQUIRE(found.size() == 1);
    CHECK(found[0].reason == "'fcfs' does not say when a job could start (managers ask for that)");
}

}  // namespace schedfarm::tests
