// Moldable jobs around advance reservations: schedules by hand, random workloads under the
// verifier, and all schedules of small instances. A reservation is a rigid job with a fixed start.
#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "tests/policies/moldable/random_moldables.hpp"
#include "tests/policies/schedule_log.hpp"
#include "tests/support/long_form.hpp"

namespace schedfarm::tests {

namespace {

using Sizes = std::vector<std::uint32_t>;

GivenMoldable reserved(
    double fixed_start, double service, std::uint32_t processors, double submit = 0
) {
    return {
        .times = {service},
        .weight = 0,
        .submit_time = submit,
        .rigid = processors,
        .fixed_start = fixed_start};
}

struct Contender {
    const char* policy;
    Parameters given;
};

std::vector<Contender> contenders(const char* bounds) {
    const auto with = [bounds](std::vector<std::pair<std::string, Value>> values) {
        values.emplace_back("bounds", bounds);
        return moldable_settings(values);
    };
    return {
        {"demt", with({})},
        {"demt", with({{"compaction", "graham"}, {"shuffles", 3}})},
        {"moldable_gang", with({})},
        {"moldable_sequential", with({})},
        {"moldable_list", with({})},
        {"moldable_list", with({{"order", "largest_time"}})},
        {"moldable_list", with({{"order", "smallest_area"}})},
        {"moldable_shelves", with({})},
        {"moldable_local_search", with({{"moves_per_job", 5}})}};
}

/// A third are reservations, some of them moldable, some of the past and some without service.
std::vector<GivenMoldable> random_mix(Dice& dice, std::uint32_t processors) {
    std::vector<GivenMoldable> jobs = random_moldables(dice, 2 + dice.below(24), processors);
    for (GivenMoldable& job : jobs) {
        if (&job == &jobs.front() || dice.below(3) == 0) {
            const double lead = dice.below(2) == 0 ? dice.below(30) : dice.below(1000) / 37.0;
            job.fixed_start = job.submit_time + lead - (dice.below(20) == 0 ? 1 : 0);
        }
    }
    return jobs;
}

enum class RigidJobs : std::uint8_t { none, some };

/// 300 jobs with times that are no short binary fractions.
std::vector<GivenMoldable> random_load(
    Dice& dice, std::uint32_t processors, double utilization, RigidJobs rigid
) {
    std::vector<GivenMoldable> jobs;
    std::vector<double> submits;
    double work = 0;
    for (std::uint32_t i = 0; i < 300; ++i) {
        jobs.push_back(
            rigid == RigidJobs::none ? random_moldable(dice, processors)
                                     : random_moldable_or_rigid(dice, processors)
        );
        const double scale = (1 + dice.below(1000)) / 1001.0;
        for (double& time : jobs.back().times) {
            time *= scale;
        }
        work += jobs.back().times.front() * std::max(jobs.back().rigid, 1U);
        submits.push_back(dice.below(1'000'000) / 1e6);
    }
    std::sort(submits.begin(), submits.end());
    for (std::size_t i = 0; i < jobs.size(); ++i) {
        jobs[i].submit_time = submits[i] * work / (processors * utilization);
    }
    return jobs;
}

/// Every policy gives the same schedule, to the bit, with a reservation of all processors long
/// after the last job. The local search does so from time 0 on: later it judges lists by the clock
/// where there are reservations, which rounds otherwise, and what rounds may decide a move.
void check_same_beside_no_load(
    std::uint32_t processors, const std::vector<GivenMoldable>& jobs, const char* bounds
) {
    std::vector<GivenMoldable> with = jobs;
    with.push_back(reserved(1e7, 5, processors, jobs.back().submit_time));
    for (const Contender& contender : contenders(bounds)) {
        CAPTURE(std::string(contender.policy));
        for (const ExperimentKind kind : {ExperimentKind::offline, ExperimentKind::open}) {
            if (kind == ExperimentKind::open
                && std::string(contender.policy) == "moldable_local_search") {
                continue;
            }
            const auto run = [&](const std::vector<GivenMoldable>& given) {
                return run_moldable(contender.policy, contender.given, processors, given, kind);
            };
            const MoldableRun before = run(jobs);
            MoldableRun after = run(with);
            after.log.start.pop_back();
            after.log.size.pop_back();
            CHECK(after.log.start == before.log.start);
            CHECK(after.log.size == before.log.size);
            // The bound may gain what the search for λ* left open.
            const std::ptrdiff_t columns = std::string(bounds) == "all" ? 8 : 2;
            for (std::ptrdiff_t back = 0; back < columns; ++back) {
                const double expected = before.observations.values.rbegin()[back];
                const double value = after.observations.values.rbegin()[back];
                CHECK(value == doctest::Approx(expected).epsilon(1e-8));
            }
        }
    }
}

}  // namespace

TEST_CASE("a reservation in the middle keeps one processor from what would still run") {
    // Two processors, one of them reserved 3 … 5. The longest first, one processor each: 4 at 0,
    // 3 at 0. The last, 2 long, would start at 3 without the reservation; at 3 both are taken, at 4
    // one is free again.
    const std::vector<GivenMoldable> jobs{
        {.times = {4, 4}}, {.times = {3, 3}}, {.times = {2, 2}}, reserved(3, 2, 1)};
    const MoldableRun run = run_moldable("moldable_sequential", {}, 2, jobs);
    CHECK(run.log.start == Times{0, 0, 4, 3});
    CHECK(run.refused == 0);
    CHECK(run.missed == 0);
}

TEST_CASE("two reservations leave a gap that fits exactly") {
    // One processor, reserved 2 … 4 and 7 … 9. By weight / time: the job of 3 fits 4 … 7, that of 2
    // before, and for the last there is no gap: 9.
    const std::vector<GivenMoldable> jobs{
        {.times = {3}, .weight = 9},
        {.times = {2}, .weight = 4},
        {.times = {1}, .weight = 1},
        reserved(2, 2, 1),
        reserved(7, 2, 1)};
    CHECK(run_moldable("moldable_gang", {}, 1, jobs).log.start == Times{4, 0, 9, 2, 7});
}

TEST_CASE("a reservation in the way of the running batch is refused") {
    // Two processors. Job 0 takes both 0 … 6. At 1 somebody asks for one at 4: refused, so that he
    // waits for the next batch. At 2 somebody asks for both at 6, 3 long: the batch is over by
    // then. The next batch, at 6, holds the refused one: it waits until 9, when the reservation
    // ends.
    const std::vector<GivenMoldable> jobs{
        {.times = {6}, .rigid = 2}, reserved(4, 2, 1, 1), reserved(6, 3, 2, 2)};
    for (const Contender& contender : contenders("none")) {
        CAPTURE(contender.policy);
        const MoldableRun run =
            run_moldable(contender.policy, contender.given, 2, jobs, ExperimentKind::open);
        CHECK(run.log.start == Times{0, 9, 6});
        CHECK(run.refused == 1);
        CHECK(run.missed == 0);
    }
}

TEST_CASE("a batch ends though reservations run on") {
    // Two processors, one reserved 1 … 20. Job 1 runs 0 … 3; job 2 came at 2 and starts at 3.
    const std::vector<GivenMoldable> jobs{
        reserved(1, 19, 1),
        {.times = {3}, .rigid = 1},
        {.times = {4}, .submit_time = 2, .rigid = 1}};
    for (const Contender& contender : contenders("none")) {
        CAPTURE(contender.policy);
        const MoldableRun run =
            run_moldable(contender.policy, contender.given, 2, jobs, ExperimentKind::open);
        CHECK(run.log.start == Times{1, 0, 3});
    }
}

TEST_CASE("nothing starts while the whole machine is reserved") {
    // Three processors reserved 0 … 10: the task takes at least 1, on three, and ends by 11.
    const std::vector<GivenMoldable> jobs{{.times = {3, 1.5, 1}}, reserved(0, 10, 3)};
    for (const Contender& contender : contenders("makespan")) {
        CAPTURE(contender.policy);
        const MoldableRun run = run_moldable(contender.policy, contender.given, 3, jobs);
        CHECK(run.log.start == Times{10, 0});
        CHECK(run.observations.values[2] == doctest::Approx(11).epsilon(1e-12));
        const double ratio = (run.log.finish[0]) / 11;
        CHECK(run.observations.values[3] == doctest::Approx(ratio).epsilon(1e-12));
    }
}

TEST_CASE("a job without service waits for room and keeps nobody") {
    // Two processors, one reserved 0 … 4. The rigid job of two takes no time, but none is free for
    // it before 6, when the task has ended; the next batch is not before.
    const std::vector<GivenMoldable> jobs{
        reserved(0, 4, 1),
        {.times = {0}, .rigid = 2},
        {.times = {6}, .rigid = 1},
        {.times = {1}, .submit_time = 2, .rigid = 1}};
    const MoldableRun run = run_moldable("moldable_sequential", {}, 2, jobs, ExperimentKind::open);
    CHECK(run.log.start == Times{0, 6, 0, 6});
}

TEST_CASE("a moldable job without service starts with its batch on one processor") {
    std::vector<GivenMoldable> jobs{{.times = {4, 2}}, {.times = {0, 0}}};
    for (const char* policy : moldable_policies) {
        CAPTURE(policy);
        for (const bool is_reserved : {false, true}) {
            CAPTURE(is_reserved);
            jobs.resize(2);
            if (is_reserved) {
                jobs.push_back(reserved(100, 1, 1));
            }
            const MoldableRun run = run_moldable(policy, {}, 2, jobs);
            CHECK(run.log.start[1] == 0);
            CHECK(run.log.finish[1] == 0);
            CHECK(run.log.size[1] == 1);
        }
    }
}

TEST_CASE("DEMT's batches have what is free in their time") {
    // Two processors, two tasks of 2 on one and 1 on two: without reservations one runs on both
    // first, then the other on one. With one processor reserved for long, C* is 4, the least work;
    // the batch 1 … 2 has one processor, on which no task takes 1; the batch 2 … 4 takes the first
    // task, the next the second.
    std::vector<GivenMoldable> jobs{{.times = {2, 1}}, {.times = {2, 1}}};
    const Parameters given = moldable_settings({{"shuffles", 0}, {"bounds", "makespan"}});
    const MoldableRun alone = run_moldable("demt", given, 2, jobs);
    CHECK(alone.log.size == Sizes{2, 1});
    CHECK(alone.log.start == Times{0, 1});
    jobs.push_back(reserved(0, 100, 1));
    const MoldableRun run = run_moldable("demt", given, 2, jobs);
    CHECK(run.log.size == Sizes{1, 1, 1});
    CHECK(run.log.start == Times{0, 2, 0});
    CHECK(run.observations.values[2] == doctest::Approx(4).epsilon(1e-12));
}

TEST_CASE("shelves that do not fit are listed by their starts") {
    // Two processors, 6, 3 and 5 on any number: shelves 0 … 6, 5 … 8 and 0 … 5. One processor is
    // reserved 5 … 7: the second job has to wait until 6. Reserved from 8 on the shelves stay.
    std::vector<GivenMoldable> jobs{
        {.times = {6, 6}}, {.times = {3, 3}, .weight = 0.25}, {.times = {5, 5}}};
    jobs.push_back(reserved(5, 2, 1));
    CHECK(run_moldable("moldable_shelves", {}, 2, jobs).log.start == Times{0, 6, 0, 5});
    jobs.back() = reserved(8, 2, 2);
    CHECK(run_moldable("moldable_shelves", {}, 2, jobs).log.start == Times{0, 5, 0, 8});
}

TEST_CASE("a moldable job reserves what it asks for") {
    // It asks for one processor, on which it takes 4, and would run on two otherwise.
    const std::vector<GivenMoldable> jobs{{.times = {4, 2}, .fixed_start = 3}, {.times = {4, 2}}};
    const MoldableRun run = run_moldable("moldable_gang", {}, 2, jobs);
    CHECK(run.log.start == Times{3, 0});
    CHECK(run.log.size == Sizes{1, 2});
    CHECK(run.log.finish == Times{7, 2});
}

TEST_CASE("a reservation that lacks processors at its time is missed and comes first later") {
    // Two processors, one out of order 1 … 10. Both are reserved at 5 for 2. At 6 a job of one for
    // 8 comes: it starts then. At 10 there are two again, but one is held until 14. A job of one
    // that comes at 12 waits for the batch, until 14, when the reservation is before it: 16.
    TestCell cell;
    cell.system.clusters = {2};
    cell.system.outages.listed = {{.from = 1, .until = 10, .first_processor = 1, .count = 1}};
    cell.experiment.kind = ExperimentKind::trace;
    cell.jobs = {{0, 2, {2}}, {6, 8, {1}}, {12, 3, {1}}};
    cell.jobs.front().fixed_start = 5;
    cell.experiment.horizon.jobs = cell.jobs.size();
    for (const Contender& contender : contenders("none")) {
        CAPTURE(contender.policy);
        StartTimes log(cell.jobs.size());
        const Observations seen =
            run_general({policy_named(contender.policy), contender.given}, cell, &log);
        CHECK(log.starts() == Times{14, 6, 16});
        // Behind them is the availability.
        CHECK(seen.values.at(seen.values.size() - 3) == 0);
        CHECK(seen.values.at(seen.values.size() - 2) == 1);
    }
}

TEST_CASE("reservations are kept or refused, under the verifier, off-line and on-line") {
    double refused = 0;
    double kept = 0;
    for (std::uint64_t seed = 0; seed < 600; ++seed) {
        CAPTURE(seed);
        Dice dice(seed);
        const std::uint32_t processors = 1 + dice.below(9);
        const std::vector<GivenMoldable> jobs = random_mix(dice, processors);
        for (const Contender& contender : contenders("none")) {
            CAPTURE(contender.policy);
            for (const ExperimentKind kind : {ExperimentKind::offline, ExperimentKind::open}) {
                MoldableRun run;
                REQUIRE_NOTHROW(
                    run = run_moldable(contender.policy, contender.given, processors, jobs, kind)
                );
                double elsewhere = 0;
                for (std::size_t i = 0; i < jobs.size(); ++i) {
                    const bool is_reserved = jobs[i].fixed_start != no_fixed_start;
                    const bool is_there = run.log.start[i] == jobs[i].fixed_start;
                    elsewhere += is_reserved && !is_there ? 1 : 0;
                    kept += is_reserved && is_there ? 1 : 0;
                }
                REQUIRE(run.missed == 0);
                REQUIRE(elsewhere <= run.refused);
                refused += run.refused;
            }
        }
    }
    CHECK(kept > 20000);
    CHECK(refused > 5000);
}

TEST_CASE("a reservation of no load changes nothing") {
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        CAPTURE(seed);
        Dice dice(seed);
        const std::uint32_t processors = 1 + dice.below(9);
        const auto jobs = random_moldables(dice, 1 + dice.below(20), processors);
        check_same_beside_no_load(processors, jobs, "all");
    }
}

