// The generator of the gang-scheduling paper's month: its counts and means, and what EASY makes of
// it.
#include <array>
#include <cmath>
#include <numeric>
#include <vector>

#include <doctest/doctest.h>

#include "engine/simulation/kernel/simulator.hpp"
#include "engine/simulation/logs/job_log.hpp"
#include "engine/simulation/measurement/probe.hpp"

#include "policies/catalogue.hpp"

#include "tests/models/settings.hpp"
#include "tests/support/within.hpp"

namespace schedfarm::models {

namespace {

using engine::ExperimentKind;
using engine::Parameters;
using engine::Value;
using tests::choice;

constexpr std::size_t class_count = 10;
using PerClass = std::array<double, class_count>;

constexpr PerClass jobs_in_class{2514, 710, 747, 599, 900, 473, 420, 74, 45, 23};

const engine::WorkloadModelDescription& model() {
    const auto* found = find_model("ctc_august_1996");
    REQUIRE(found != nullptr);
    return *found;
}

Parameters parameters(const std::vector<std::pair<std::string, Value>>& values = {}) {
    Parameters given;
    for (const auto& [name, value] : values) {
        given.set(name, value);
    }
    return with_defaults(model().alternative.parameters, given);
}

engine::WorkloadContext context_of(std::uint32_t replication) {
    auto context = tests::context_of({320}, ExperimentKind::trace);
    context.replication = replication;
    return context;
}

/// The mean response over the mean service of each class under EASY, over months.
PerClass normalized_responses(const Parameters& given, std::uint32_t months) {
    const auto* easy = policies::find_policy("easy");
    REQUIRE(easy != nullptr);
    engine::JobLog log;
    engine::SimulationSetup setup;
    setup.system.clusters = {320};
    setup.experiment.kind = ExperimentKind::trace;
    setup.experiment.horizon.jobs = 6505;
    setup.probes.job_log = &log;
    setup.probes.requests.push_back(engine::make_probe_request(choice("response_time")));
    PerClass response{};
    PerClass service{};
    for (std::uint32_t month = 0; month < months; ++month) {
        const auto context = context_of(month);
        const engine::Stream random(context.seed, engine::Purpose::policy, month);
        const auto policy =
            easy->make(with_defaults(easy->alternative.parameters), {context.system, random});
        const auto workload = model().make(given, context);
        engine::simulate(setup, *workload, *policy);
        for (std::size_t job = 0; job < log.jobs(); ++job) {
            response[log.class_of(job)] += log.finish[job] - log.submit[job];
            service[log.class_of(job)] += log.service[job];
        }
    }
    for (std::size_t c = 0; c < class_count; ++c) {
        response[c] /= service[c];
    }
    return response;
}

}  // namespace

TEST_CASE("every month has the counts of the log and classes hold their sizes") {
    const auto workload = model().make(parameters({{"days", 62.0}}), context_of(0));
    CHECK(workload->traits().job_classes == class_count);
    CHECK(workload->traits().class_names.front() == "1 processor");
    CHECK(workload->traits().class_names[5] == "17 to 32 processors");
    CHECK(workload->traits().class_names.back() == "300 to 320 processors");
    std::array<PerClass, 2> jobs{};
    engine::JobBlock block;
    do {
        workload->next(block);
        for (std::size_t i = 0; i < block.count; ++i) {
            const std::uint32_t c = block.job_class[i];
            jobs.at(block.submit_time[i] < 31 * 86400.0 ? 0 : 1)[c] += 1;
            const std::uint32_t p = block.size[i];
            CHECK((c == 9 ? p > 256 && p <= 320 : p <= 1U << c && (c == 0 || p > 1U << (c - 1))));
            CHECK((block.service_time[i] >= 60 && block.service_time[i] <= 64800));
        }
    } while (block.count > 0);
    CHECK(jobs[0] == jobs_in_class);
    CHECK(jobs[1] == jobs_in_class);
}

TEST_CASE("run times have the mean of their class") {
    constexpr PerClass mean{16643, 16520, 9005, 3862, 9455, 9139, 11363, 14384, 548, 6181};
    constexpr int months = 40;
    PerClass sum{};
    PerClass squares{};
    const auto workload = model().make(parameters({{"days", 31.0 * months}}), context_of(1));
    engine::JobBlock block;
    do {
        workload->next(block);
        for (std::size_t i = 0; i < block.count; ++i) {
            sum[block.job_class[i]] += block.service_time[i];
            squares[block.job_class[i]] += block.service_time[i] * block.service_time[i];
        }
    } while (block.count > 0);
    for (std::size_t c = 0; c < class_count; ++c) {
        const double n = months * jobs_in_class[c];
        const double error = std::sqrt((squares[c] / n - std::pow(sum[c] / n, 2)) / n);
        CAPTURE(c);
        CHECK(std::abs(sum[c] / n - mean[c]) <= 4 * error);
    }
}

TEST_CASE("the month offers the load of the log and arrivals are bursty") {
    // The 6505 jobs of the log take 0.912 of 320 processors for 31 days. Sizes here only match
    // their means, so that the offered load is a little different.
    const auto workload = model().make(parameters({{"days", 31.0 * 40}}), context_of(2));
    double area = 0;
    std::vector<double> gaps;
    double last = 0;
    engine::JobBlock block;
    do {
        workload->next(block);
        for (std::size_t i = 0; i < block.count; ++i) {
            area += block.size[i] * block.service_time[i];
            gaps.push_back(block.submit_time[i] - last);
            last = block.submit_time[i];
        }
    } while (block.count > 0);
    CHECK(area / (40 * 31 * 86400.0 * 320) == doctest::Approx(0.912).epsilon(0.03));
    const auto n = static_cast<double>(gaps.size());
    const double mean = std::accumulate(gaps.begin(), gaps.end(), 0.0) / n;
    double squares = 0;
    for (const double gap : gaps) {
        squares += (gap - mean) * (gap - mean);
    }
    CHECK(mean == doctest::Approx(31 * 86400.0 / 6505).epsilon(0.01));
    CHECK(squares / n / (mean * mean) > 4);  // a Poisson process: 1; the log: 8.4
}

TEST_CASE("days differ as much as their weights do") {
    // Jobs one by one: the squared variation of the jobs of a day is nearly 1/shape, for 31
    // weights that are scaled to one sum, and 1/210 for the draws.
    const Value one_by_one = Value::List{1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
    const auto variation = [&](double shape) {
        const Parameters given =
            parameters({{"day_shape", shape}, {"batches", one_by_one}, {"days", 31.0 * 40}});
        const auto workload = model().make(given, context_of(3));
        std::vector<double> jobs(31 * 40);
        engine::JobBlock block;
        do {
            workload->next(block);
            for (const double submit : block.submit_time) {
                ++jobs.at(static_cast<std::size_t>(submit / 86400));
            }
        } while (block.count > 0);
        double squares = 0;
        for (const double count : jobs) {
            squares += std::pow(count - 6505.0 / 31, 2);
        }
        return squares / static_cast<double>(jobs.size()) / std::pow(6505.0 / 31, 2);
    };
    CHECK(variation(1e4) == tests::within(0.2, 1e-4 + 31 / 6505.0));
    CHECK(variation(4) == tests::within(0.2, 0.25));
}

TEST_CASE("EASY has the shape of the paper's figure on the month within a third") {
    // Fig. 3 of Wang, Papaefthymiou & Squillante 1997 shows the waits of the log. For the jobs of
    // the log whose counts and means the generator has, waits of the log give these responses:
    constexpr PerClass figure{1.54, 1.74, 2.12, 4.74, 3.81, 8.62, 10.98, 12.87, 267.9, 24.8};
    const PerClass easy = normalized_responses(parameters({{"estimates", choice("tsafrir")}}), 200);
    for (std::size_t c = 0; c < class_count; ++c) {
        CAPTURE(c);
        MESSAGE(easy[c]);
        CHECK(easy[c] / figure[c] > 2.0 / 3);
        CHECK(easy[c] / figure[c] < 4.0 / 3);
    }
    // The shape: the larger, the longer, but for class 9, whose jobs run longer than those of 8.
    for (const std::size_t c : {0U, 1U, 2U, 4U, 5U, 6U, 7U}) {
        CHECK(easy[c] < easy[c + 1]);
    }
}

TEST_CASE("a month without bursts has another shape") {
    const PerClass even = normalized_responses(
        parameters(
            {{"day_shape", 1e4},
             {"batches", Value::List{1, 1, 1, 1, 1, 1, 1, 1, 1, 1}},
             {"estimates", choice("tsafrir")}}
        ),
        20
    );
    CHECK(even[6] / 10.98 < 2.0 / 3);
    CHECK(even[8] / 267.9 < 2.0 / 3);
}

TEST_CASE("parameters of the month are checked") {
    CHECK(model().alternative.check(parameters()).empty());
    CHECK(model().alternative.check(parameters({{"batches", Value::List{1, 2}}})).size() == 1);
    CHECK(model().check_system(parameters(), {.clusters = {319}}).size() == 1);
}

}  // namespace schedfarm::models
