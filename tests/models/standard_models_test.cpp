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

/// Mean and squared variation of the times between arrivals and of the run times of the jobs of
/// CTC-SP2-1996-3.1-cln submitted before 13 September 1996, in one range of sizes.
struct LogRange {
    double gap;
    double gap_variation;
    double run;
    double run_variation;
};

constexpr std::array<LogRange, 10> ctc_log{
    {{870.518, 7.76108, 13475.1, 2.04587},
     {3679.19, 9.95692, 14180.9, 2.57476},
     {2724.61, 8.09213, 7378.59, 4.59956},
     {3479.66, 5.94075, 5166.73, 4.47297},
     {2833.09, 5.31197, 8519.62, 3.11928},
     {6005.34, 5.39961, 9225.67, 3.10020},
     {8321.63, 3.14466, 12556.3, 2.09766},
     {32217.2, 1.61185, 13319.8, 2.70158},
     {64435.5, 6.31846, 1279.06, 3.99395},
     {136855.0, 4.95224, 8745.48, 4.46707}}};

constexpr std::size_t feitelson_jobs = 200'000;

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
    for (std::size_t c = 0; c < ctc_log.size(); ++c) {
        check("interarrival", c, ctc_log[c].gap, ctc_log[c].gap_variation);
        check("run_time", c, ctc_log[c].run, ctc_log[c].run_variation);
    }
}

// In 40 replications of 80 days.
TEST_CASE("the jobs drawn by the model of Jann have the means of the log") {
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
    for (std::size_t c = 0; c < ctc_log.size(); ++c) {
        const LogRange& log = ctc_log[c];
        CAPTURE(c);
        CHECK(std::abs(run[c].mean() - log.run) <= z * run[c].error());
        // Arrivals begin with a job: a renewal process that does so expects t/m + (v + 1)/2 − 1
        // arrivals in a long time t.
        const double expected = 80 * 86400 / log.gap + (log.gap_variation - 1) / 2;
        CHECK(std::abs(jobs[c].mean() - expected) <= z * jobs[c].error());
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

TEST_CASE("sizes of Feitelson are harmonic and small jobs have the mean run times of their sizes") {
    // Every job once: sizes are independent.
    const Parameters once = parameters("feitelson_96", {{"most_runs", 1}});
    std::map<std::uint32_t, double> sizes;
    Sample small;
    for_jobs("feitelson_96", once, open_context(128), feitelson_jobs, [&](const Job& job) {
        ++sizes[job.size];
        if (job.size <= 2) {
            small.add(job.service_time);
        }
    });
    double sum = 0;
    for (int n = 1; n <= 128; ++n) {
        sum += std::pow(n, -1.5) * (n > 1 && (n & (n - 1)) == 0 ? 5 : 1);
    }
    check_share(sizes[1], feitelson_jobs, 1 / sum);
    check_share(sizes[3], feitelson_jobs, std::pow(3, -1.5) / sum);
    check_share(sizes[64], feitelson_jobs, 5 * std::pow(64, -1.5) / sum);
    // 0.95 − 0.2 n/128 of them have mean 1, the others 7.
    const double one = 1 / sum;
    const double two = 5 * std::pow(2, -1.5) / sum;
    const auto mean = [](double n) {
        const double p = 0.95 - 0.2 * n / 128;
        return p + 7 * (1 - p);
    };
    const double expected = (one * mean(1) + two * mean(2)) / (one + two);
    CHECK(std::abs(small.mean() - expected) <= z * small.error());
}

TEST_CASE("large jobs of Feitelson run longer") {
    // All sizes alike: the mean of 1 + 6 (0.05 + 0.2 n/128) over n = 97 … 128 is 1.3 + 1.2 ·
    // 112.5/128.
    const Parameters alike = parameters(
        "feitelson_96", {{"most_runs", 1}, {"size_order", 1e-9}, {"power_of_two_factor", 1.0}}
    );
    Sample large;
    for_jobs("feitelson_96", alike, open_context(128), feitelson_jobs, [&](const Job& job) {
        if (job.size >= 97) {
            large.add(job.service_time);
        }
    });
    CHECK(std::abs(large.mean() - (1.3 + 1.2 * 112.5 / 128)) <= z * large.error());
}

TEST_CASE("jobs of Feitelson are repeated one after the other, r times with r^-2.5") {
    std::map<double, double> runs;  // by run time, which tells jobs apart
    std::map<double, double> last;
    const Parameters given = parameters("feitelson_96");
    for_jobs("feitelson_96", given, open_context(128), feitelson_jobs, [&](const Job& job) {
        double& submit = last[job.service_time];
        if (runs[job.service_time] > 0) {
            CHECK(job.submit_time == doctest::Approx(submit + job.service_time).epsilon(1e-9));
        }
        ++runs[job.service_time];
        submit = job.submit_time;
    });
    double zeta = 0;
    for (int r = 1; r <= 100; ++r) {
        zeta += std::pow(r, -2.5);
    }
    for (const double r : {1.0, 2.0, 5.0}) {
        const auto jobs = std::count_if(runs.begin(), runs.end(), [&](const auto& run) {
            return run.second == r;
        });
        const auto all = static_cast<double>(runs.size());
        check_share(static_cast<double>(jobs), all, std::pow(r, -2.5) / zeta);
    }
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
