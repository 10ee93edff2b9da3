// Schedules computed by hand. A job is {submit, service, {components}}.
#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "engine/random/stream.hpp"

#include "tests/policies/cells.hpp"

namespace schedfarm::tests {

namespace {

using Times = std::vector<double>;
using Jobs = std::vector<GivenJob>;

/// By job index: when it started and where it was placed, "cluster:count cluster:count".
struct Schedule {
    Times starts;
    std::vector<std::string> places;
};

class StartLog final : public ScheduleVerifier {
  public:
    explicit StartLog(Schedule& schedule) : schedule_(schedule) {}

    void observe(const ScheduleStep& step) override {
        if (step.kind != ScheduleStep::Kind::start) {
            return;
        }
        schedule_.starts[step.job->index] = step.time;
        std::string& place = schedule_.places[step.job->index];
        for (const ClusterShare& share : step.shares) {
            place += (place.empty() ? "" : " ") + std::to_string(share.cluster.value) + ":"
                     + std::to_string(share.count);
        }
    }
    void end_of_instant(double /*time*/) override {}
    void finish() override {}

  private:
    Schedule& schedule_;
};

/// Runs all jobs on the general kernel under the verifiers.
Schedule schedule_of(
    const char* policy,
    const Parameters& parameters,
    std::vector<std::uint32_t> clusters,
    Jobs jobs,
    RequestStructure structure = RequestStructure::total
) {
    TestCell cell;
    cell.system.clusters = std::move(clusters);
    cell.structure = structure;
    cell.experiment.kind = ExperimentKind::open;
    cell.experiment.horizon.jobs = jobs.size();
    cell.jobs = std::move(jobs);
    Schedule schedule{Times(cell.jobs.size(), -1), std::vector<std::string>(cell.jobs.size())};
    StartLog log(schedule);
    run_general({policy_named(policy), parameters}, cell, &log);
    return schedule;
}

Parameters with(const char* name, const Value& value) {
    Parameters parameters;
    parameters.set(name, value);
    return parameters;
}

// 4 processors. Job 0 leaves one free until 4.
Jobs four_jobs() {
    return {{0, 4, {3}}, {1, 2, {2}}, {2, 1, {1}}, {2, 1, {4}}};
}

// Job 0 takes 3 of 4 processors until 10; job 1 wants all 4; the others want one each.
Jobs jobs_behind_a_large_one() {
    return {{0, 10, {3}}, {0, 1, {4}}, {1, 1, {1}}, {2, 1, {1}}, {3, 1, {1}}, {4, 1, {1}}};
}

// 4 processors, all taken until 2. Then one job at a time runs, since none is below 3.
Jobs jobs_one_at_a_time() {
    return {
        {0, 2, {4}},
        {1, 3, {4}},    // area 12
        {1, 5, {3}},    // area 15
        {1, 1, {3}},    // area 3
        {1, 2, {4}},    // area 8
        {1, 2.5, {3}},  // area 7.5
    };
}

}  // namespace

TEST_CASE("fcfs lets the head block") {
    // 0: job 0 starts, 1 free. 1: job 1 wants 2. 2: job 2 would fit but is behind job 1.
    // 4: job 0 ends; job 1 (until 6) and job 2 (until 5) start; job 3 wants all 4: 6.
    CHECK(schedule_of("fcfs", {}, {4}, four_jobs()).starts == Times{0, 4, 4, 6});
}

TEST_CASE("fpfs starts what fits") {
    // As above, but job 2 starts at 2 when it arrives.
    CHECK(schedule_of("fpfs", {}, {4}, four_jobs()).starts == Times{0, 4, 2, 6});
}

TEST_CASE("fpfs without scan on arrival only lets arrivals join a queue") {
    // Job 2 finds job 1 waiting and joins; the scan comes at 4.
    const Parameters parameters = with("scan_on_arrival", false);
    CHECK(schedule_of("fpfs", parameters, {4}, four_jobs()).starts == Times{0, 4, 4, 6});
    const Jobs jobs = {{0, 3, {2}}, {0, 9, {1}}, {1, 1, {4}}, {2, 1, {1}}, {3, 1, {2}}};
    // 0: jobs 0 and 1 hold 3. 1: job 2 waits. 2: job 3 would fit, joins. 3: job 0 ends, job 4
    // arrives: job 2 no, job 3 (1 of 3 free) and job 4 (2 of 2) start. 9: job 1 ends, job 2 starts.
    CHECK(schedule_of("fpfs", parameters, {4}, jobs).starts == Times{0, 0, 9, 3, 3});
    CHECK(schedule_of("fpfs", {}, {4}, jobs).starts == Times{0, 0, 9, 2, 3});
}

TEST_CASE("fpfs overtakes a job no more than max_jumps times") {
    // Limit 2: job 2 overtakes job 1 at 1, job 3 at 2 (when job 2 ends, in the same batch). Now
    // job 1 has been overtaken twice: jobs 4 and 5 wait until it starts at 10 and ends at 11.
    CHECK(
        schedule_of("fpfs", with("max_jumps", 2), {4}, jobs_behind_a_large_one()).starts
        == Times{0, 10, 1, 2, 11, 11}
    );
    // Limit 3: job 4 overtakes too, at 3.
    CHECK(
        schedule_of("fpfs", with("max_jumps", 3), {4}, jobs_behind_a_large_one()).starts
        == Times{0, 10, 1, 2, 3, 11}
    );
    // Limit 0: first come, first served.
    CHECK(
        schedule_of("fpfs", with("max_jumps", 0), {4}, jobs_behind_a_large_one()).starts
        == Times{0, 10, 11, 11, 11, 11}
    );
}

TEST_CASE("fpfs checks the limit at once after each start") {
    // Jobs 2 and 3 arrive together and both fit; with limit 1 only job 2 starts.
    const Jobs jobs = {{0, 10, {2}}, {0, 1, {4}}, {1, 2, {1}}, {1, 2, {1}}};
    CHECK(schedule_of("fpfs", with("max_jumps", 1), {4}, jobs).starts == Times{0, 10, 1, 11});
    CHECK(schedule_of("fpfs", with("max_jumps", 2), {4}, jobs).starts == Times{0, 10, 1, 1});
}

TEST_CASE("fpfs counts for every job by itself") {
    // Limit 1. 1: job 2 overtakes job 1. 4: job 0 ends; job 1 starts (until 9), 2 free; job 3 wants
    // 3 and has not been overtaken yet: job 4 overtakes it (until 5). 5: 2 free, job 5 would fit
    // but may not overtake job 3. 9: job 1 ends, jobs 3 and 5 start.
    const Jobs jobs = {
        {0, 4, {3}}, {0, 5, {2}}, {1, 1, {1}}, {2, 1, {3}}, {3, 1, {2}}, {3, 1, {1}}};
    CHECK(schedule_of("fpfs", with("max_jumps", 1), {4}, jobs).starts == Times{0, 4, 1, 9, 4, 9});
}

TEST_CASE("a job without service frees its processors in a further batch of the instant") {
    // 1: jobs 0, 1, 2 arrive. Job 0 takes all 4 and ends at once, but first the scan goes on: jobs
    // 1 and 2 do not fit. Further batch at 1: job 1 starts with 3, job 2 does not fit. 3: job 2.
    const Jobs jobs = {{1, 0, {4}}, {1, 2, {3}}, {1, 1, {2}}};
    CHECK(schedule_of("fpfs", {}, {4}, jobs).starts == Times{1, 1, 3});
    // Job 0 takes 3: job 2 fits into the rest and overtakes job 1, which then has to wait until 2.
    const Jobs others = {{1, 0, {3}}, {1, 2, {4}}, {1, 1, {1}}};
    CHECK(schedule_of("fpfs", {}, {4}, others).starts == Times{1, 2, 1});
    CHECK(schedule_of("fcfs", {}, {4}, others).starts == Times{1, 1, 3});
}

TEST_CASE("unordered requests on four clusters of 8") {
    const Jobs jobs = {{0, 4, {2, 6, 4}}, {0, 2, {4, 3, 5}}, {0, 1, {6}}, {0, 1, {2, 2}}};
    const std::vector<std::uint32_t> clusters = {8, 8, 8, 8};
    const RequestStructure unordered = RequestStructure::unordered;
    // First Fit. Job 0: 6, 4, 2 on clusters 0, 1, 2, leaving 2 4 6 8. Job 1: 5 on 2, 4 on 1, 3 on
    // 3, leaving 2 0 1 5. Job 2 wants 6 on one cluster: waits, and with it job 3. 2: job 1 ends,
    // free 2 4 6 8: job 2 on cluster 2, leaving 2 4 0 8; job 3 on 0 and 1.
    const Schedule fcfs = schedule_of("fcfs", {}, clusters, jobs, unordered);
    CHECK(fcfs.starts == Times{0, 0, 2, 2});
    CHECK(fcfs.places == std::vector<std::string>{"0:6 1:4 2:2", "2:5 1:4 3:3", "2:6", "0:2 1:2"});
    // FPFS: job 3 overtakes job 2 at 0: with 2 0 1 5 free it goes to 0 and 3. At 1 job 3 ends.
    const Schedule fpfs = schedule_of("fpfs", {}, clusters, jobs, unordered);
    CHECK(fpfs.starts == Times{0, 0, 2, 0});
    CHECK(fpfs.places[3] == "0:2 3:2");
    // Worst Fit: job 1 puts 5 on 3 (8 free), 4 on 2 (6), 3 on 1 (4), leaving 2 1 2 3. Job 3 goes to
    // 3 (3 free), then 0 (2 free, as cluster 2 has, but lower).
    const Schedule worst =
        schedule_of("fpfs", with("placement", "worst_fit"), clusters, jobs, unordered);
    CHECK(worst.places[1] == "3:5 2:4 1:3");
    CHECK(worst.places[3] == "3:2 0:2");
    CHECK(worst.starts == Times{0, 0, 2, 0});
    // Best Fit: job 1 puts 5 on 2 (6 free), 4 on 1 (4 free), 3 on 3.
    CHECK(
        schedule_of("fcfs", with("placement", "best_fit"), clusters, jobs, unordered).places[1]
        == "2:5 1:4 3:3"
    );
}

TEST_CASE("ordered and grouped requests on unequal clusters") {
    const Jobs jobs = {{0, 3, {4, 1}}, {0, 1, {1, 2}}, {1, 1, {2, 2}}};
    // Clusters of 6 and 3. Ordered: job 0 leaves 2 2, job 1 leaves 1 0 until 1; at 1, 2 2 are free
    // again for job 2.
    CHECK(
        schedule_of("fcfs", {}, {6, 3}, jobs, RequestStructure::ordered).starts == Times{0, 0, 1}
    );
    // Grouped: job 0 all on cluster 0 (5 of 6); job 1 all on cluster 1 (3); job 2 at 1 puts one 2
    // on cluster 1, and cluster 0 has 1 left: 3.
    const Schedule grouped = schedule_of("fcfs", {}, {6, 3}, jobs, RequestStructure::grouped);
    CHECK(grouped.starts == Times{0, 0, 3});
    CHECK(grouped.places == std::vector<std::string>{"0:5", "1:3", "0:4"});
}

TEST_CASE("EASY tries a grouped request again though only fewer processors are free") {
    // Job 0 leaves 8 10 2; job 1 wants all and waits until 100. At 2 job 2 finds no place: 6 and 2
    // fill cluster 0, 4 and 4 go to cluster 1, 3 fits nowhere. At 3 job 3 takes 1 of cluster 0: now
    // 6 and 4 fill cluster 1, 4 and 3 cluster 0, 2 cluster 2, at the next event, 4.
    const std::vector<std::uint32_t> all = {9, 10, 2};
    const Jobs jobs = {
        {0, 100, {1}}, {1, 5, all}, {2, 10, {6, 4, 4, 3, 2}}, {3, 50, {1}}, {4, 1, all}};
    const auto starts = [&](const char* order) {
        return schedule_of("easy", with("order", order), all, jobs, RequestStructure::grouped)
            .starts;
    };
    CHECK(starts("fcfs") == Times{0, 100, 4, 3, 105});
    CHECK(starts("lxf") == Times{0, 101, 4, 3, 100});  // at 100: 97 for job 4, 104 / 5 for job 1
}

TEST_CASE("sjf takes the shortest first") {
    // From 2 on: job 3 (1), 4 (2), 5 (2.5), 1 (3), 2 (5).
    CHECK(schedule_of("sjf", {}, {4}, jobs_one_at_a_time()).starts == Times{0, 7.5, 10.5, 2, 3, 5});
}

TEST_CASE("ljf takes the longest first") {
    // From 2 on: job 2 (5), 1 (3), 5 (2.5), 4 (2), 3 (1).
    CHECK(
        schedule_of("ljf", {}, {4}, jobs_one_at_a_time()).starts == Times{0, 7, 2, 14.5, 12.5, 10}
    );
}

TEST_CASE("smallest_area_first takes the smallest area first") {
    // From 2 on: job 3 (3, until 3), 5 (7.5, until 5.5), 4 (8, until 7.5), 1 (12, until 10.5), 2.
    CHECK(
        schedule_of("smallest_area_first", {}, {4}, jobs_one_at_a_time()).starts
        == Times{0, 7.5, 10.5, 2, 5.5, 3}
    );
}

TEST_CASE("largest_area_first takes the largest area first") {
    // From 2 on: job 2 (15, until 7), 1 (12, until 10), 4 (8, until 12), 5 (7.5, until 14.5), 3.
    CHECK(
        schedule_of("largest_area_first", {}, {4}, jobs_one_at_a_time()).starts
        == Times{0, 7, 2, 14.5, 10, 12}
    );
}

TEST_CASE("fpmpfs takes the most processors first and equal sizes in order of arrival") {
    // From 2 on: jobs 1 (4, until 5), 4 (4, until 7), then the 3s: 2 (until 12), 3 (until 13), 5.
    CHECK(schedule_of("fpmpfs", {}, {4}, jobs_one_at_a_time()).starts == Times{0, 2, 7, 12, 5, 13});
    // 8 processors, 3 free until 2. At 1: job 1 (6) does not fit, job 3 (3) does, job 2 (2) not
    // any more. 2: all free; job 1, then job 2.
    const Jobs jobs = {{0, 2, {5}}, {1, 1, {6}}, {1, 1, {2}}, {1, 1, {3}}};
    CHECK(schedule_of("fpmpfs", {}, {8}, jobs).starts == Times{0, 2, 2, 1});
}

TEST_CASE("random_order sorts by the draws of the replication") {
    const Stream random(1, Purpose::policy, 0);
    std::vector<std::size_t> order = {1, 2, 3, 4, 5};
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return random.draw(a) < random.draw(b);
    });
    Times expected(6, 0);
    double time = 2;
    for (const std::size_t job : order) {
        expected[job] = time;
        time += jobs_one_at_a_time()[job].service_time;
    }
    CHECK(schedule_of("random_order", {}, {4}, jobs_one_at_a_time()).starts == expected);
    CHECK(!std::is_sorted(order.begin(), order.end()));
}

