// Laws of single real numbers: sequential times, weights, parameters of a speedup. One uniform
// number gives one value, and a larger one never gives a smaller value. What a paper draws again
// beyond a limit is drawn once from what lies within, which is the same distribution. Immutable.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "engine/foundation/parameters.hpp"

namespace schedfarm::models {

class Distribution {
  public:
    Distribution() = default;
    Distribution(const Distribution&) = delete;
    Distribution& operator=(const Distribution&) = delete;
    virtual ~Distribution() = default;

    virtual double mean() const = 0;
    /// Puts the value of each number of (0, 1) in its place.
    virtual void map(std::span<double> uniforms) const = 0;

    double value(double uniform) const {
        map({&uniform, 1});
        return uniform;
    }
};

/// uniform {low, high}, log_uniform {low, high}, normal {mean, standard_deviation, low, high},
/// constant {value}; all values positive or 0.
const std::vector<engine::Alternative>& laws();

/// The choice with the defaults of its table filled in. REQUIRES: a choice that the table admits.
engine::Choice completed(
    const engine::Choice& choice, const std::vector<engine::Alternative>& table
);

/// A distribution with its parameters in the order of the table, the last ones by default.
engine::Choice distribution_choice(const std::string& name, const std::vector<double>& values);

/// A row of a table whose value is one of laws().
engine::ParameterDescription law_parameter(
    std::string name, std::string meaning, std::string unit, engine::Choice default_value
);

/// `processors`: what a high of 0 stands for. REQUIRES: a choice that laws() admits.
std::unique_ptr<const Distribution> make_distribution(
    const engine::Choice& choice, std::uint32_t processors
);

}  // namespace schedfarm::models
