// Moldable jobs: speedups by hand, draws by an independent reading of the streams, moments of what
// is drawn.
#include <cmath>
#include <vector>

#include <doctest/doctest.h>

#include "engine/foundation/expect.hpp"

#include "models/distribution.hpp"
#include "models/downey_speedup.hpp"
#include "models/moldable/moldable_times.hpp"
#include "models/moldable/speedup.hpp"

#include "tests/models/drawn_jobs.hpp"

namespace schedfarm::models {

namespace {

using engine::Choice;
using engine::ExperimentKind;
using engine::Job;
using engine::Parameters;
using engine::Purpose;
using engine::Stream;
using engine::unit_interval;
using engine::Value;
using tests::check_share;
using tests::choice;
using tests::for_jobs;
using tests::parameters;
using tests::Sample;
using tests::z;

constexpr std::uint32_t machine = 50;

std::vector<double> times_of(const Job& job) {
    return {job.moldable->times.begin(), job.moldable->times.end()};
}

void check_mean(const Sample& sample, double expected) {
    CAPTURE(sample.mean());
    CAPTURE(expected);
    CHECK(std::abs(sample.mean() - expected) <= z * sample.error());
}

Choice highly(const char* reading, const char* drawn) {
    return choice("highly_parallel", {{"reading", reading}, {"drawn", drawn}});
}

}  // namespace

TEST_CASE("the speedup of Downey has the published values") {
    const auto speedup = [](double n, double a, double sigma) {
        return 1 / downey_inverse_speedup(n, a, sigma);
    };
    // sigma 0: n up to A, then A. sigma 1, A = 4: 2·4/(4 + 1/2) = 16/9 on 2 processors; on 6,
    // between A and 2A − 1 = 7, 4·6/(3.5 + 3) = 48/13; from 7 on 4. sigma 2, A = 4: 4·6·3/(2·9 + 4)
    // = 72/22 on 6, which is below A + (A − 1) sigma = 10, where it is 4.
    CHECK(speedup(3, 4, 0) == doctest::Approx(3));
    CHECK(speedup(5, 4, 0) == doctest::Approx(4));
    CHECK(speedup(2, 4, 1) == doctest::Approx(16.0 / 9));
    CHECK(speedup(6, 4, 1) == doctest::Approx(48.0 / 13));
    CHECK(speedup(7, 4, 1) == doctest::Approx(4));
    CHECK(speedup(6, 4, 2) == doctest::Approx(72.0 / 22));
    CHECK(speedup(10, 4, 2) == doctest::Approx(4));
    CHECK(speedup(20, 4, 2) == doctest::Approx(4));
    // One processor is never faster than one, and no parallelism gives no speedup.
    CHECK(speedup(1, 4, 1.5) == doctest::Approx(1));
    CHECK(speedup(9, 1, 0.5) == doctest::Approx(1));
}

TEST_CASE("laws map uniform numbers to the values of their formulas") {
    const auto value = [](const char* name, const std::vector<double>& given, double uniform) {
        return make_distribution(distribution_choice(name, given), 16)->value(uniform);
    };
    CHECK(value("uniform", {1, 10}, 0.25) == 3.25);
    CHECK(value("constant", {7}, 0.25) == 7);
    // Half-way between the logarithms of 1 and 16 lies 4; a high of 0 is the machine, 16.
    CHECK(value("log_uniform", {1, 16}, 0.5) == doctest::Approx(4));
    CHECK(value("log_uniform", {1, 0}, 0.5) == doctest::Approx(4));
    // Limits at the same distance of the mean leave the median where it is. Without an upper limit
    // and from the mean on, 1 − (1 − u)/2 = 3/4 for u = 1/2: 10 + 5 · 0.67448975.
    CHECK(value("normal", {0.5, 0.2, 0, 1}, 0.5) == doctest::Approx(0.5));
    CHECK(value("normal", {10, 5, 10, 0}, 0.5) == doctest::Approx(13.372448751).epsilon(1e-9));
}

TEST_CASE("the mean of every distribution is that of its values") {
    constexpr int values = 100'000;
    for (const auto& values_of : std::vector<std::pair<const char*, std::vector<double>>>{
             {"uniform", {1, 10}},
             {"log_uniform", {1, 200}},
             {"normal", {0.1, 0.2, 0, 1}},
             {"normal", {0.9, 0.2, 0, 1}},
             {"normal", {10, 5}}}) {
        CAPTURE(values_of.first);
        const auto distribution =
            make_distribution(distribution_choice(values_of.first, values_of.second), 1);
        // The midpoints of equal cells: the error is that of the rule, not of chance.
        double sum = 0;
        for (int i = 0; i < values; ++i) {
            sum += distribution->value((i + 0.5) / values);
        }
        CHECK(distribution->mean() == doctest::Approx(sum / values).epsilon(1e-5));
    }
}

TEST_CASE("recursive speedups follow the working and the printed formula") {
    const Stream stream(3, Purpose::sizes, 1);
    const std::uint64_t job = 5;
    const std::uint64_t first = first_speedup_draw + job * most_speedup_draws;
    const auto distribution = make_distribution(distribution_choice("normal", {0.9, 0.2, 0, 1}), 1);
    for (const bool is_printed : {false, true}) {
        for (const bool is_once : {false, true}) {
            const auto speedup = make_speedup(
                highly(is_printed ? "printed" : "working", is_once ? "per_job" : "per_step"),
                stream,
                machine
            );
            std::vector<double> factors(machine);
            speedup->factors(job, factors);
            double expected = 1;
            CHECK(factors[0] == 1);
            for (std::uint32_t k = 2; k <= machine; ++k) {
                const double u = unit_interval(stream.draw(is_once ? first : first + k - 2));
                const double x = distribution->value(u);
                expected *= is_printed ? (x + k) / (1 + k) : (1 - x + k - 1) / k;
                CHECK(factors[k - 1] == doctest::Approx(expected).epsilon(1e-13));
            }
        }
    }
}

TEST_CASE("the times of a job that is slower on more processors are refused") {
    MoldableTimesStore store;
    CHECK(store.add(6, std::vector<double>{1, 0.5, 0.5})->times[1] == 3);
    // On 2 processors the job takes 8, so that on one it takes 8 · 1/0.8.
    CHECK(store.add(8, std::vector<double>{1, 0.8}, 2)->times[0] == 10);
    CHECK_THROWS_AS(store.add(6, std::vector<double>{1, 1.1}), engine::ContractViolation);
    CHECK_THROWS_AS(store.add(6, std::vector<double>{1, 0.4}), engine::ContractViolation);
}

TEST_CASE("moldable jobs have the sequential times and weights and speedups that are asked for") {
    Parameters given = parameters("moldable", {{"speedup", Choice{.name = "weakly_parallel"}}});
    const auto context = tests::context_of({machine}, ExperimentKind::offline);
    Sample sequential;
    Sample weight;
    Sample second;  // p(2)/p(1)
    for_jobs("moldable", given, context, 20'000, [&](const Job& job) {
        const std::vector<double> times = times_of(job);
        REQUIRE(times.size() == machine);
        CHECK(job.submit_time == 0);
        CHECK(job.service_time == times[0]);
        CHECK((job.weight > 1 && job.weight < 10));
        CHECK((times[0] > 1 && times[0] < 10));
        sequential.add(times[0]);
        weight.add(job.weight);
        second.add(times[1] / times[0]);
    });
    check_mean(sequential, 5.5);
    check_mean(weight, 5.5);
    // p(2)/p(1) = (2 − X)/2.
    check_mean(
        second,
        1 - make_distribution(distribution_choice("normal", {0.1, 0.2, 0, 1}), 1)->mean() / 2
    );
}