TEST_CASE("in a sorted queue a newcomer ahead of an older job does not overtake it") {
    // sjf with limit 1 on 4 processors; job 0 holds 2 until 10. 1: job 2 (5) is behind job 1 (2) in
    // the queue and overtakes it. 2: job 3 (1) is put ahead of job 1 and starts. 3: job 4 (3) is
    // behind job 1, which nobody may overpass any more. 10: job 1, until 12. 12: job 4.
    const Jobs jobs = {{0, 10, {2}}, {0.5, 2, {4}}, {1, 5, {1}}, {2, 1, {1}}, {3, 3, {1}}};
    CHECK(schedule_of("sjf", with("max_jumps", 1), {4}, jobs).starts == Times{0, 10, 1, 2, 12});
}

TEST_CASE("without jumps the head of a sorted queue blocks") {
    // sjf with limit 0: job 1 (2) is the head and wants all 4; job 2 (5) may not pass, job 3 (1) is
    // the new head and may.
    const Jobs jobs = {{0, 10, {2}}, {0.5, 2, {4}}, {1, 5, {1}}, {2, 1, {1}}};
    CHECK(schedule_of("sjf", with("max_jumps", 0), {4}, jobs).starts == Times{0, 10, 12, 2});
}

TEST_CASE("a plain order starts whatever fits, however often others are overtaken") {
    // On 4 processors job 0 holds 3 until 100; job 1 wants 2. Nine jobs of 1 come and go.
    Jobs jobs = {{0, 100, {3}}, {1, 50, {2}}};
    Times all_at_once = {0, 100};
    Times after_seven = {0, 100};
    for (int i = 1; i <= 9; ++i) {
        jobs.push_back({2.0 * i, 1, {1}});
        all_at_once.push_back(2.0 * i);
        after_seven.push_back(i <= 7 ? 2.0 * i : 100);
    }
    for (const char* policy :
         {"sjf", "ljf", "lxf", "smallest_area_first", "largest_area_first", "random_order"}) {
        CAPTURE(policy);
        CHECK(schedule_of(policy, {}, {4}, jobs).starts == all_at_once);
    }
    CHECK(schedule_of("fpfs", {}, {4}, jobs).starts == after_seven);
    CHECK(schedule_of("fpmpfs", {}, {4}, jobs).starts == after_seven);
}

}  // namespace schedfarm::tests
