// The parts of the tables of distributions: each family describes itself and makes distributions
// from complete, checked parameters. For the .cpp files of distribution.hpp only.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "engine/foundation/parameters.hpp"
#include "engine/random/distribution.hpp"
#include "engine/random/tail.hpp"

namespace schedfarm::engine {

struct TimeFamily {
    Alternative alternative;
    std::function<std::unique_ptr<const TimeDistribution>(const Parameters&)> make;
    std::function<Tail(const Parameters&)> tail = {};  ///< empty: all moments are finite
};

struct SizeFamily {
    Alternative alternative;
    std::function<std::unique_ptr<const SizeDistribution>(const Parameters&)> make;
};

TimeFamily exponential_family();
TimeFamily deterministic_family();
TimeFamily erlang_family();
TimeFamily hyperexponential_family();
TimeFamily exponential_mixture_family();
TimeFamily lognormal_family();
TimeFamily weibull_family();
TimeFamily gamma_family();
TimeFamily pareto_family();
TimeFamily bounded_pareto_family();
TimeFamily truncated_normal_family();
TimeFamily empirical_family();

SizeFamily uniform_family();
SizeFamily geometric_family();
SizeFamily weights_family();
SizeFamily values_family();
SizeFamily constant_family();

/// The row `mean`, > 0, default 1, that most time distributions begin with.
ParameterDescription mean_parameter();

/// A row for a size from 1 to largest_size, without default.
ParameterDescription size_parameter(std::string name, std::string meaning);

/// Largest size of a component; tables of probabilities have that many entries.
inline constexpr int largest_size = 1'000'000;

}  // namespace schedfarm::engine
