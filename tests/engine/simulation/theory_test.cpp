// The general kernel against queueing theory; every bound is 4 standard errors over replications,
// so that a test fails by chance once in 16,000 seeds, and the seeds are fixed.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include <doctest/doctest.h>

#include "engine/random/distribution.hpp"
#include "engine/random/stream.hpp"
#include "engine/simulation/measurement/measurement_window.hpp"

#include "tests/engine/simulation/systems.hpp"
#include "tests/support/within.hpp"

namespace schedfarm::tests {

namespace {

constexpr double bound = 4;

Choice exponential(double mean) {
    Choice choice{"exponential", {}};
    choice.parameters.set("mean", Value(mean));
    return choice;
}

// Poisson arrivals, exponential or constant service of mean 1, sizes uniform on 1 … largest (or all
// `largest`).
class PoissonWorkload final : public WorkloadModel {
  public:
    enum class Sizes : std::uint8_t { uniform, constant };
    enum class Service : std::uint8_t { exponential, constant };

    PoissonWorkload(
        double rate,
        Sizes sizes,
        std::uint32_t largest,
        std::uint32_t replication,
        Service service = Service::exponential
    )
        : interarrival_(make_time_distribution(exponential(1 / rate)))
        , service_(make_time_distribution(exponential(1)))
        , sizes_(sizes)
        , has_constant_service_(service == Service::constant)
        , replication_(replication) {
        traits_.max_size = largest;
    }

    const WorkloadTraits& traits() const override { return traits_; }

    void next(JobBlock& block) override {
        block.first_index = next_;
        block.count = JobBlock::capacity;
        block.submit_time.resize(block.count);
        block.service_time.resize(block.count);
        block.size.resize(block.count);
        interarrival_->fill(stream(Purpose::arrivals), next_, block.submit_time);
        for (double& submit : block.submit_time) {
            submit += last_submit_;
            last_submit_ = submit;
        }
        service_->fill(stream(Purpose::service), next_, block.service_time);
        if (has_constant_service_) {
            std::fill(block.service_time.begin(), block.service_time.end(), 1.0);
        }
        stream(Purpose::sizes).fill_words(next_, block.size);
        for (std::uint32_t& size : block.size) {
            size = sizes_ == Sizes::constant ? traits_.max_size
                                             : 1 + scaled_word(size, traits_.max_size);
        }
        next_ += block.count;
    }

  private:
    Stream stream(Purpose purpose) const { return {2001, purpose, replication_}; }

