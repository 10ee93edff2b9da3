// Jobs drawn by the model of Lublin & Feitelson 2003 against its published shape.
#include <array>
#include <cmath>
#include <map>
#include <vector>

#include <doctest/doctest.h>

#include "engine/random/unit_gamma.hpp"

#include "models/rigid/daily_cycle.hpp"
#include "models/rigid/lublin_run_times.hpp"

#include "tests/models/drawn_jobs.hpp"

namespace schedfarm::models {

namespace {

using engine::Job;
using engine::Parameters;
using tests::check_share;
using tests::for_jobs;
using tests::open_context;
using tests::parameters;
using tests::Sample;
using tests::z;

}  // namespace

TEST_CASE("jobs of Lublin and Feitelson have the published shares of sizes and types") {
    // Serial 29.27 % of the batch and 15.41 % of the interactive jobs; powers of two 66.86 % and
    // 62.5 % more, and those of the other parallel jobs whose rounded size is one.
    std::array<double, 2> jobs{};
    std::array<double, 2> serial{};
    std::array<double, 2> parallel_powers{};
    std::array<Sample, 2> logs;
    for_jobs(
        "lublin_feitelson",
        parameters("lublin_feitelson"),
        open_context(128),
        200'000,
        [&](const Job& job) {
            const std::uint32_t type = job.job_class;
            ++jobs.at(type);
            serial[type] += job.size == 1 ? 1 : 0;
            parallel_powers[type] += job.size > 1 && (job.size & (job.size - 1)) == 0 ? 1 : 0;
            logs[type].add(std::log(job.service_time));
        }
    );
    check_share(serial[0], jobs[0], 0.1541);
    check_share(serial[1], jobs[1], 0.2927);
    for (const std::size_t type : {0U, 1U}) {
        const double least = type == 0 ? 0.625 : 0.6686;
        const double other = type == 0 ? 1 - 0.1541 - 0.625 : 1 - 0.2927 - 0.6686;
        CHECK(parallel_powers[type] / jobs[type] > least - 0.005);
        CHECK(parallel_powers[type] / jobs[type] < least + other);
    }
    // Batch jobs run longer: the means of the logarithms of the two gamma distributions are 5.41
    // and 9.97 (batch, about two thirds of the first), 2.53 and 4.85 (interactive).
    CHECK((logs[0].mean() > 2.4 && logs[0].mean() < 3.2));
    CHECK((logs[1].mean() > 6.3 && logs[1].mean() < 7.3));
}

TEST_CASE("run times of Lublin and Feitelson depend on the size as published") {
    // The first gamma distribution has the probability −0.003 n + 0.6986 (batch) and −0.0118 n +
    // 0.9156 (interactive). Small jobs have 1 or 2 processors, large ones 64 or 32.
    struct Published {
        const char* jobs;
        ExpGamma first;
        ExpGamma second;
        double slope;
        double intercept;
        std::uint32_t large;
    };
    const std::array<Published, 2> published{
        {{"batch", {6.57, 0.823, 12}, {639.1, 0.0156, 12}, -0.003, 0.6986, 64},
         {"interactive", {3.8351, 0.6605, 12}, {7.073, 0.6856, 12}, -0.0118, 0.9156, 32}}};
    for (const Published& p : published) {
        const Parameters given = parameters("lublin_feitelson", {{"jobs", p.jobs}});
        std::map<std::uint32_t, Sample> run;
        for_jobs("lublin_feitelson", given, open_context(128), 400'000, [&](const Job& job) {
            run[job.size].add(std::log(job.service_time));
        });
        // The mean of the logarithm is nearly shape · scale; below the limit it is that of X with
        // P(X <= x) from the gamma distribution of one more shape.
        const auto mean_log = [](double shape, double scale) {
            return shape * scale * engine::UnitGamma(shape + 1).probability(12 / scale)
                   / engine::UnitGamma(shape).probability(12 / scale);
        };
        const bool is_batch = p.slope == -0.003;
        const double first = is_batch ? mean_log(6.57, 0.823) : mean_log(3.8351, 0.6605);
        const double second = is_batch ? mean_log(639.1, 0.0156) : mean_log(7.073, 0.6856);
        for (const std::uint32_t n : {1U, 2U, p.large}) {
            const double a = (p.slope * n + p.intercept) * p.first.kept();
            const double b = (1 - p.slope * n - p.intercept) * p.second.kept();
            const double expected = (a * first + b * second) / (a + b);
            CAPTURE(p.jobs);
            CAPTURE(n);
            CHECK(std::abs(run[n].mean() - expected) <= z * run[n].error());
        }
    }
}

