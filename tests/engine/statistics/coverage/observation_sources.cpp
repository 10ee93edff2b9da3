#include "tests/engine/statistics/coverage/observation_sources.hpp"

#include <algorithm>
#include <memory>

#include "engine/foundation/elementary.hpp"
#include "engine/random/distribution.hpp"

#include "tests/engine/random/distribution_examples.hpp"

namespace schedfarm::engine {
namespace {

constexpr std::uint64_t seed = 20010601;
constexpr std::size_t customers = 200;

ObservationSource distributed(const Choice& description) {
    const std::shared_ptr<const TimeDistribution> distribution =
        make_time_distribution(description);
    return {
        description.name,
        distribution->mean(),
        [distribution](std::uint32_t macro_run, std::uint64_t first, std::span<double> out) {
            distribution->fill(Stream(seed, Purpose::service, macro_run), first, out);
        }};
}

/// E of the mean response time, exactly: with N the number that a customer finds, response is the
/// sum of N + 1 services; the next one finds max(0, N + 1 − departures), where each of the N + 1
/// departs before the next arrival with probability 1 / (1 + utilization), one after the other.
double mm1_transient_mean(double utilization) {
    const double departs = 1 / (1 + utilization);
    std::vector<double> found(customers + 1, 0.0);
    found[0] = 1;
    double sum = 0;
    for (std::size_t customer = 0; customer < customers; ++customer) {
        std::vector<double> next(customers + 1, 0.0);
        for (std::size_t n = 0; n <= customer; ++n) {
            sum += found[n] * static_cast<double>(n + 1);
            double reaches = found[n];  // n + 1 − k departures have happened
            for (std::size_t left = n + 1; left > 0; --left) {
                next[left] += reaches * (1 - departs);
                reaches *= departs;
            }
            next[0] += reaches;
        }
        found = next;
    }
    return sum / static_cast<double>(customers);
}

double mm1_mean_response(std::span<const double> interarrivals, std::span<const double> services) {
    double response = 0;
    double sum = 0;
    for (std::size_t i = 0; i < services.size(); ++i) {
        response = std::max(0.0, response - interarrivals[i]) + services[i];
        sum += response;
    }
    return sum / static_cast<double>(services.size());
}

}  // namespace

ObservationSource normal_source() {
    return {"normal", 1, [](std::uint32_t macro_run, std::uint64_t first, std::span<double> out) {
                const Stream stream(seed, Purpose::service, macro_run);
                for (double& value : out) {
                    value = 1 + normal_quantile(unit_interval(stream.draw(first++)));
                }
            }};
}

ObservationSource exponential_source() {
    return distributed(choice("exponential", {{"mean", 1.0}}));
}

ObservationSource lognormal_source() {
    return distributed(
        choice("lognormal", {{"mean", 1.0}, {"squared_variation", 1.718281828459045}})
    );
}

ObservationSource hyperexponential_source() {
    return distributed(choice("hyperexponential", {{"mean", 1.0}, {"squared_variation", 4.84}}));
}

ObservationSource mm1_source(double utilization) {
    const std::shared_ptr<const TimeDistribution> interarrival =
        make_time_distribution(choice("exponential", {{"mean", 1 / utilization}}));
    const std::shared_ptr<const TimeDistribution> service =
        make_time_distribution(choice("exponential", {{"mean", 1.0}}));
    return {
        "M/M/1",
        mm1_transient_mean(utilization),
        [=](std::uint32_t macro_run, std::uint64_t first, std::span<double> out) {
            std::vector<double> interarrivals(customers);
            std::vector<double> services(customers);
            for (double& value : out) {
                const std::uint64_t position = customers * first++;
                interarrival->fill(
                    Stream(seed, Purpose::arrivals, macro_run), position, interarrivals
                );
                service->fill(Stream(seed, Purpose::service, macro_run), position, services);
                value = mm1_mean_response(interarrivals, services);
            }
        }};
}

SaturatedRun saturated_run(
    std::uint32_t macro_run, std::uint32_t replication, std::uint32_t processors, int completions
) {
    const Stream stream(seed + macro_run, Purpose::sizes, replication);
    std::uint64_t position = 0;
    const auto uniform = [&] {
        return unit_interval(stream.draw(position++));
    };
    const auto size = [&] {
        return 1 + static_cast<std::uint32_t>(uniform() * static_cast<double>(processors));
    };
    std::vector<std::uint32_t> running;
    std::uint32_t busy = 0;
    std::uint32_t head = size();
    SaturatedRun result;
    for (int i = 0; i < completions; ++i) {
        for (; busy + head <= processors; head = size()) {
            running.push_back(head);
            busy += head;
        }
        // The first of k exponential services ends after an exponential time of mean 1 / k.
        const double time = -logarithm(uniform()) / static_cast<double>(running.size());
        result.busy_area += time * busy;
        result.capacity_area += time * processors;
        const auto ends = static_cast<std::size_t>(uniform() * static_cast<double>(running.size()));
        busy -= running[ends];
        running[ends] = running.back();
        running.pop_back();
    }
    return result;
}

}  // namespace schedfarm::engine
