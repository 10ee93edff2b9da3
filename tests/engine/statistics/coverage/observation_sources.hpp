// Sources of independent observations whose expectation is known, for coverage experiments.
// Observation i of a macro-run is a pure function of (macro-run, i).
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>

namespace schedfarm::engine {

struct ObservationSource {
    std::string name;
    double mean = 0;
    /// Observations first, first + 1, … of the macro-run.
    std::function<void(std::uint32_t macro_run, std::uint64_t first, std::span<double> out)> fill;
};

ObservationSource normal_source();            ///< mean 1, standard deviation 1
ObservationSource exponential_source();       ///< mean 1
ObservationSource lognormal_source();         ///< mean 1, sigma 1
ObservationSource hyperexponential_source();  ///< mean 1, coefficient of variation 2.2

/// The mean response time of the first 200 customers of an M/M/1 queue, from empty, service 1.
ObservationSource mm1_source(double utilization);

/// A saturated FCFS system of `processors` processors, job sizes uniform on 1 … processors,
/// exponential service of mean 1: busy area and capacity area of `completions` completions.
struct SaturatedRun {
    double busy_area = 0;
    double capacity_area = 0;
};
SaturatedRun saturated_run(
    std::uint32_t macro_run, std::uint32_t replication, std::uint32_t processors, int completions
);

}  // namespace schedfarm::engine