    std::unique_ptr<const TimeDistribution> interarrival_;
    std::unique_ptr<const TimeDistribution> service_;
    Sizes sizes_;
    bool has_constant_service_;
    std::uint32_t replication_;
    std::uint64_t next_ = 0;
    double last_submit_ = 0;
    WorkloadTraits traits_;
};

using Sizes = PoissonWorkload::Sizes;

struct MeanAndError {
    double mean = 0;
    double error = 0;
};

MeanAndError summary(const std::vector<double>& values) {
    const auto n = static_cast<double>(values.size());
    double sum = 0;
    double squares = 0;
    for (const double value : values) {
        sum += value;
        squares += value * value;
    }
    const double mean = sum / n;
    return {.mean = mean, .error = std::sqrt((squares / n - mean * mean) / (n - 1))};
}

void check_agrees(const std::vector<double>& values, double theory) {
    const MeanAndError result = summary(values);
    CHECK_MESSAGE(
        std::abs(result.mean - theory) < bound * result.error,
        result.mean << " ± " << result.error << " against " << theory
    );
}

// Column `column` of `replications` replications.
std::vector<std::vector<double>> replicate(
    SimulationSetup setup,
    std::uint32_t replications,
    const std::function<std::unique_ptr<PoissonWorkload>(std::uint32_t)>& make
) {
    std::vector<std::vector<double>> columns;
    for (std::uint32_t r = 0; r < replications; ++r) {
        if (needs_window(setup.probes, setup.experiment)) {
            setup.experiment.window = measurement_window(*make(r), setup.experiment.horizon);
        }
        setup.outages = Stream(2001, Purpose::outages, r);
        FirstComeFirstServed policy;
        const auto workload = make(r);
        const Observations result = simulate(setup, *workload, policy);
        columns.resize(result.values.size());
        for (std::size_t c = 0; c < columns.size(); ++c) {
            columns[c].push_back(result.values[c]);
        }
    }
    return columns;
}

}  // namespace

TEST_CASE("a single processor is an M/M/1 queue") {
    // rho = 0.7: E[T] = 1/(1 − rho), E[queueing] = rho/(1 − rho), E[queue] = rho²/(1 − rho),
    // utilization rho. 400 relaxation times of 22 are warmed up.
    const double rho = 0.7;
    SimulationSetup setup = setup_of(1, 60000);
    setup.experiment.horizon.warm_up_jobs = 10000;
    for (const Metric metric :
         {Metric::response_time, Metric::wait, Metric::queue_length, Metric::gross_utilization}) {
        setup.probes.requests.push_back({.metric = metric, .quantiles = {}});
    }
    const auto columns = replicate(setup, 60, [rho](std::uint32_t r) {
        return std::make_unique<PoissonWorkload>(rho, Sizes::constant, 1, r);
    });
    check_agrees(columns[0], 0);                // backlog growth
    check_agrees(columns[2], rho / (1 - rho));  // wait, first half
    check_agrees(columns[3], rho / (1 - rho));  // and second half
    check_agrees(columns[4], 1 / (1 - rho));
    check_agrees(columns[5], rho / (1 - rho));
    check_agrees(columns[6], rho * rho / (1 - rho));
    check_agrees(columns[7], rho);
}

TEST_CASE("outages that cut jobs make an M/D/1 queue with breakdowns, preemptive repeat") {
    // Gaver 1962. Up times of rate f, idle or not, repairs of rate r; each job of service s begins
    // anew after each failure, the number N of which is geometric with success e^(-f s). A failure
    // costs Z = the exponential given that it is below s, and a repair; the job C = s + sum of Z.
    // The first job of a busy period finds a repair under way with probability f/(lambda + r + f),
    // which it waits for: an M/G/1 queue with an exceptional first delay D (Welch 1964).
    const double f = 0.25;
    const double r = 1;
    const double s = 1;
    const double lambda = 0.4;
    const double success = std::exp(-f * s);
    const double y1 = 1 / f - s * success / (1 - success);
    const double y2 = (2 / (f * f) - success * (s * s + 2 * s / f + 2 / (f * f))) / (1 - success);
    const double z1 = y1 + 1 / r;
    const double z_variance = y2 - y1 * y1 + 1 / (r * r);
    const double n1 = (1 - success) / success;
    const double c1 = s + n1 * z1;
    const double c2 = c1 * c1 + n1 * z_variance + n1 / success * z1 * z1;
    const double p = f / (lambda + r + f);
    const double d1 = p / r;
    const double d2 = 2 * p / (r * r);
    const double wait =
        lambda * c2 / (2 * (1 - lambda * c1)) + (2 * d1 + lambda * d2) / (2 * (1 + lambda * d1));
    SimulationSetup setup = setup_of(1, 40000);
    setup.experiment.horizon.warm_up_jobs = 8000;
    setup.probes.requests.push_back({});
    setup.system.outages = {.failures = {1 / f, 1 / r, 1}, .running = RunningJobs::cut};
    setup.published = {{"availability", "", ""}};
    const auto columns = replicate(setup, 40, [lambda](std::uint32_t replication) {
        return std::make_unique<PoissonWorkload>(
            lambda, Sizes::constant, 1, replication, PoissonWorkload::Service::constant
        );
    });
    check_agrees(columns[4], wait + c1);
    check_agrees(columns[5], r / (r + f));
}

TEST_CASE("jobs of half the machine make an M/M/2 queue") {
    // E[T] = 1/(1 − rho²) with rho = lambda/2 = 0.6.
    SimulationSetup setup = setup_of(8, 40000);
    setup.experiment.horizon.warm_up_jobs = 8000;
    setup.probes.requests.push_back({});
    const auto columns = replicate(setup, 40, [](std::uint32_t r) {
        return std::make_unique<PoissonWorkload>(1.2, Sizes::constant, 4, r);
    });
    check_agrees(columns[4], 1 / (1 - 0.36));
}

TEST_CASE("an unstable queue grows by what cannot be served") {
    // rho = 1.25: per unit of time 1.25 of work comes and 1 is done, so the wait of the
    // next job grows by 0.25 per unit of submission time.
    SimulationSetup setup = setup_of(1, 20000);
    const auto columns = replicate(setup, 40, [](std::uint32_t r) {
        return std::make_unique<PoissonWorkload>(1.25, Sizes::constant, 1, r);
    });
    check_agrees(columns[0], 0.25);
}

TEST_CASE("the saturated system serves as much as theory says") {
    // FCFS, exponential service, sizes uniform on 1 … n (Rumyantsev and Morozov 2017).
    struct Cell {
        std::uint32_t processors;
        std::uint32_t largest;
        double utilization;
    };
    for (const Cell& cell : {Cell{2, 2, 6.0 / 7}, Cell{4, 2, 72.0 / 79}, Cell{4, 4, 640.0 / 821}}) {
        SimulationSetup setup = setup_of(cell.processors, 22000, ExperimentKind::saturated);
        setup.experiment.horizon.warm_up_jobs = 2000;
        setup.experiment.horizon.backlog = 3;
        const auto columns = replicate(setup, 60, [&cell](std::uint32_t r) {
            return std::make_unique<PoissonWorkload>(1.0, Sizes::uniform, cell.largest, r);
        });
        check_agrees(columns[0], cell.utilization);
        check_agrees(columns[1], 1 - cell.utilization);
        // throughput * E[size] * E[service] = utilization * processors
        check_agrees(columns[2], cell.utilization * cell.processors / ((1 + cell.largest) / 2.0));
    }
}

}  // namespace schedfarm::tests
