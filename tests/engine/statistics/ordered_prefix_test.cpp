// Averaging the first results that finish is biased, the more so the more workers there are
// (Heidelberger 1988); averaging by replication index is not. Here a replication's output is its
// run time, the worst case.
#include <cmath>
#include <cstdint>
#include <vector>

#include <doctest/doctest.h>

#include "engine/random/distribution.hpp"
#include "engine/statistics/accumulator.hpp"
#include "engine/statistics/stop_rule.hpp"

#include "tests/engine/random/distribution_examples.hpp"
#include "tests/engine/statistics/virtual_farm.hpp"

namespace schedfarm::engine {
namespace {

constexpr std::uint32_t macro_runs = 2000;
constexpr std::size_t results = 512;

Choice exponential_times() {
    return choice("exponential", {{"mean", 1.0}});
}

// sigma = 1
Choice lognormal_times() {
    return choice("lognormal", {{"mean", 1.0}, {"squared_variation", 1.718281828459045}});
}

std::vector<double> draw(const TimeDistribution& distribution, std::uint32_t macro, std::size_t n) {
    std::vector<double> values(n);
    distribution.fill(Stream(1988, Purpose::service, macro), 0, values);
    return values;
}

/// Over the macro-runs: relative errors of the two ways to average `results` outputs of mean 1.
struct Errors {
    Accumulator first_finished;
    Accumulator by_index;
};

Errors errors_of(const Choice& run_time, std::size_t workers) {
    const auto distribution = make_time_distribution(run_time);
    Errors errors;
    for (std::uint32_t macro = 0; macro < macro_runs; ++macro) {
        const std::vector<double> outputs = draw(*distribution, macro, results + workers);
        const std::vector<std::uint32_t> order = finishing_order(outputs, workers);
        Accumulator finished;
        Accumulator indexed;
        for (std::size_t i = 0; i < results; ++i) {
            finished.add(outputs[order[i]]);
            indexed.add(outputs[i]);
        }
        errors.first_finished.add(*finished.mean() - 1);
        errors.by_index.add(*indexed.mean() - 1);
    }
    return errors;
}

TEST_CASE("the average by index is unbiased and the average of the first finished is not") {
    for (const Choice& run_time : {exponential_times(), lognormal_times()}) {
        for (const std::size_t workers : {1U, 8U, 64U, 512U}) {
            const Errors errors = errors_of(run_time, workers);
            MESSAGE(
                run_time.name << " with " << workers << " workers: bias first finished "
                              << *errors.first_finished.mean() << ", by index "
                              << *errors.by_index.mean() << " ± "
                              << *errors.by_index.standard_error()
            );
            CHECK(std::fabs(*errors.by_index.mean()) < 3 * *errors.by_index.standard_error());
            if (workers >= 64) {  // the negative control: one eighth of the results and more
                const double bias = *errors.first_finished.mean();
                CHECK(bias + 3 * *errors.first_finished.standard_error() < -0.10);
            }
        }
    }
}

/// Feeds results in the order of finishing and asks the stop rule after each one.
struct Stopped {
    StopDecision decision;
    Estimate estimate;
};

Stopped stop_while_running(std::span<const double> outputs, std::size_t workers) {
    std::vector<double> received(outputs.size(), std::nan(""));
    std::vector<bool> is_there(outputs.size(), false);
    std::size_t prefix = 0;
    TargetObservations observed;
    observed.target.relative = 0.10;
    for (const std::uint32_t index : finishing_order(outputs, workers)) {
        received[index] = outputs[index];
        is_there[index] = true;
        while (prefix < is_there.size() && is_there[prefix]) {
            ++prefix;
        }
        observed.values = received;
        const StopDecision decision = decide({&observed, 1}, prefix, {64, outputs.size()});
        if (decision.state != StopState::go_on) {
            const auto used = observed.values.first(decision.n);
            return {decision, *estimate_mean(used, 0.95, IntervalMethod::skew_adjusted)};
        }
    }
    return {};
}

TEST_CASE("stopping point and interval are the same bits for any number of workers") {
    const auto distribution = make_time_distribution(lognormal_times());
    for (std::uint32_t macro = 0; macro < 5; ++macro) {
        const std::vector<double> outputs = draw(*distribution, macro, 3000);
        const Stopped alone = stop_while_running(outputs, 1);
        REQUIRE(alone.decision.state == StopState::met);
        REQUIRE(alone.decision.n > 64);
        for (const std::size_t workers : {2U, 3U, 8U, 64U, 512U, 3000U}) {
            const Stopped many = stop_while_running(outputs, workers);
            CHECK(many.decision.n == alone.decision.n);
            CHECK(many.decision.predicted == alone.decision.predicted);
            CHECK(many.estimate.mean == alone.estimate.mean);
            CHECK(many.estimate.interval == alone.estimate.interval);
        }
    }
}

}  // namespace
}  // namespace schedfarm::engine
