// What the verifier of managers sees; by hand: tests/cases.
#include <cstdint>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "tests/policies/composition/inner_runs.hpp"

namespace schedfarm::tests {

namespace {

struct Said {
    double time;
    std::uint32_t kind;
    std::uint32_t from;
    std::uint32_t to;
};

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
    done,
    release,
    released,
    kept,
    freed
};

}  // namespace

// Clusters 0 and 1 below node 2. Each line of steps breaks one thing.
TEST_CASE("the verifier sees what managers must not do") {
    const PolicyDescription& policy = policy_named("managers");
    Parameters losing;
    losing.set("lost_messages", numbers({1000}));
    const Parameters given = with_defaults(policy.alternative.parameters, losing);
    const SystemDescription system{.clusters = {4, 4}};
    const PolicyContext context{system, Stream(1, Purpose::policy, 0)};
    Job job;
    job.service_time = 5;
    job.estimate = 5;
    job.size = 6;
    const Said reserve_0{0, reserve, 2, 0};
    const Said reserve_1{0, reserve, 2, 1};
    const Said accept_0{0, accepted, 0, 2};
    const Said accept_1{0, accepted, 1, 2};
    const Said commit_0{0, commit, 2, 0};
    const Said commit_1{0, commit, 2, 1};
    const Said abort_1{0, aborted, 2, 1};
    const auto problem = [&](const std::vector<Said>& said,
                             const std::vector<ClusterShare>& shares) -> std::string {
        const auto verifier = make_own_verifier(policy, given, context);
        try {
            for (const Said& one : said) {
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
    const std::vector<Said> reserved{reserve_0, reserve_1, accept_0, accept_1};
    const auto then = [&reserved](std::vector<Said> more) {
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
    const Said release_0{0, release, 2, 0};
    const Said released_0{0, released, 0, 2};
    const Said kept_0{0, kept, 0, 2};
    const auto moving = [&](std::vector<Said> more) {
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
