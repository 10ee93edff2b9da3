// The simulated machine as the campaign describes it.
#pragma once

#include <cstdint>
#include <numeric>
#include <vector>

namespace schedfarm::engine {

/// Processors first, …, first + count − 1 leave the machine or come back, all from the opposite
/// state.
struct CapacityChange {
    enum class Kind : std::uint8_t { down, up };
    double time = 0;
    std::uint32_t first_processor = 0;
    std::uint32_t count = 0;
    Kind kind = Kind::down;
};

/// Processors first, …, first + count − 1 are out of order at from <= t < until.
struct Outage {
    double from = 0;
    double until = 0;  ///< > from
    std::uint32_t first_processor = 0;
    std::uint32_t count = 0;
    double every = 0;         ///< > until − from: the same again and again; 0: once
    bool is_planned = false;  ///< policies that plan know of it ahead

    /// The outage number `k`, counted from 0, of those that come every so often.
    Outage repeated(double k) const {
        Outage again = *this;
        again.from += k * every;
        again.until += k * every;
        return again;
    }
};

/// Nodes fail independently of each other and of all else, and are all in order at time 0.
struct NodeFailures {
    /// Mean of the exponential times in order, from a repair to the next failure; 0: none fails.
    double mean_time_between_failures = 0;
    double mean_time_to_repair = 0;         ///< of the exponential times out of order
    std::uint32_t processors_per_node = 1;  ///< divides the processors of every cluster
};

/// What becomes of the jobs on processors that go out of order.
enum class RunningJobs : std::uint8_t {
    drain,  ///< they run to their end, and then their processors leave
    cut,    ///< they join the queue again, as if they came now, and have all their service to do
};

/// When which processors are out of order; one that is so for two reasons is back when both are
/// over.
struct Outages {
    std::vector<Outage> listed = {};
    NodeFailures failures = {};
    RunningJobs running = RunningJobs::drain;

    bool empty() const { return listed.empty() && failures.mean_time_between_failures == 0; }
    bool cut_jobs() const { return !empty() && running == RunningJobs::cut; }
};

struct SystemDescription {
    std::vector<std::uint32_t> clusters;  ///< processors of each cluster, in order
    double memory_per_processor = 0;      ///< 0: memory is not modelled
    Outages outages = {};

    std::uint32_t processors() const {
        return std::accumulate(clusters.begin(), clusters.end(), std::uint32_t{0});
    }
};

}  // namespace schedfarm::engine
