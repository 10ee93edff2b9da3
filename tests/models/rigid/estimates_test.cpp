#include "models/rigid/estimates.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>
#include <vector>

#include <doctest/doctest.h>

#include "models/rigid/tsafrir_estimates.hpp"

#include "tests/models/settings.hpp"

namespace schedfarm::models {

namespace {

using engine::Choice;
using engine::Purpose;
using engine::Stream;
using tests::choice;

constexpr double hour = 3600;
constexpr Stream test_stream(2001, Purpose::estimates, 3);

std::vector<double> assigned(
    const Choice& model, const std::vector<double>& run, std::uint64_t first = 0
) {
    std::vector<double> estimate(run.size(), 7.0);
    make_estimates(model, test_stream)->assign(first, run, estimate);
    return estimate;
}

/// Run times from 1 minute up, log-uniform, none above 18 hours.
std::vector<double> log_uniform_runs(std::size_t count) {
    std::vector<double> run;
    const Stream stream(5, Purpose::service, 0);
    for (std::size_t i = 0; i < count; ++i) {
        run.push_back(60 * std::pow(1000.0, engine::unit_interval(stream.draw(i))));
    }
    return run;
}

std::map<double, std::uint32_t> counted(const std::vector<double>& values) {
    std::map<double, std::uint32_t> result;
    for (const double value : values) {
        ++result[value];
    }
    return result;
}

std::vector<std::uint32_t> most_popular(const std::vector<EstimateBin>& bins, std::size_t count) {
    std::vector<std::uint32_t> jobs;
    jobs.reserve(bins.size());
    for (const EstimateBin& bin : bins) {
        jobs.push_back(bin.jobs);
    }
    std::sort(jobs.rbegin(), jobs.rend());
    jobs.resize(count);
    return jobs;
}

}  // namespace

TEST_CASE("estimates of users stay and exact ones are the run times") {
    const std::vector<double> run{1, 20, 300};
    CHECK(assigned(choice("user"), run) == std::vector<double>{7, 7, 7});
    CHECK(assigned(choice("exact"), run) == run);
}

TEST_CASE("the f-model multiplies by a constant or by a uniform number up to it") {
    const std::vector<double> run{1, 20, 300};
    CHECK(
        assigned(choice("f_model", {{"factor", 3.0}, {"form", "constant"}}), run)
        == std::vector<double>{3, 60, 900}
    );
    CHECK(assigned(choice("f_model", {{"factor", 1.0}}), run) == run);
    // run + (f − 1) run u, with draw number 10 + i for job 10 + i.
    const std::vector<double> uniform = assigned(choice("f_model", {{"factor", 3.0}}), run, 10);
    for (std::size_t i = 0; i < run.size(); ++i) {
        const double u = engine::unit_interval(test_stream.draw(10 + i));
        CHECK(uniform[i] == doctest::Approx(run[i] + 2 * run[i] * u).epsilon(1e-15));
    }
}

TEST_CASE("the number of different estimates follows the published points") {
    CHECK(tsafrir_bin_count(20) == 10);
    CHECK(tsafrir_bin_count(600) == 28);  // 20 + 15 · 400/800 = 27.5
    CHECK(tsafrir_bin_count(1000) == 35);
    CHECK(tsafrir_bin_count(10000) == 90);
    CHECK(tsafrir_bin_count(40000) == 215);  // halfway between 90 and 340
    CHECK(tsafrir_bin_count(1000000) == 565);
}

TEST_CASE("the head holds 89 percent in 20 values and the largest value is the most popular") {
    // Ranks 2 … 20: 14.0491 e^(−0.177531 k) + 0.462513 percent, which add up to
    // 14.0491 (e^−0.355062 − e^−3.728151)/(1 − e^−0.177531) + 19 · 0.462513 = 67.2696; rank 1 is
    // what is missing to 89.
    const double q = std::exp(-0.177531);
    const double others = 14.0491 * (q * q - std::pow(q, 21)) / (1 - q) + 19 * 0.462513;
    CHECK(others == doctest::Approx(67.27).epsilon(1e-4));
    for (std::uint64_t draw = 0; draw < 50; ++draw) {
        const auto bins = tsafrir_histogram(100'000, 18 * hour, test_stream, draw << 32);
        CHECK(bins.back().value == 18 * hour);
        CHECK(bins.back().jobs == doctest::Approx(1000 * (89 - others)).epsilon(1e-3));
        const auto head = most_popular(bins, 20);
        CHECK(head[0] == bins.back().jobs);
        CHECK(head[1] == doctest::Approx(1000 * (14.0491 * q * q + 0.462513)).epsilon(1e-3));
        CHECK(
            std::accumulate(head.begin(), head.end(), 0.0) == doctest::Approx(89000).epsilon(1e-3)
        );
    }
}

TEST_CASE("a histogram counts every job once and has the values that users choose") {
    for (const std::uint32_t jobs : {100U, 777U, 10'000U, 300'000U}) {
        for (const double largest : {2 * hour, 18 * hour, 36 * hour, 400 * hour}) {
            const auto bins = tsafrir_histogram(jobs, largest, test_stream, 0);
            std::uint64_t sum = 0;
            double last = 0;
            std::set<double> values;
            for (const EstimateBin& bin : bins) {
                CHECK((bin.value > last && bin.jobs >= 1));
                last = bin.value;
                sum += bin.jobs;
                values.insert(bin.value);
            }
            CHECK(sum == jobs);
            CHECK(last == largest);
            CHECK(bins.size() <= std::max(21U, tsafrir_bin_count(jobs)));
            for (const double minutes : {5, 10, 15, 20, 30, 60}) {
                CHECK(values.count(60 * minutes) == 1);
            }
        }
    }
    // 36 h: itself, the 15 common values, then downwards by 10 h: 30, 20, and by 5 h: 35, 25.
    const auto bins = tsafrir_histogram(100'000, 36 * hour, test_stream, 0);
    for (const double value : {30 * hour, 20 * hour, 35 * hour, 25 * hour}) {
        const auto bin = std::find_if(bins.begin(), bins.end(), [&](const EstimateBin& candidate) {
            return candidate.value == value;
        });
        REQUIRE(bin != bins.end());
        CHECK(bin->jobs >= 800);  // rank 20 still has 0.87 percent
    }
}

TEST_CASE("any value of the tail may be its most popular one") {
    std::set<double> most_popular_of_tail;
    for (std::uint64_t draw = 0; draw < 50; ++draw) {
        const auto bins = tsafrir_histogram(100'000, 18 * hour, test_stream, draw << 32);
        const std::uint32_t jobs = most_popular(bins, 21).back();
        for (const EstimateBin& bin : bins) {
            if (bin.jobs == jobs) {
                most_popular_of_tail.insert(bin.value);
            }
        }
    }
    CHECK(most_popular_of_tail.size() > 30);  // of 356
}

TEST_CASE("a window uses its histogram up and no job gets less than its run time") {
    const Choice model = choice("tsafrir", {{"jobs", 5000}});
    const std::vector<double> run = log_uniform_runs(5000);
    const std::vector<double> estimate = assigned(model, run);
    std::map<double, std::uint32_t> expected;
    for (const EstimateBin& bin :
         tsafrir_histogram(5000, 18 * hour, test_stream, std::uint64_t{1} << 62)) {
        expected[bin.value] = bin.jobs;
    }
    CHECK(counted(estimate) == expected);
    double exact = 0;
    for (std::size_t i = 0; i < run.size(); ++i) {
        CHECK(estimate[i] >= run[i]);
        exact += run[i] / estimate[i];
    }
    // Estimates are bad: were they exact, the mean ratio would be 1.
    CHECK(exact / 5000 < 0.6);
    CHECK(assigned(model, run) == estimate);
    CHECK(assigned(model, run, 5000) != estimate);
}

TEST_CASE("jobs too long for the histogram still get enough") {
    // All but ten run for 17 hours: only the largest value is long enough, so most are raised.
    std::vector<double> run(1000, 17 * hour);
    std::fill_n(run.begin(), 10, 60.0);
    run[500] = 20 * hour;  // longer than the largest value: requests its run time
    const std::vector<double> estimate = assigned(choice("tsafrir"), run);
    CHECK(estimate[500] == 20 * hour);
    for (std::size_t i = 0; i < run.size(); ++i) {
        CHECK(estimate[i] >= run[i]);
        CHECK((i == 500 || estimate[i] <= 18 * hour));
    }
    CHECK(assigned(choice("tsafrir"), {}).empty());
    CHECK(assigned(choice("tsafrir"), {60.0}) == std::vector<double>{18 * hour});
}

TEST_CASE("each job may get every estimate that is long enough") {
    // 100 jobs of 1 s: any permutation; every job gets the largest value with its share, 21.73 %
    // rounded to whole jobs. 400 windows; the standard error of a share is sqrt(0.17/400) = 0.021.
    const std::vector<double> run(100, 1.0);
    std::vector<int> hits(run.size());
    for (std::uint64_t window = 0; window < 400; ++window) {
        const auto estimate = assigned(choice("tsafrir"), run, window * 100);
        for (std::size_t i = 0; i < run.size(); ++i) {
            hits[i] += estimate[i] == 18 * hour ? 1 : 0;
        }
    }
    const double total = std::accumulate(hits.begin(), hits.end(), 0.0);
    const double share = total / 40000;
    for (const int hit : hits) {
        CHECK(std::abs(hit / 400.0 - share) <= 4.5 * std::sqrt(share * (1 - share) / 400));
    }
}

}  // namespace schedfarm::models
