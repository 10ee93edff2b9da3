// Batches on-line against the best schedule that knows all arrivals: the bound that is published,
// by hand and against all schedules of small instances, and the guarantee 2ρ.
#include <algorithm>
#include <limits>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "tests/policies/moldable/random_moldables.hpp"

namespace schedfarm::tests {

namespace {

/// Times from the first arrival on.
struct OnlineRun {
    double end = 0;
    double bound = 0;
    double ratio = 0;
};

OnlineRun run_online(
    const std::string& name, std::uint32_t processors, const std::vector<GivenMoldable>& jobs
) {
    const MoldableRun run = run_moldable(
        name, moldable_settings({{"bounds", "offline"}}), processors, jobs, ExperimentKind::open
    );
    const std::vector<double>& values = run.observations.values;
    return {
        *std::max_element(run.log.finish.begin(), run.log.finish.end()) - jobs.front().submit_time,
        values[values.size() - 2],
        values.back()};
}

/// `rigid_share` of 10 are rigid.
std::vector<GivenMoldable> random_jobs(
    Dice& dice, std::uint32_t count, std::uint32_t processors, std::uint32_t rigid_share
) {
    std::vector<GivenMoldable> jobs(count);
    double submit = 100;
    for (GivenMoldable& job : jobs) {
        submit += dice.below(4);
        job.submit_time = submit;
        job.weight = 1 + dice.below(5);
        const double alone = 1 + dice.below(12);
        job.rigid = dice.below(10) < rigid_share ? 1 + dice.below(processors) : 0;
        job.times = monotone_times(dice, alone, job.rigid > 0 ? 1 : processors);
    }
    return jobs;
}

/// The least end of all jobs, none started before it arrives: every order, every allotment, each
/// job on the processors that are free first. Sorted by start, the jobs of any schedule start no
/// later.
class LeastEnd {
  public:
    LeastEnd(const std::vector<GivenMoldable>& jobs, std::uint32_t processors)
        : jobs_(jobs), is_placed_(jobs.size()) {
        extend(std::vector<double>(processors), 0, 0);
    }
    double value() const { return least_; }

  private:
    void extend(const std::vector<double>& free, double end, std::size_t count) {
        if (end >= least_) {
            return;
        }
        if (count == jobs_.size()) {
            least_ = end;
            return;
        }
        for (std::size_t i = 0; i < jobs_.size(); ++i) {
            for (std::size_t k = 1; is_placed_[i] == 0 && k <= free.size(); ++k) {
                if (jobs_[i].rigid > 0 && jobs_[i].rigid != k) {
                    continue;
                }
                const double time = jobs_[i].times[jobs_[i].rigid > 0 ? 0 : k - 1];
                const double finish = std::max(free[k - 1], jobs_[i].submit_time) + time;
                std::vector<double> later = free;
                std::fill_n(later.begin(), k, finish);
                std::sort(later.begin(), later.end());
                is_placed_[i] = 1;
                extend(later, std::max(end, finish), count + 1);
                is_placed_[i] = 0;
            }
        }
    }