TEST_CASE("a reservation of no load changes nothing in a long run whose times round") {
    for (std::uint64_t seed = 0; seed < short_or_long(4U, 8U); ++seed) {
        CAPTURE(seed);
        Dice dice(seed);
        const double utilization = seed % 2 == 0 ? 0.6 : 0.9;
        const RigidJobs rigid = seed % 4 < 2 ? RigidJobs::none : RigidJobs::some;
        check_same_beside_no_load(32, random_load(dice, 32, utilization, rigid), "makespan");
    }
}

TEST_CASE("the published ratio is that of the schedule, rigid jobs or not") {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        CAPTURE(seed);
        Dice dice(seed);
        const std::vector<GivenMoldable> jobs = random_load(dice, 32, 1, RigidJobs::some);
        for (const Contender& contender : contenders("makespan")) {
            CAPTURE(std::string(contender.policy));
            const MoldableRun run = run_moldable(contender.policy, contender.given, 32, jobs);
            const std::vector<double>& values = run.observations.values;
            CHECK(values[3] * values[2] == doctest::Approx(values[0]).epsilon(1e-12));
        }
    }
}

TEST_CASE("DEMT uses gaps that are shorter than its batches and its stacks") {
    // All four processors are reserved i + 0.5 ... i + 1 for i < 20. Twelve jobs of 0.3 fill three
    // gaps, four in each; the last one that wants all processors for 0.4 has the next.
    for (const char* compaction : {"strict", "graham"}) {
        CAPTURE(compaction);
        std::vector<GivenMoldable> jobs;
        for (int i = 0; i < 20; ++i) {
            jobs.push_back(reserved(i + 0.5, 0.5, 4));
        }
        for (int i = 0; i < 12; ++i) {
            jobs.push_back({.times = std::vector<double>(4, 0.3), .weight = 2});
        }
        jobs.push_back({.times = {0.4}, .weight = 0, .rigid = 4});
        const MoldableRun run =
            run_moldable("demt", moldable_settings({{"compaction", compaction}}), 4, jobs);
        REQUIRE(run.refused == 0);
        CHECK(*std::max_element(run.log.start.begin() + 20, run.log.start.end()) == 3);
    }
}

}  // namespace schedfarm::tests
