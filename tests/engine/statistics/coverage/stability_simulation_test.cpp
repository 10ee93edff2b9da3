// The stability verdict on queues whose stability is known: M/M/s from empty, all loads with the
// same random numbers. The recursion is our own, that of Lindley for one server, that of Kiefer and
// Wolfowitz for more.
#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <queue>
#include <span>
#include <vector>

#include <doctest/doctest.h>

#include "engine/random/distribution.hpp"
#include "engine/random/stream.hpp"
#include "engine/statistics/steady_state/stability.hpp"

#include "tests/engine/random/distribution_examples.hpp"
#include "tests/support/long_form.hpp"

namespace schedfarm::engine {
namespace {

struct Setting {
    std::size_t servers = 1;
    std::size_t jobs = 20'000;
    double warm_up_fraction = 0.2;
    std::size_t replications = 64;
};

/// By replication: what judge_stability() is given.
struct Halves {
    std::vector<double> first;
    std::vector<double> second;
    std::vector<double> growth;

    Stability judge(double warm_up_fraction) const {
        return judge_stability({first, second, growth, warm_up_fraction}, 0.999);
    }
};

using EarliestFirst = std::priority_queue<double, std::vector<double>, std::greater<>>;

/// Services of mean 1 on `servers` servers at this utilization.
void add_replication(
    const Setting& setting,
    double utilization,
    std::span<const double> interarrivals,
    std::span<const double> services,
    Halves& halves
) {
    const auto first_measured =
        static_cast<std::size_t>(setting.warm_up_fraction * static_cast<double>(setting.jobs));
    const std::size_t middle = (first_measured + setting.jobs) / 2;
    const double scale = 1 / (utilization * static_cast<double>(setting.servers));
    EarliestFirst free_at(std::greater<>{}, std::vector<double>(setting.servers, 0.0));
    double now = 0;
    double started = 0;
    std::array<double, 2> sums{};
    for (std::size_t i = 0; i < setting.jobs; ++i) {
        now += scale * interarrivals[i];
        started = i == first_measured ? now : started;
        const double start = std::max(now, free_at.top());
        free_at.pop();
        free_at.push(start + services[i]);
        if (i >= first_measured) {
            sums[i >= middle ? 1 : 0] += start - now;
        }
    }
    halves.first.push_back(sums[0] / static_cast<double>(middle - first_measured));
    halves.second.push_back(sums[1] / static_cast<double>(setting.jobs - middle));
    halves.growth.push_back((halves.second.back() - halves.first.back()) / ((now - started) / 2));
}

/// How often each verdict falls, in macro-runs that share nothing.
struct Verdicts {
    double utilization = 0;
    int stable = 0;
    int not_stationary = 0;
    int unstable = 0;

    void add(StabilityVerdict verdict) {
        stable += verdict == StabilityVerdict::stable ? 1 : 0;
        not_stationary += verdict == StabilityVerdict::not_stationary ? 1 : 0;
        unstable += verdict == StabilityVerdict::unstable ? 1 : 0;
    }
};

std::vector<Verdicts> verdicts_of(
    const Setting& setting, const std::vector<double>& utilizations, std::uint32_t macro_runs
) {
    const auto exponential = make_time_distribution(choice("exponential", {{"mean", 1.0}}));
    std::vector<double> interarrivals(setting.jobs);
    std::vector<double> services(setting.jobs);
    std::vector<Verdicts> verdicts(utilizations.size());
    for (std::uint32_t macro = 0; macro < macro_runs; ++macro) {
        std::vector<Halves> halves(utilizations.size());
        for (std::uint32_t replication = 0; replication < setting.replications; ++replication) {
            exponential->fill(Stream(macro, Purpose::arrivals, replication), 0, interarrivals);
            exponential->fill(Stream(macro, Purpose::service, replication), 0, services);
            for (std::size_t i = 0; i < utilizations.size(); ++i) {
                add_replication(setting, utilizations[i], interarrivals, services, halves[i]);
            }
        }
        for (std::size_t i = 0; i < utilizations.size(); ++i) {
            verdicts[i].utilization = utilizations[i];
            verdicts[i].add(halves[i].judge(setting.warm_up_fraction).verdict);
        }
    }
    for (const Verdicts& verdict : verdicts) {
        MESSAGE(
            setting.servers << " servers, " << setting.jobs << " jobs, " << setting.replications
                            << " replications, utilization " << verdict.utilization << ": "
                            << verdict.stable << " stable, " << verdict.not_stationary
                            << " not stationary, " << verdict.unstable << " unstable"
        );
    }
    return verdicts;
}

TEST_CASE("a stable single server is never called unstable and an overloaded one is") {
    const Setting setting;
    const auto runs = tests::short_or_long(10U, 30U);
    const auto verdicts =
        verdicts_of(setting, {0.5, 0.8, 0.9, 0.95, 0.99, 1, 1.02, 1.05, 1.2}, runs);
    for (const Verdicts& verdict : verdicts) {
        CAPTURE(verdict.utilization);
        if (verdict.utilization <= 0.95) {
            CHECK(verdict.stable == runs);
        } else if (verdict.utilization <= 1) {
            CHECK(verdict.unstable == 0);
        } else if (verdict.utilization >= 1.05) {
            CHECK(verdict.unstable == runs);
        } else {
            CHECK(verdict.unstable >= runs * 4 / 5);
        }
    }
}

TEST_CASE("a short run near saturation is not called unstable") {
    for (const Verdicts& verdict :
         verdicts_of({1, 2000, 0.2, 64}, {0.95, 0.98, 1}, tests::short_or_long(60U, 200U))) {
        CAPTURE(verdict.utilization);
        CHECK(verdict.unstable == 0);
    }
}

TEST_CASE("many replications of a very short run do not make it unstable") {
    for (const Verdicts& verdict : verdicts_of({1, 200, 0, 10'000}, {0.8, 0.95, 0.98}, 5)) {
        CAPTURE(verdict.utilization);
        CHECK(verdict.unstable == 0);
        CHECK(verdict.not_stationary == 5);
    }
}

TEST_CASE("a large machine that is still filling up is not called unstable") {
    for (const Setting& setting : {Setting{16, 200, 0, 2000}, Setting{128, 2000, 0.2, 1000}}) {
        for (const Verdicts& verdict : verdicts_of(setting, {0.8, 0.9, 0.95, 0.98}, 3)) {
            CAPTURE(verdict.utilization);
            CHECK(verdict.unstable == 0);
        }
    }
}

TEST_CASE("a large overloaded machine is called unstable once it is full") {
    for (const Verdicts& verdict : verdicts_of({128, 20'000, 0.2, 64}, {1.05, 1.2}, 5)) {
        CAPTURE(verdict.utilization);
        CHECK(verdict.unstable == 5);
    }
}

}  // namespace
}  // namespace schedfarm::engine
