// Clusters with workloads of their own in one system.
#include <cstdint>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "models/trace/reading/blocks.hpp"

#include "tests/models/drawn_jobs.hpp"

namespace schedfarm::models {

namespace {

using engine::ExperimentKind;
using engine::Job;
using engine::Value;
using tests::choice;

using Numbers = std::vector<double>;

engine::Choice listed(const Numbers& submits, const std::vector<int>& sizes) {
    Value::List times;
    Value::List runs;
    Value::List processors;
    for (std::size_t i = 0; i < submits.size(); ++i) {
        times.emplace_back(submits[i]);
        runs.emplace_back(10.0 + static_cast<double>(i));
        processors.emplace_back(sizes[i]);
    }
    return choice(
        "listed", {{"submit_times", times}, {"service_times", runs}, {"sizes", processors}}
    );
}

engine::Parameters federation(
    Value::List homes, const std::vector<std::pair<std::string, Value>>& more = {}
) {
    std::vector<std::pair<std::string, Value>> all = {{"homes", std::move(homes)}};
    all.insert(all.end(), more.begin(), more.end());
    return tests::parameters("federation", all);
}

const engine::WorkloadModelDescription& model() {
    return *find_model("federation");
}

/// All of them.
std::vector<Job> jobs_of(
    const engine::Parameters& given, const std::vector<std::uint32_t>& clusters
) {
    const auto workload = model().make(given, tests::context_of(clusters, ExperimentKind::trace));
    std::vector<Job> jobs;
    engine::JobBlock block;
    for (workload->next(block); block.count > 0; workload->next(block)) {
        for (std::size_t i = 0; i < block.count; ++i) {
            jobs.push_back(block.job(i));
            jobs.back().components = {};  // of the block
        }
    }
    return jobs;
}

template <typename Entry>
std::vector<double> column(const std::vector<Job>& jobs, Entry Job::*entry) {
    std::vector<double> values;
    for (const Job& job : jobs) {
        values.push_back(static_cast<double>(job.*entry));
    }
    return values;
}

}  // namespace

// Home 1: 0, 5, 9; home 2: 5, 6. At 5 both: the first home's job comes first.
TEST_CASE("jobs are merged by submission, at one instant by home") {
    const auto jobs = jobs_of(
        federation({Value(listed({0, 5, 9}, {1, 2, 3})), Value(listed({5, 6}, {4, 5}))}), {8, 8}
    );
    CHECK(column(jobs, &Job::submit_time) == Numbers{0, 5, 5, 6, 9});
    CHECK(column(jobs, &Job::origin) == Numbers{0, 0, 1, 1, 0});
    CHECK(column(jobs, &Job::job_class) == Numbers{0, 0, 1, 1, 0});
    CHECK(column(jobs, &Job::size) == Numbers{1, 2, 4, 5, 3});
    CHECK(column(jobs, &Job::service_time) == Numbers{10, 11, 10, 11, 12});
    CHECK(column(jobs, &Job::index) == Numbers{0, 1, 2, 3, 4});
}

// Parts of 4 out of every 10 of one list 0, 3, 4, 10, 13, 14, 25: the first home has 0 and 3, the
// second 10 and 13 as 0 and 3, the third none of 20 to 24.
TEST_CASE("homes have parts of one workload, one behind the other") {
    const auto jobs = jobs_of(
        federation(
            {Value(listed({0, 3, 4, 10, 13, 14, 25}, {1, 2, 3, 4, 5, 6, 7}))},
            {{"every", 10.0}, {"length", 4.0}}
        ),
        {8, 8, 8}
    );
    CHECK(column(jobs, &Job::submit_time) == Numbers{0, 0, 3, 3});
    CHECK(column(jobs, &Job::origin) == Numbers{0, 1, 0, 1});
    CHECK(column(jobs, &Job::size) == Numbers{1, 4, 2, 5});
}

// Of 1, 2, 3, 4, 5 homes 1 and 3 have every other one; home 2 has a list of its own.
TEST_CASE("homes with the same workload have its jobs in turn") {
    const Value five(listed({0, 1, 2, 3, 4}, {1, 2, 3, 4, 5}));
    const auto given = federation({five, Value(listed({2}, {8})), five}, {{"in_turn", true}});
    const auto jobs = jobs_of(given, {8, 8, 8});
    CHECK(column(jobs, &Job::submit_time) == Numbers{0, 1, 2, 2, 3, 4});
    CHECK(column(jobs, &Job::origin) == Numbers{0, 2, 0, 1, 2, 0});
    CHECK(column(jobs, &Job::size) == Numbers{1, 2, 3, 8, 4, 5});
    const auto cut = federation({five}, {{"in_turn", true}, {"every", 10.0}});
    REQUIRE(model().alternative.check(cut).size() == 1);
    CHECK(model().alternative.check(cut)[0].parameter == "in_turn");
}

// A reservation for 2 after its submission at 1 is one for 62 at 61.
TEST_CASE("a home in another time zone has everything later, reservations too") {
    engine::Choice reserving = listed({1, 4}, {1, 2});
    reserving.parameters.set("fixed_starts", Value::List{2.0, -1.0});
    const auto given = federation({Value(reserving)}, {{"shifts", Value::List{0.0, 60.0}}});
    const auto jobs = jobs_of(given, {8, 8, 8});
    CHECK(column(jobs, &Job::submit_time) == Numbers{1, 4, 61, 61, 64, 64});
    CHECK(column(jobs, &Job::origin) == Numbers{0, 0, 1, 2, 1, 2});
    CHECK(jobs[0].fixed_start == 2);
    CHECK(jobs[1].fixed_start == engine::no_fixed_start);
    CHECK(jobs[2].fixed_start == 62);
    CHECK(model().facts(given).has_fixed_starts);
}

TEST_CASE("users of two homes are others") {
    engine::Choice with_users = listed({0, 1}, {1, 1});
    with_users.parameters.set("users", Value::List{3, 4});
    const auto jobs = jobs_of(federation({Value(with_users)}), {8, 8});
    CHECK(column(jobs, &Job::user) == Numbers{6, 7, 8, 9});
}

TEST_CASE("a home draws what its replication alone says, and no two draw alike") {
    const auto given = federation({Value(choice("downey_97"))});
    const auto jobs_at = [&given](std::uint32_t home, std::uint32_t replication) {
        auto context = tests::context_of({64, 64}, ExperimentKind::open, 0.5);
        context.replication = replication;
        std::vector<double> runs;
        tests::for_jobs("federation", given, context, 400, [&](const Job& job) {
            if (job.origin == home && runs.size() < 100) {
                runs.push_back(job.service_time);
            }
        });
        return runs;
    };
    CHECK(jobs_at(0, 0) == jobs_at(0, 0));
    CHECK(jobs_at(0, 0) != jobs_at(1, 0));
    CHECK(jobs_at(0, 0) != jobs_at(0, 1));
}

// The seed of home 2 is draw 2^60 + 1 of the stream of classes.
TEST_CASE("a home has the jobs that its cluster alone would have, at the same load") {
    const auto both = tests::context_of({128, 512}, ExperimentKind::open, 0.5);
    auto alone = tests::context_of({512}, ExperimentKind::open, 0.5);
    alone.seed =
        engine::Stream(both.seed, engine::Purpose::job_class, 0).draw((std::uint64_t{1} << 60) + 1);
    Numbers of_home;
    const auto given = federation({Value(choice("lublin_feitelson"))});
    tests::for_jobs("federation", given, both, 2000, [&](const Job& job) {
        if (job.origin == 1) {
            of_home.push_back(job.submit_time);
        }
    });
    Numbers submits;
    const auto model_alone = tests::parameters("lublin_feitelson");
    tests::for_jobs("lublin_feitelson", model_alone, alone, of_home.size(), [&](const Job& job) {
        submits.push_back(job.submit_time);
    });
    CHECK(of_home == submits);
}

TEST_CASE("a federation is in seconds and repeats where all homes are, and ends when all have") {
    const auto log = [](const char* resampling) {
        return Value(choice("trace", {{"file", "example"}, {"resampling", resampling}}));
    };
    const auto facts = [](Value::List homes, double length = 0) {
        return model().facts(federation(std::move(homes), {{"length", length}}));
    };
    const Value list(listed({0}, {1}));
    const Value days(choice("downey_97", {{"days", 1.0}}));
    CHECK(trace::repeats(facts({log("none"), list})));
    CHECK_FALSE(trace::repeats(facts({log("none"), log("users")})));
    CHECK_FALSE(trace::repeats(facts({list, days})));
    CHECK(facts({log("none")}).is_in_seconds);
    CHECK_FALSE(facts({log("none"), list}).is_in_seconds);
    CHECK(facts({days, log("users")}).has_own_arrivals);
    CHECK_FALSE(facts({days}).has_own_arrivals);
    using engine::JobsEnd;
    CHECK(facts({log("none"), list}).end == JobsEnd::given);
    CHECK(facts({log("none"), days}).end == JobsEnd::drawn);
    CHECK(facts({log("none"), Value(choice("downey_97"))}).end == JobsEnd::open_ended);
    CHECK(facts({log("none"), Value(choice("downey_97"))}, 60).end == JobsEnd::drawn);
    CHECK(facts({log("none"), list}, 60).end == JobsEnd::given);
    CHECK(facts({log("none"), list, log("users")}).logs.size() == 2);
}

// What home 2 has comes 60 s later; with `every` it is what its log has from 86400 on.
TEST_CASE("the clock of a federation is that of its first home with one") {
    const auto log = [](const char* resampling) {
        return Value(choice("trace", {{"file", "example"}, {"resampling", resampling}}));
    };
    const auto clock = [](Value::List homes, double every = 0) {
        const auto given =
            federation(std::move(homes), {{"shifts", Value::List{0.0, 60.0}}, {"every", every}});
        const auto context = tests::context_of({64, 64}, ExperimentKind::trace);
        return model().make(given, context)->traits().clock;
    };
    const Value list(listed({0, 90000}, {1, 1}));
    const double of_log = clock({log("none"), list});
    CHECK(of_log > 0);
    CHECK(clock({log("none")}) == of_log);
    CHECK(clock({list, log("none")}) == of_log - 60);
    CHECK(clock({list, log("none")}, 86400) == of_log - 60 + 86400);
    CHECK(clock({log("weeks"), list}) == 0);
    CHECK(clock({list}) == 0);
}

TEST_CASE("workloads that do not fit the clusters are refused") {
    const engine::SystemDescription three{.clusters = {8, 8, 4}};
    const auto problems = [&three](Value::List homes) {
        return model().check_system(federation(std::move(homes)), three);
    };
    const Value small(listed({0}, {4}));
    CHECK(problems({small}).empty());
    CHECK(problems({small, small, small}).empty());
    REQUIRE(problems({small, small}).size() == 1);
    CHECK(
        problems({small, small})[0].reason
        == "2 workloads for 3 clusters (each has one of its own, or all have the same)"
    );
    CHECK(problems({Value(listed({0}, {20}))}).empty());  // managers may divide it
    REQUIRE(problems({Value(listed({0}, {21}))}).size() == 1);
    CHECK(problems({Value(listed({0}, {21}))})[0].parameter == "homes");
}

}  // namespace schedfarm::models