    const std::vector<GivenMoldable>& jobs_;
    std::vector<std::uint8_t> is_placed_;
    double least_ = std::numeric_limits<double>::infinity();
};

}  // namespace

TEST_CASE("batches of sequential jobs end at 7 where the bound says 4") {
    // Two processors. The first job runs 0 … 4; those of 3 and 1 arrive at 1 and 3 and both start
    // at 4. Bounds: 4 of the first batch, then 1 + 3 (λ of the second is 3) and 1 + 3 and 3 + 1
    // alone. Ratios 4/4 and 7/4.
    const std::vector<GivenMoldable> jobs{
        {.times = {4, 4}},
        {.times = {3, 3}, .submit_time = 1},
        {.times = {1, 1}, .submit_time = 3}};
    const OnlineRun run = run_online("moldable_sequential", 2, jobs);
    CHECK(run.end == 7);
    CHECK(run.bound == doctest::Approx(4).epsilon(1e-8));
    CHECK(run.ratio == doctest::Approx(7.0 / 4).epsilon(1e-8));
}

TEST_CASE("jobs without service have no bound and time does not begin with them") {
    // One alone; then one at 0 before a job of 2 at 5, and one more while that runs: 5 … 7.
    const GivenMoldable none{.times = {0, 0}};
    const OnlineRun alone = run_online("moldable_sequential", 2, {none});
    CHECK(alone.end == 0);
    CHECK(alone.bound == 0);
    CHECK(alone.ratio == 0);
    const std::vector<GivenMoldable> jobs{
        none, {.times = {2, 2}, .submit_time = 5}, {.times = {0, 0}, .submit_time = 6}};
    const OnlineRun before = run_online("moldable_sequential", 2, jobs);
    CHECK(before.end == 7);
    CHECK(before.bound == doctest::Approx(2).epsilon(1e-8));
    CHECK(before.ratio == doctest::Approx(1).epsilon(1e-8));
}

TEST_CASE("a batch counts from the first arrival since the last began") {
    // One processor: 0 … 2; at 1 and 5 arrive jobs of 4 and 1. The second batch is 2 … 6 with bound
    // 1 + 4, the third 6 … 7 with bound 5 + 1. Ratios 2/2, 6/5 and 7/6: the second is the greatest.
    const std::vector<GivenMoldable> jobs{
        {.times = {2}}, {.times = {4}, .submit_time = 1}, {.times = {1}, .submit_time = 5}};
    const OnlineRun run = run_online("moldable_sequential", 1, jobs);
    CHECK(run.end == 7);
    CHECK(run.bound == doctest::Approx(6).epsilon(1e-8));
    CHECK(run.ratio == doctest::Approx(6.0 / 5).epsilon(1e-8));
}

TEST_CASE("jobs of one batch count together from the first of them") {
    // One processor: 0 … 2, then the jobs of 4 and 3 that arrive at 1, 2 … 9, with bound 1 + 7,
    // then those of 2 and 3 that arrive at 5 and 6, 9 … 14, with bound 5 + 5.
    std::vector<GivenMoldable> jobs{
        {.times = {2}}, {.times = {4}, .submit_time = 1}, {.times = {3}, .submit_time = 1}};
    const OnlineRun two = run_online("moldable_sequential", 1, jobs);
    CHECK(two.end == 9);
    CHECK(two.bound == doctest::Approx(8).epsilon(1e-8));
    CHECK(two.ratio == doctest::Approx(9.0 / 8).epsilon(1e-8));
    jobs.push_back({.times = {2}, .submit_time = 5});
    jobs.push_back({.times = {3}, .submit_time = 6});
    const OnlineRun three = run_online("moldable_sequential", 1, jobs);
    CHECK(three.end == 14);
    CHECK(three.bound == doctest::Approx(10).epsilon(1e-8));
    CHECK(three.ratio == doctest::Approx(14.0 / 10).epsilon(1e-8));
}

TEST_CASE("a long job that arrives late in its batch counts from its own arrival") {
    // Two processors: 0 … 4, then jobs of 1 and 10 that arrived at 1 and 3, from 4 on. The batch
    // alone says 1 + 10, the long job 3 + 10.
    const std::vector<GivenMoldable> jobs{
        {.times = {4, 4}},
        {.times = {1, 1}, .submit_time = 1},
        {.times = {10, 10}, .submit_time = 3}};
    const OnlineRun run = run_online("moldable_sequential", 2, jobs);
    CHECK(run.end == 14);
    CHECK(run.bound == doctest::Approx(13).epsilon(1e-8));
    CHECK(run.ratio == doctest::Approx(14.0 / 13).epsilon(1e-8));
}

TEST_CASE("no schedule that knows all arrivals ends before the off-line bound") {
    for (std::uint64_t seed = 0; seed < 500; ++seed) {
        CAPTURE(seed);
        Dice dice(seed);
        const std::uint32_t processors = 1 + dice.below(4);
        const std::uint32_t rigid_share = seed % 2 == 0 ? 0 : 4;
        const auto jobs = random_jobs(dice, 1 + dice.below(5), processors, rigid_share);
        const double least = LeastEnd(jobs, processors).value() - jobs.front().submit_time;
        for (const char* name : {"demt", "moldable_shelves", "moldable_list", "moldable_gang"}) {
            CAPTURE(name);
            const OnlineRun run = run_online(name, processors, jobs);
            CHECK(run.bound <= least);
            CHECK(run.end >= least);
            CHECK(run.ratio >= run.end / run.bound * (1 - 1e-12));
        }
    }
}

TEST_CASE("moldable batches end within twice their off-line guarantee of the off-line bound") {
    // ρ = 2 of DEMT with strict compaction, 3/2 of shelves; at the end of every batch.
    for (std::uint64_t seed = 0; seed < 600; ++seed) {
        CAPTURE(seed);
        Dice dice(seed);
        const std::uint32_t processors = 1 + dice.below(12);
        const auto jobs = random_jobs(dice, 1 + dice.below(40), processors, 0);
        CHECK(run_online("demt", processors, jobs).ratio <= 4);
        CHECK(run_online("moldable_shelves", processors, jobs).ratio <= 3 * (1 + 1e-8));
    }
}

}  // namespace schedfarm::tests
