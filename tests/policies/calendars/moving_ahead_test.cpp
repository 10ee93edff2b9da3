// Jobs that move ahead over the clusters of a manager, by hand, and what the verifier sees.
#include <cstdint>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "tests/policies/calendars/manager_runs.hpp"

namespace schedfarm::tests {

TEST_CASE("a promoted job moves ahead to any cluster of its manager, or stays on its own") {
    // Jobs 0 and 1 have cluster 1 until 50 and cluster 2 until 100; job 2 gets 50 on cluster 1. At
    // 15 job 1 ends: cluster 2 is free from 20 on. Job 3, local, of cluster 2, had 100 there; it
    // moves ahead behind job 2, to 30, or to 20 where that one stays.
    Jobs jobs{
        at_cluster(0, 0, 50, 4),
        at_cluster(1, 0, 15, 4),
        at_cluster(0, 1, 10, 4),
        at_cluster(1, 2, 10, 2)};
    jobs[1].estimate = 100;
    const Parameters given = with(federation(), "promote_share", reals({0.8}));
    Places places;
    CHECK(run(given, {4, 4}, jobs, &places).starts == Times{0, 0, 20, 30});
    CHECK(places.at[2] == Shares{{1, 4}});
    Places own;
    CHECK(
        run(with(given, "backfill_over", "own_cluster"), {4, 4}, jobs, &own).starts
        == Times{0, 0, 50, 20}
    );
    CHECK(own.at[2] == Shares{{0, 4}});
}

TEST_CASE("with delays a job moves when the cluster that has it gives it up") {
    // 3 s per level. Job 2, by its length, has 100 on cluster 1. Job 1 ends at 25; the manager
    // knows at 28: inquiry 31, offer 34, reserve 37, accepted 40, release 43, released 46,
    // commit 49. It starts at 50.
    Jobs jobs{at_cluster(0, 0, 100, 4), at_cluster(1, 0, 25, 4), at_cluster(0, 1, 110, 4)};
    jobs[1].estimate = 105;
    Parameters given = with(federation(), "message_delay_s", 3);
    given.set("promote_length_s", reals({110}));
    Places places;
    CHECK(run(given, {4, 4}, jobs, &places).starts == Times{0, 0, 50});
    CHECK(places.at[2] == Shares{{1, 4}});
    const std::vector<Places::Said> all{
        {28, freed, 1, 2},
        {31, inquiry, 2, 1},
        {34, offer, 1, 2},
        {37, reserve, 2, 1},
        {40, accepted, 1, 2},
        {43, release, 2, 0},
        {46, released, 0, 2},
        {49, commit, 2, 1},
        {52, done, 1, 2}};
    REQUIRE(places.said.size() == 8 + all.size());
    CHECK(std::vector<Places::Said>(places.said.begin() + 8, places.said.end()) == all);
    CHECK(
        run(with(given, "backfill_over", "own_cluster"), {4, 4}, jobs).starts == Times{0, 0, 100}
    );
    // Where messages are lost, it stays.
    CHECK(
        run(with(given, "lost_messages", numbers({1000})), {4, 4}, jobs).starts == Times{0, 0, 100}
    );
    // Job 0 ends at 38, and cluster 1 starts job 2 at 40: it is kept, and what cluster 2 has
    // reserved given up at 49, when job 3 comes.
    jobs[0].service_time = 38;
    jobs[0].estimate = 100;
    jobs.push_back(at_cluster(1, 49, 10, 4));
    Places kept_there;
    CHECK(run(given, {4, 4}, jobs, &kept_there).starts == Times{0, 0, 40, 50});
    CHECK(kept_there.at[2] == Shares{{0, 4}});
    // The same with job 2 as short as the messages take: its end ends the move.
    jobs[2].service_time = 2;
    jobs[2].estimate = 110;
    CHECK(run(given, {4, 4}, jobs).starts == Times{0, 0, 40, 50});
    // Job 3 takes cluster 2 at 35: declined at 37, and job 2 stays.
    jobs[0].service_time = 100;
    jobs[3] = at_cluster(1, 35, 100, 4);
    CHECK(run(given, {4, 4}, jobs).starts == Times{0, 0, 100, 40});
}

TEST_CASE("promoted jobs move ahead before local ones") {
    // Job 0 has cluster 1 until 30 by its request, and exits at 10. Job 1, local, of 3, has 30; job
    // 2, of 4 and so promoted, 40, since cluster 2 is busy until 100. At 10 job 2 moves first: to
    // 10; job 1 stays behind it, and moves to 20.
    Jobs jobs{
        at_cluster(0, 0, 10, 4),
        at_cluster(1, 0, 100, 4),
        at_cluster(0, 1, 10, 3),
        at_cluster(0, 2, 10, 4)};
    jobs[0].estimate = 30;
    const Parameters given = with(federation(), "promote_share", reals({0.8}));
    CHECK(run(given, {4, 4}, jobs).starts == Times{0, 0, 20, 10});
}

// Clusters 0 and 1 below node 2. Each line of steps breaks one thing.
TEST_CASE("the verifier sees what managers must not do") {
    const PolicyDescription& policy = policy_named("managers");
    const Parameters given = with_defaults(
        policy.alternative.parameters, with(federation(), "lost_messages", numbers({1000}))
    );
    const SystemDescription system{.clusters = {4, 4}};
    const PolicyContext context{system, Stream(1, Purpose::policy, 0)};
    Job job;
    job.service_time = 5;
    job.estimate = 5;
    job.size = 6;
    const Places::Said reserve_0{0, reserve, 2, 0};
    const Places::Said reserve_1{0, reserve, 2, 1};
    const Places::Said accept_0{0, accepted, 0, 2};
    const Places::Said accept_1{0, accepted, 1, 2};
    const Places::Said commit_0{0, commit, 2, 0};
    const Places::Said commit_1{0, commit, 2, 1};
    const Places::Said abort_1{0, aborted, 2, 1};
    const auto problem = [&](const std::vector<Places::Said>& said,
                             const std::vector<ClusterShare>& shares) -> std::string {
        const auto verifier = make_own_verifier(policy, given, context);
        try {
            for (const Places::Said& one : said) {
                const Message message{
                    .kind = one.kind, .from = one.from, .to = one.to, .subject = 0, .time = 10};
                ScheduleStep step;
                step.kind = ScheduleStep::Kind::message;
                step.time = one.time;
                step.message = &message;
                verifier->observe(step);
            }
            if (!shares.empty()) {
                ScheduleStep step;
                step.kind = ScheduleStep::Kind::start;
                step.job = &job;
                step.shares = shares;
                verifier->observe(step);
            }
            verifier->finish();
        } catch (const ScheduleError& error) {
            return error.what();
        }
        return "";
    };
    const std::vector<ClusterShare> home{{ClusterId{0}, 4}};
    const std::vector<ClusterShare> away{{ClusterId{1}, 4}};
    const std::vector<ClusterShare> both{{ClusterId{0}, 3}, {ClusterId{1}, 3}};
    const std::vector<Places::Said> reserved{reserve_0, reserve_1, accept_0, accept_1};
    const auto then = [&reserved](std::vector<Places::Said> more) {
        more.insert(more.begin(), reserved.begin(), reserved.end());
        return more;
    };
    CHECK(problem({}, home).empty());
    CHECK(problem(then({commit_0, commit_1}), both).empty());
    CHECK(problem({}, away) == "at time 0: job 0 runs on a cluster that has not committed it");
    CHECK(
        problem(then({commit_0}), both)
        == "at time 0: job 0 runs on a cluster that has not committed it"
    );
    CHECK(
        problem(then({commit_0, commit_1}), home)
        == "at time 0: job 0 does not run on a cluster that has committed it"
    );
    CHECK(
        problem({reserve_0, reserve_1, accept_0, commit_0}, {})
        == "at time 0: job 0 is committed before all clusters have accepted"
    );
    CHECK(
        problem(then({commit_0, abort_1}), {})
        == "at time 0: job 0 is committed at one cluster and not at another"
    );
    CHECK(problem(then({}), {}) == "at time 0: job 0 has never started and is reserved for");
    // Reserved for 10, and committed: until then there is nothing to ask for anew.
    const auto anew = [&](double time) {
        return then(
            {commit_0,
             commit_1,
             {time, reserve, 2, 0},
             {time, accepted, 0, 2},
             {time, commit, 2, 0}}
        );
    };
    CHECK(problem(anew(10), {{ClusterId{0}, 6}}).empty());
    // To move it is reserved elsewhere, released, and only then committed there.
    const Places::Said release_0{0, release, 2, 0};
    const Places::Said released_0{0, released, 0, 2};
    const Places::Said kept_0{0, kept, 0, 2};
    const auto moving = [&](std::vector<Places::Said> more) {
        more.insert(more.begin(), {reserve_0, accept_0, commit_0, reserve_1, accept_1, release_0});
        return more;
    };
    CHECK(problem(moving({released_0, commit_1}), away).empty());
    CHECK(problem(moving({kept_0, abort_1}), home).empty());
    CHECK(problem(moving({}), home).empty());
    CHECK(
        problem(moving({commit_1}), {})
        == "at time 0: job 0 is committed before it is released elsewhere"
    );
    CHECK(
        problem(moving({released_0, commit_1}), home)
        == "at time 0: job 0 runs on a cluster that has not committed it"
    );
    CHECK(
        problem(moving({released_0}), away)
        == "at time 0: job 0 runs on a cluster that has not committed it"
    );
    CHECK(
        problem(anew(9), {}) == "at time 9: job 0 is committed at one cluster and not at another"
    );
}

}  // namespace schedfarm::tests
