// Managers over clusters, by hand, and what their verifier sees.
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "engine/simulation/kernel/unserved_job.hpp"

#include "tests/policies/calendars/calendar_runs.hpp"

namespace schedfarm::tests {

namespace {

/// One manager above all clusters, which have calendars of these slots; only what is larger than
/// its cluster is handed up.
Parameters federation(const std::vector<SlotLevel>& levels = {{1, 10}}) {
    Parameters given;
    given.set("inner", choices({choice("calendar", slots(levels))}));
    given.set("promote_share", reals({1}));
    return given;
}
Parameters with(Parameters given, const char* name, const Value& value) {
    given.set(name, value);
    return given;
}
Outcome run(
    const Parameters& given,
    const std::vector<std::uint32_t>& clusters,
    const Jobs& jobs,
    ScheduleVerifier* extra = nullptr
) {
    return outcome_of(choice("managers", given), clusters, jobs, extra);
}

/// Where and when each job ran, and what was said.
class Places final : public ScheduleVerifier {
  public:
    struct Said {
        double time;
        std::uint32_t kind;
        std::uint32_t from;
        std::uint32_t to;
        friend bool operator==(const Said&, const Said&) = default;
    };
    void observe(const ScheduleStep& step) override {
        if (step.kind == ScheduleStep::Kind::start) {
            at.resize(std::max<std::size_t>(at.size(), step.job->index + 1));
            for (const ClusterShare& share : step.shares) {
                at[step.job->index].push_back({share.cluster.value, share.count});
            }
        } else if (step.kind == ScheduleStep::Kind::message) {
            said.push_back({step.time, step.message->kind, step.message->from, step.message->to});
        }
    }
    void end_of_instant(double /*time*/) override {}
    void finish() override {}

    struct Share {
        std::uint32_t cluster;
        std::uint32_t count;
        friend bool operator==(const Share&, const Share&) = default;
    };
    std::vector<std::vector<Share>> at;
    std::vector<Said> said;
};
using Shares = std::vector<Places::Share>;

enum Kind : std::uint32_t {
    request,
    taken,
    inquiry,
    offer,
    reserve,
    accepted,
    declined,
    commit,
    aborted,
    done
};

}  // namespace

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
        const auto verifier = policy.make_verifier(given, context);
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
    CHECK(
        problem(anew(9), {}) == "at time 9: job 0 is committed at one cluster and not at another"
    );
}

}  // namespace schedfarm::tests
