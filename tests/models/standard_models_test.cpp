// Jobs drawn by the workload models of the literature against their published shapes.
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <vector>

#include <doctest/doctest.h>

#include "tests/models/drawn_jobs.hpp"

namespace schedfarm::models {

namespace {

using engine::ExperimentKind;
using engine::Job;
using engine::Parameters;
using engine::Value;
using tests::check_share;
using tests::for_jobs;
using tests::open_context;
using tests::parameters;
using tests::Sample;
using tests::z;

}  // namespace

TEST_CASE("estimates of a model take draw number i for job number i") {
    const Parameters given = parameters("downey_97", {{"estimates", tests::choice("f_model")}});
    const engine::WorkloadContext context = open_context(128);
    const engine::Stream draws(context.seed, engine::Purpose::estimates, context.replication);
    for_jobs("downey_97", given, context, 5000, [&](const Job& job) {
        const double u = engine::unit_interval(draws.draw(job.index));
        CHECK(job.estimate == doctest::Approx(job.service_time * (1 + 4 * u)).epsilon(1e-14));
    });
}

TEST_CASE("the constants of the model of Jann have the moments of the log") {
    // Mean and squared variation of the times between arrivals and of the run times of the jobs of
    // CTC-SP2-1996-3.1-cln submitted before 13 September 1996, by range of sizes.
    struct Range {
        double jobs;
        double gap;
        double gap_variation;
        double run;
        double run_variation;
    };
    constexpr std::array<Range, 10> log{
        {{7397, 870.518, 7.76108, 13475.1, 2.04587},
         {1725, 3679.19, 9.95692, 14180.9, 2.57476},
         {2359, 2724.61, 8.09213, 7378.59, 4.59956},
         {1839, 3479.66, 5.94075, 5166.73, 4.47297},
         {2275, 2833.09, 5.31197, 8519.62, 3.11928},
         {1098, 6005.34, 5.39961, 9225.67, 3.10020},
         {776, 8321.63, 3.14466, 12556.3, 2.09766},
         {200, 32217.2, 1.61185, 13319.8, 2.70158},
         {99, 64435.5, 6.31846, 1279.06, 3.99395},
         {50, 136855.0, 4.95224, 8745.48, 4.46707}}};
    const Parameters p = parameters("jann_97");
    const auto check = [&](const std::string& of, std::size_t c, double mean, double variation) {
        const double n = p.reals(of + "_order")[c];
        const double share = p.reals(of + "_share")[c];
        const double a = p.reals(of + "_first")[c];
        const double b = p.reals(of + "_second")[c];
        // E[X] = n (s a + (1 − s) b), E[X²] = n (n + 1)(s a² + (1 − s) b²).
        const double first = n * (share * a + (1 - share) * b);
        const double second = n * (n + 1) * (share * a * a + (1 - share) * b * b);
        CAPTURE(of);
        CAPTURE(c);
        CHECK(first == doctest::Approx(mean).epsilon(1e-4));
        CHECK(second / (first * first) - 1 == doctest::Approx(variation).epsilon(1e-3));
    };
    for (std::size_t c = 0; c < log.size(); ++c) {
        check("interarrival", c, log[c].gap, log[c].gap_variation);
        check("run_time", c, log[c].run, log[c].run_variation);
    }
    // And the jobs drawn have them: 40 replications of 80 days.
    std::array<Sample, 10> run;
    std::array<Sample, 10> jobs;
    auto context = tests::context_of({322}, ExperimentKind::trace);
    const Parameters days = parameters("jann_97", {{"days", 80.0}});
    for (context.replication = 0; context.replication < 40; ++context.replication) {
        const auto workload = find_model("jann_97")->make(days, context);
        engine::JobBlock block;
        std::array<double, 10> count{};
        do {
            workload->next(block);
            for (std::size_t i = 0; i < block.count; ++i) {
                run.at(block.job_class[i]).add(block.service_time[i]);
                ++count.at(block.job_class[i]);
            }
        } while (block.count > 0);
        for (std::size_t c = 0; c < count.size(); ++c) {
            jobs[c].add(count[c]);
        }
    }
    for (std::size_t c = 0; c < log.size(); ++c) {
        CAPTURE(c);
        CHECK(std::abs(run[c].mean() - log[c].run) <= z * run[c].error());
        // Arrivals begin with a job: a renewal process that does so expects t/m + (v + 1)/2 − 1
        // arrivals in a long time t.
        const double expected = 80 * 86400 / log[c].gap + (log[c].gap_variation - 1) / 2;
        CHECK(std::abs(jobs[c].mean() - expected) <= z * jobs[c].error() + 0.02 * expected);
    }
}

TEST_CASE("work and parallelism of Downey are log-uniform and the speedup is his") {
    const Parameters given = parameters("downey_97", {{"largest_sigma", 0.0}});
    // Without variance the speedup is n: run · n is the work, e^2 … e^12.
    constexpr std::size_t count = 100'000;
    std::array<double, 10> work{};
    std::map<std::uint32_t, double> sizes;
    for_jobs("downey_97", given, open_context(128), count, [&](const Job& job) {
        ++work.at(static_cast<std::size_t>(std::log(job.service_time * job.size) - 2));
        ++sizes[job.size];
    });
    for (const double jobs : work) {
        check_share(jobs, count, 0.1);
    }
    // P(n <= A < n + 1) = ln((n + 1)/n)/ln 128: for 1 it is 1/7.
    check_share(sizes[1], count, 1.0 / 7);
    check_share(sizes[2], count, std::log(1.5) / std::log(128.0));
    check_share(sizes[100], count, std::log(1.01) / std::log(128.0));
    CHECK(sizes.rbegin()->first <= 127);
    // Variance costs: with the same draws the run times grow, those of serial jobs stay. By the
    // formulas of the paper for n <= A with A between n and n + 1:
    const Parameters varied = parameters("downey_97", {{"largest_sigma", 3.0}});
    std::vector<double> ideal;
    for_jobs("downey_97", given, open_context(128), 5000, [&](const Job& job) {
        ideal.push_back(job.service_time * job.size);
    });
    const engine::WorkloadContext context = open_context(128);
    const engine::Stream service(context.seed, engine::Purpose::service, context.replication);
    for_jobs("downey_97", varied, context, 5000, [&](const Job& job) {
        const double sigma = 3 * engine::unit_interval(service.draw(2 * job.index + 1));
        const double n = job.size;
        const auto speedup = [&](double a) {
            return sigma <= 1 ? a * n / (a + sigma * (n - 1) / 2)
                              : n * a * (sigma + 1) / (sigma * (n + a - 1) + a);
        };
        const double got = ideal[job.index] / job.service_time;
        CHECK(got >= speedup(n) * (1 - 1e-12));
        CHECK(got <= speedup(n + 1) * (1 + 1e-12));
    });
}

TEST_CASE("sizes and repetitions of Feitelson are harmonic and large jobs run longer") {
    constexpr std::size_t count = 200'000;
    // Every job once: sizes are independent.
    const Parameters once = parameters("feitelson_96", {{"most_runs", 1}});
    std::map<std::uint32_t, double> sizes;
    Sample small;
    for_jobs("feitelson_96", once, open_context(128), count, [&](const Job& job) {
        ++sizes[job.size];
        if (job.size <= 2) {
            small.add(job.service_time);
        }
    });
    double sum = 0;
    for (int n = 1; n <= 128; ++n) {
        sum += std::pow(n, -1.5) * (n > 1 && (n & (n - 1)) == 0 ? 5 : 1);
    }
    check_share(sizes[1], count, 1 / sum);
    check_share(sizes[3], count, std::pow(3, -1.5) / sum);
    check_share(sizes[64], count, 5 * std::pow(64, -1.5) / sum);
    // Small jobs: 0.95 − 0.2 n/128 of them have mean 1, the others 7.
    const double one = 1 / sum;
    const double two = 5 * std::pow(2, -1.5) / sum;
    const auto mean = [](double n) {
        const double p = 0.95 - 0.2 * n / 128;
        return p + 7 * (1 - p);
    };
    const double expected = (one * mean(1) + two * mean(2)) / (one + two);
    CHECK(std::abs(small.mean() - expected) <= z * small.error());
    // Large jobs, all sizes alike: the mean of 1 + 6 (0.05 + 0.2 n/128) over n = 97 … 128 is
    // 1.3 + 1.2 · 112.5/128.
    const Parameters alike = parameters(
        "feitelson_96", {{"most_runs", 1}, {"size_order", 1e-9}, {"power_of_two_factor", 1.0}}
    );
    Sample large;
    for_jobs("feitelson_96", alike, open_context(128), count, [&](const Job& job) {
        if (job.size >= 97) {
            large.add(job.service_time);
        }
    });
    CHECK(std::abs(large.mean() - (1.3 + 1.2 * 112.5 / 128)) <= z * large.error());
    // With repetitions: jobs of one size and run time in a row; r of them with r^−2.5.
    std::map<double, double> runs;  // by run time
    std::map<double, double> last;
    for_jobs(
        "feitelson_96",
        parameters("feitelson_96"),
        open_context(128),
        count,
        [&](const Job& job) {
            if (runs[job.service_time] > 0) {
                CHECK(
                    job.submit_time
                    == doctest::Approx(last[job.service_time] + job.service_time).epsilon(1e-9)
                );
            }
            ++runs[job.service_time];
            last[job.service_time] = job.submit_time;
        }
    );
    double zeta = 0;
    for (int r = 1; r <= 100; ++r) {
        zeta += std::pow(r, -2.5);
    }
    const auto share_of = [&](double r) {
        return static_cast<double>(std::count_if(runs.begin(), runs.end(), [&](const auto& run) {
            return run.second == r;
        }));
    };
    check_share(share_of(1), static_cast<double>(runs.size()), 1 / zeta);
    check_share(share_of(2), static_cast<double>(runs.size()), std::pow(2, -2.5) / zeta);
    check_share(share_of(5), static_cast<double>(runs.size()), std::pow(5, -2.5) / zeta);
}

TEST_CASE("a trace of a model ends after its days and an open system does not") {
    for (const char* model : {"lublin_feitelson", "jann_97", "downey_97", "ctc_august_1996"}) {
        CAPTURE(model);
        const Parameters given = parameters(model, {{"days", 2.0}});
        auto context = tests::context_of({512}, ExperimentKind::trace);
        const auto workload = find_model(model)->make(given, context);
        engine::JobBlock block;
        double last = 0;
        std::uint64_t jobs = 0;
        for (workload->next(block); block.count > 0; workload->next(block)) {
            last = block.submit_time.back();
            jobs += block.count;
        }
        CHECK((jobs > 50 && last < 2 * 86400.0 && last > 86400.0));
        workload->next(block);
        CHECK(block.count == 0);
        context.experiment = ExperimentKind::open;
        for_jobs(model, given, context, 2 * jobs, [&](const Job& job) { last = job.submit_time; });
        CHECK(last > 2 * 86400.0);
    }
}

}  // namespace schedfarm::models