TEST_CASE("arrivals of Lublin and Feitelson have the published mean") {
    // The shape of the rush hours times the ratio of all hours to them.
    const auto mean = [](const char* jobs) {
        const Parameters given = parameters("lublin_feitelson", {{"jobs", jobs}});
        const auto workload = find_model("lublin_feitelson")->make(given, open_context(128));
        return workload->traits().mean_interarrival_time.value();
    };
    const double batch = ExpGamma(6.0415 * 1.0519, 0.8531, 13).mean();
    const double interactive = ExpGamma(6.551 * 0.9797, 0.6621, 13).mean();
    CHECK(mean("batch") == doctest::Approx(batch).epsilon(1e-12));
    CHECK(mean("interactive") == doctest::Approx(interactive).epsilon(1e-12));
    CHECK(
        mean("typeless")
        == doctest::Approx(ExpGamma(10.2303 * 1.0225, 0.4871, 13).mean()).epsilon(1e-12)
    );
    CHECK(
        mean("batch_and_interactive")
        == doctest::Approx(1 / (1 / batch + 1 / interactive)).epsilon(1e-12)
    );
}

TEST_CASE("arrivals of Lublin and Feitelson follow the daily cycle") {
    for (const char* type : {"batch", "interactive"}) {
        const bool is_batch = type[0] == 'b';
        const DailyCycle cycle = is_batch ? DailyCycle::gamma_peak(6.1271, 5.274)
                                          : DailyCycle::gamma_peak(8.9186, 3.668);
        // In 48 equal times of points the same number of jobs is expected; the rate of a slot is
        // its weight. 40 replications of 5,000 jobs give the errors.
        const Parameters given = parameters("lublin_feitelson", {{"jobs", type}});
        std::array<Sample, day_slots> share;
        for (std::uint32_t replication = 0; replication < 40; ++replication) {
            auto context = open_context(128);
            context.replication = replication;
            std::array<double, day_slots> jobs{};
            double last = 0;
            for_jobs("lublin_feitelson", given, context, 5000, [&](const Job& job) {
                last = job.submit_time;
                ++jobs.at(static_cast<std::size_t>(std::fmod(last, 86400) / 1800));
            });
            const double days = last / 86400;
            for (std::size_t slot = 0; slot < day_slots; ++slot) {
                share[slot].add(jobs[slot] / days / (5000 / days) * day_slots);
            }
        }
        for (std::size_t slot = 0; slot < day_slots; ++slot) {
            CAPTURE(slot);
            CHECK(std::abs(share[slot].mean() - cycle.weights()[slot]) <= z * share[slot].error());
        }
    }
}

TEST_CASE("a load moves the arrivals of Lublin and Feitelson and keeps jobs and days") {
    const Parameters given = parameters("lublin_feitelson", {{"jobs", "typeless"}});
    std::vector<Job> low;
    std::vector<Job> high;
    for_jobs("lublin_feitelson", given, open_context(128, 0.3), 20'000, [&](const Job& job) {
        low.push_back(job);
    });
    for_jobs("lublin_feitelson", given, open_context(128, 0.6), 20'000, [&](const Job& job) {
        high.push_back(job);
    });
    for (std::size_t i = 0; i < low.size(); ++i) {
        CHECK((low[i].service_time == high[i].service_time && low[i].size == high[i].size));
    }
    // Twice the load takes half the time, to within the phase of the day.
    CHECK(std::abs(low.back().submit_time / 2 - high.back().submit_time) < 86400);
    double night = 0;
    for (const Job& job : high) {
        const double hour = std::fmod(job.submit_time, 86400) / 3600;
        night += hour >= 3 && hour < 6 ? 1 : 0;
    }
    CHECK(night / 20'000 < 0.03);  // of the time: an eighth
}

}  // namespace schedfarm::models