TEST_CASE("of mixed tasks three in ten are large and nearly linear") {
    Parameters given = parameters(
        "moldable", {{"sequential", distribution_choice("normal", {1, 0.5})}, {"large_share", 0.3}}
    );
    const auto context = tests::context_of({machine}, ExperimentKind::offline);
    constexpr std::size_t count = 20'000;
    double large = 0;
    Sample small_time;
    Sample large_time;
    for_jobs("moldable", given, context, count, [&](const Job& job) {
        const std::vector<double> times = times_of(job);
        const bool is_large = job.job_class == 1;
        large += is_large ? 1 : 0;
        (is_large ? large_time : small_time).add(times[0]);
        // Fifty processors: five times as fast or more if highly parallel, less than twice if
        // weakly.
        CHECK((times[0] / times.back() > 5) == is_large);
    });
    check_share(large, count, 0.3);
    // A normal value with mean 2 deviations above 0: µ + σ φ(2)/Φ(2), φ(2)/Φ(2) = 0.0552478626.
    check_mean(small_time, 1 + 0.5 * 0.0552478626);
    check_mean(large_time, 10 + 5 * 0.0552478626);
}

TEST_CASE("a moldable version runs the rigid job on its own processors and repeats the others") {
    Choice listed{.name = "listed"};
    listed.parameters.set("service_times", Value::List{6, 2.5, 0});
    listed.parameters.set("sizes", Value::List{4, 2, 1});
    listed.parameters.set("submit_times", Value::List{0, 1, 3});
    listed.parameters.set("users", Value::List{3, 1, 2});
    // A = 4 and sigma = 0: times r·s/k up to 4 processors for s <= 4.
    const Choice downey = choice(
        "downey",
        {{"parallelism", distribution_choice("constant", {4})},
         {"sigma", distribution_choice("constant", {0})}}
    );
    const Parameters given =
        parameters("moldable_version", {{"rigid", listed}, {"speedup", downey}});
    std::vector<Job> jobs;
    std::vector<std::vector<double>> times;
    for_jobs("moldable_version", given, tests::open_context(5), 3, [&](const Job& job) {
        jobs.push_back(job);
        times.push_back(times_of(job));
    });
    CHECK(times[0] == std::vector<double>{24, 12, 8, 6, 6});
    CHECK(times[1][0] == 5);
    CHECK(times[1][1] == 2.5);
    CHECK(times[1][2] == doctest::Approx(5.0 / 3));
    CHECK(times[1][4] == 1.25);
    CHECK(times[2] == std::vector<double>{0, 0, 0, 0, 0});
    CHECK(jobs[1].submit_time == 1);
    CHECK(jobs[1].size == 2);
    CHECK(jobs[1].service_time == 2.5);
    CHECK(jobs[1].user == 1);
    CHECK(jobs[1].weight == 1);
}

TEST_CASE("a moldable version of a model has the model's jobs") {
    const auto context = tests::open_context(128, 0.6);
    std::vector<double> expected;
    for_jobs(
        "lublin_feitelson",
        parameters("lublin_feitelson"),
        context,
        1300,
        [&](const Job& job) {
            expected.insert(expected.end(), {job.submit_time, job.service_time, double(job.size)});
        }
    );
    std::vector<double> found;
    for_jobs(
        "moldable_version",
        parameters("moldable_version"),
        context,
        1300,
        [&](const Job& job) {
            CHECK(job.moldable->times[job.size - 1] == job.service_time);
            found.insert(found.end(), {job.submit_time, job.service_time, double(job.size)});
        }
    );
    CHECK(found == expected);
}

}  // namespace schedfarm::models
