// EASY backfilling by hand. A job is {submit, service, {processors}, class, requested time}.
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "tests/policies/schedule_log.hpp"

namespace schedfarm::tests {

namespace {

Times easy_starts(std::uint32_t processors, Jobs jobs, const Parameters& parameters = {}) {
    return starts_of("easy", parameters, processors, std::move(jobs));
}

/// Job 0 takes 6 of 8 processors until `end`, requested `requested`; job 1 wants 7 for 5.
Jobs blocked_head(double end, double requested, const Jobs& others) {
    Jobs jobs{{0, end, {6}, 0, requested}, {1, 5, {7}, 0, 5}};
    jobs.insert(jobs.end(), others.begin(), others.end());
    return jobs;
}

}  // namespace

TEST_CASE("EASY lets a job overtake that ends before the head can start") {
    // 8 processors. Jobs 0 (4, until 10, requested 12) and 1 (2, until 20) run; job 2 wants 6 and
    // is promised 12. At 2 job 3 fits and ends at 11: it starts; job 4 does not fit. At 10 job 0
    // finishes early: 6 are not free before 11, when job 3 ends; until then nobody may overtake
    // (no processor is extra). Job 2 runs 11-16; then jobs 4 and 5 start.
    const Times starts = easy_starts(
        8,
        {{0, 10, {4}, 0, 12},
         {0, 20, {2}, 0, 20},
         {1, 5, {6}, 0, 5},
         {2, 9, {2}, 0, 9},
         {2, 30, {2}, 0, 30},
         {3, 4, {1}, 0, 4}}
    );
    CHECK(starts == Times{0, 0, 11, 2, 16, 16});  // ends 10 20 16 11 46 20
}

TEST_CASE("a job that ends at the shadow time overtakes and one that ends later does not") {
    // The shadow time is 10, 1 processor is extra. At 2, a job of 2 processors for 8 ends at 10.
    CHECK(easy_starts(8, blocked_head(10, 10, {{2, 8, {2}}})) == Times{0, 10, 2});
    // For 8.5 it would end at 10.5 and needs 2 > 1: after the head, at 15.
    CHECK(easy_starts(8, blocked_head(10, 10, {{2, 8.5, {2}}})) == Times{0, 10, 15});
}

TEST_CASE("jobs overtake on processors that the head leaves over unless the rule is off") {
    // Job 2 wants 1 processor for 50 and uses up the only extra one; job 3 as well, too late. At 10
    // the head takes the 7 that are free; job 3 waits for its end at 15.
    const Jobs jobs = blocked_head(10, 10, {{2, 50, {1}}, {3, 50, {1}}});
    CHECK(easy_starts(8, jobs) == Times{0, 10, 2, 15});
    // Without the rule both wait: at 10 the head starts, and job 2 beside it.
    CHECK(easy_starts(8, jobs, with_words({{"extra_rule", "off"}})) == Times{0, 10, 10, 15});
}

TEST_CASE("a job that ends as planned holds its processors up to its finish by one word only") {
    // 4 processors. Jobs 0 (1) and 1 (3) end at 5 as planned. Job 2 wants 2 for 5, job 3 2 for 5,
    // job 4 1 for 9. Where both count as gone when the first finish is taken, jobs 2 and 3 start at
    // 5 and job 4 at 10. Finish by finish 1 is free after the first: job 2 does not fit, its shadow
    // time is now, with 4 free by then and 2 extra, so that job 4 takes the one. After the second 3
    // are free: job 2 starts, and job 3 waits for its end.
    const Jobs jobs{{0, 5, {1}}, {0, 5, {3}}, {1, 5, {2}}, {2, 5, {2}}, {3, 9, {1}}};
    const auto starts = [&jobs](const char* word) {
        return easy_starts(4, jobs, with_words({{"simultaneous", word}}));
    };
    CHECK(starts("batch") == Times{0, 0, 5, 5, 10});
    CHECK(starts("finish_first") == Times{0, 0, 5, 5, 10});
    CHECK(starts("submit_first") == Times{0, 0, 5, 5, 10});
    CHECK(starts("finish_by_finish") == Times{0, 0, 5, 10, 5});
}

TEST_CASE("all jobs that end at the shadow time count as extra") {
    // 8 processors, 3 + 3 + 1 in use until 10; job 3 wants 4, enough once either of the two has
    // ended, and both end at 10: 8 - 4 = 4 are extra. Job 4 wants 1 for 100: at once.
    const Times starts =
        easy_starts(8, {{0, 10, {3}}, {0, 10, {3}}, {0, 10, {1}}, {1, 5, {4}}, {2, 100, {1}}});
    CHECK(starts == Times{0, 0, 0, 10, 2});
}

TEST_CASE("with estimates too long the head starts when processors really come") {
    // Job 0 requests 100 and ends at 10. At 2 job 2 may run until 100 > 92: it overtakes; at 10 the
    // head lacks the processors until job 2 ends at 62.
    const Jobs jobs = blocked_head(10, 100, {{2, 60, {2}, 0, 90}});
    CHECK(easy_starts(8, jobs) == Times{0, 62, 2});
    // Running jobs judged by actual run times: the shadow time is 10 and job 2 would end at 92.
    CHECK(easy_starts(8, jobs, with_words({{"running_time", "actual"}})) == Times{0, 10, 15});
    // Job 2 judged by its actual run time as well, with one that ends in time: 2 + 8 = 10.
    const Jobs short_job = blocked_head(10, 100, {{2, 8, {2}, 0, 90}});
    const Parameters actual =
        with_words({{"running_time", "actual"}, {"candidate_time", "actual"}});
    CHECK(easy_starts(8, short_job, actual) == Times{0, 10, 2});
    CHECK(easy_starts(8, short_job, with_words({{"running_time", "actual"}})) == Times{0, 10, 15});
}

TEST_CASE("with estimates too short a job that overruns is expected to end at once") {
    // Job 0 requests 4 and runs until 10. At 2 the shadow time is 4. At 6, two units after the
    // requested end, job 2 of 2 processors for 1 may not overtake, for the head may start at any
    // moment; job 3 fits beside the head (8 - 7 = 1 extra) and starts.
    const Jobs jobs = blocked_head(10, 4, {{6, 1, {2}}, {6, 20, {1}}});
    CHECK(easy_starts(8, jobs) == Times{0, 10, 15, 6});
}

TEST_CASE("a candidate that runs longer than it requested delays the head") {
    // Job 2 requests 8, so that it may end at 10, the shadow time; it runs until 14, when the
    // head starts.
    CHECK(easy_starts(8, blocked_head(10, 10, {{2, 12, {2}, 0, 8}})) == Times{0, 14, 2});
}

TEST_CASE("jobs killed at their estimate free the processors that were promised") {
    // The same job cut at 8 by its workload: the head starts at 10.
    CHECK(easy_starts(8, blocked_head(10, 10, {{2, 8, {2}, 0, 8}})) == Times{0, 10, 2});
}

TEST_CASE("a kept shadow does not move ahead when jobs finish early") {
    // 8 processors: job 0 has 4 until 10 (requested 30), job 1 has 3 until 20. Job 2 wants 5 and
    // sees 1 + 4 at 30 or 1 + 3 = 4 at 20: shadow 30, by which job 1 has also ended: extra 3. At 10
    // job 0 ends: 5 are free and the head starts.
    const Jobs early{{0, 10, {4}, 0, 30}, {0, 20, {3}}, {1, 5, {5}}};
    CHECK(easy_starts(8, early) == Times{0, 0, 10});
    // The head wants 8: shadow 30, nothing extra. At 10 job 0 ends and the shadow becomes 20: a job
    // of 4 for 15, submitted at 11, would end at 26. By the kept shadow of 30 it may overtake.
    const Jobs jobs{{0, 10, {4}, 0, 30}, {0, 20, {3}}, {1, 5, {8}}, {11, 15, {4}}};
    CHECK(easy_starts(8, jobs) == Times{0, 0, 20, 25});
    CHECK(easy_starts(8, jobs, with_words({{"shadow", "kept"}})) == Times{0, 0, 26, 11});
}

TEST_CASE("what is looked at first at one instant decides who starts") {
    // 4 processors. Job 0 (4) ends at 10, as requested. Job 1 (3, for 10) waits since 1; at 10 jobs
    // 2 (4, for 5) and 3 (1, for 10) come.
    // batch: job 1 starts; of job 2, the head, the shadow time is 20: job 3 ends at 20 and starts.
    const Jobs jobs{{0, 10, {4}}, {1, 10, {3}}, {10, 5, {4}}, {10, 10, {1}}};
    CHECK(easy_starts(4, jobs) == Times{0, 10, 20, 10});
    CHECK(
        easy_starts(4, jobs, with_words({{"simultaneous", "finish_first"}})) == Times{0, 10, 20, 10}
    );
    CHECK(
        easy_starts(4, jobs, with_words({{"simultaneous", "submit_first"}})) == Times{0, 10, 20, 10}
    );

    // Job 0 (4) requests 20 and ends at 10; job 1 wants 3 for 100 and job 2, at 10, all 4 for 5, by
    // shortest request.
    // finish_first: job 1 starts before job 2 is there. batch: job 2 heads the queue and starts.
    // submit_first: job 2 heads the queue before processors are free, and starts at the finish.
    const Jobs two{{0, 10, {4}, 0, 20}, {1, 100, {3}}, {10, 5, {4}}};
    const auto order = [&two](const char* simultaneous) {
        return easy_starts(4, two, with_words({{"order", "sjf"}, {"simultaneous", simultaneous}}));
    };
    CHECK(order("batch") == Times{0, 15, 10});
    CHECK(order("finish_first") == Times{0, 10, 110});
    CHECK(order("submit_first") == Times{0, 15, 10});
}

TEST_CASE("with submissions first a job due to end now is free and one that ends early is not") {
    // 4 processors, shortest request first. Job 0 (4) ends at 10 as requested; at 10 jobs 1 (4, for
    // 9) and 2 (4, for 5) come in this order. Looked at after each event, job 1 starts at once, for
    // job 0 is due; in one batch job 2 is first.
    const Jobs due{{0, 10, {4}, 0, 10}, {10, 9, {4}}, {10, 5, {4}}};
    const Parameters each = with_words({{"order", "sjf"}, {"simultaneous", "submit_first"}});
    CHECK(easy_starts(4, due, each) == Times{0, 10, 19});
    CHECK(easy_starts(4, due, with_words({{"order", "sjf"}})) == Times{0, 15, 10});
    // Had job 0 requested 12, its finish would only be seen after both: job 2 is first.
    const Jobs early{{0, 10, {4}, 0, 12}, {10, 9, {4}}, {10, 5, {4}}};
    CHECK(easy_starts(4, early, each) == Times{0, 15, 10});
}

TEST_CASE("orders of the queue decide who is the head and who overtakes first") {
    // 4 processors, all taken until 10; then the jobs one after the other.
    //   job 1: submitted 1, requests 8 on 4   area 32   at 10: (9 + 8) / 8 = 2.1
    //   job 2: submitted 2, requests 3 on 4   area 12   (8 + 3) / 3 = 3.67
    //   job 3: submitted 8, requests 1 on 4   area 4    (2 + 1) / 1 = 3
    const Jobs jobs{{0, 10, {4}}, {1, 8, {4}}, {2, 3, {4}}, {8, 1, {4}}};
    const auto starts = [](const Jobs& given, const char* order) {
        return easy_starts(4, given, with_words({{"order", order}}));
    };
    CHECK(starts(jobs, "fcfs") == Times{0, 10, 18, 21});
    CHECK(starts(jobs, "sjf") == Times{0, 14, 11, 10});
    CHECK(starts(jobs, "smallest_area") == Times{0, 14, 11, 10});
    // lxf: job 2 first; at 13 job 1 has (12 + 8) / 8 = 2.5 and job 3 (5 + 1) / 1 = 6.
    CHECK(starts(jobs, "lxf") == Times{0, 14, 10, 13});
    // wfp at 10: 4 (9/8)^3 = 5.7, 4 (8/3)^3 = 75.9, 4 (2/1)^3 = 32; at 13: 4 (12/8)^3 = 13.5 and
    // 4 (5/1)^3 = 500.
    CHECK(starts(jobs, "wfp") == Times{0, 14, 10, 13});
    // Requests of 4 and 5 with areas of 16 and 5: by area the longer job is first.
    const Jobs narrow{{0, 10, {4}}, {1, 4, {4}}, {2, 5, {1}}};
    CHECK(starts(narrow, "sjf") == Times{0, 10, 14});
    CHECK(starts(narrow, "smallest_area") == Times{0, 15, 10});
}

TEST_CASE("jobs without run time come and go at one instant") {
    // Job 1 takes no time and fits beside job 0; job 2 wants all processors and has no run time.
    CHECK(
        easy_starts(4, {{0, 5, {3}}, {1, 0, {1}}, {1, 0, {4}}, {1, 0, {1}}}) == Times{0, 1, 5, 1}
    );
}

}  // namespace schedfarm::tests
