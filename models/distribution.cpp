#include "models/distribution.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "engine/foundation/elementary.hpp"
#include "engine/foundation/expect.hpp"
#include "engine/foundation/normal_quantiles.hpp"

#include "models/power_law.hpp"

namespace schedfarm::models {

namespace {

using engine::Alternative;
using engine::Choice;
using engine::ParameterProblem;
using engine::Parameters;
using engine::ParameterType;

/// Of a normal value, the least share that must lie between the limits.
constexpr double least_kept = 1e-3;

class Uniform final : public Distribution {
  public:
    Uniform(double low, double high) : low_(low), length_(high - low) {}

    double mean() const override { return low_ + 0.5 * length_; }
    void map(std::span<double> uniforms) const override {
        for (double& value : uniforms) {
            value = low_ + value * length_;
        }
    }

  private:
    double low_;
    double length_;
};

class LogUniform final : public Distribution {
  public:
    LogUniform(double low, double high) : distribution_(low, high, 0) {}

    double mean() const override { return distribution_.mean(); }
    void map(std::span<double> uniforms) const override {
        for (double& value : uniforms) {
            value = distribution_.value(value);
        }
    }

  private:
    PowerLaw distribution_;
};

double density(double z) {
    constexpr double inverse_root_two_pi = 0.39894228040143267794;
    return inverse_root_two_pi * engine::exponential(-0.5 * z * z);
}

/// µ + σ Z given that it lies between the limits.
class Normal final : public Distribution {
  public:
    explicit Normal(const Parameters& given)
        : location_(given.real("mean"))
        , deviation_(given.real("standard_deviation"))
        , low_(given.real("low"))
        , high_(
              given.real("high") > 0 ? given.real("high") : std::numeric_limits<double>::infinity()
          )
        , below_(engine::normal_probability((low_ - location_) / deviation_))
        , kept_(engine::normal_probability((high_ - location_) / deviation_) - below_) {}

    double kept() const { return kept_; }

    double mean() const override {
        const double a = density((low_ - location_) / deviation_);
        const double b = density((high_ - location_) / deviation_);
        return location_ + deviation_ * (a - b) / kept_;
    }
    void map(std::span<double> uniforms) const override {
        for (double& value : uniforms) {
            value = below_ + value * kept_;
        }
        engine::normal_quantiles(uniforms);
        for (double& value : uniforms) {
            value = std::clamp(location_ + deviation_ * value, low_, high_);
        }
    }

  private:
    double location_;
    double deviation_;
    double low_;
    double high_;
    double below_;
    double kept_;  ///< probability to lie between the limits
};

class Constant final : public Distribution {
  public:
    explicit Constant(double value) : value_(value) {}

    double mean() const override { return value_; }
    void map(std::span<double> uniforms) const override {
        std::fill(uniforms.begin(), uniforms.end(), value_);
    }

  private:
    double value_;
};

engine::ParameterDescription number(const char* name, const char* meaning, double low) {
    return {.name = name, .meaning = meaning, .range = {.low = low, .high = 1e12}};
}

std::vector<ParameterProblem> interval_problems(const Parameters& given) {
    if (given.real("low") < given.real("high")) {
        return {};
    }
    return {{"high", "it does not exceed low (there is nothing between)", "Give a larger number."}};
}

std::vector<ParameterProblem> normal_problems(const Parameters& given) {
    if (given.real("high") > 0 && given.real("high") <= given.real("low")) {
        return {
            {"high", "it does not exceed low (there is nothing between)", "Give a larger number."}};
    }
    if (Normal(given).kept() < least_kept) {
        return {
            {"mean",
             "less than one value in a thousand lies between low and high (their distribution is "
             "not known "
             "with any accuracy)",
             "Give limits nearer to the mean."}};
    }
    return {};
}

Alternative normal() {
    auto high = number("high", "values above are drawn again; 0: no limit", 0);
    high.default_value = 0.0;
    auto low = number("low", "values below are drawn again", 0);
    low.default_value = 0.0;
    auto deviation = number("standard_deviation", "before values are drawn again", 0);
    deviation.range.low_is_open = true;
    return {
        .name = "normal",
        .summary = "A normal value, drawn again while it lies outside the limits.",
        .parameters = {number("mean", "before values are drawn again", 0), deviation, low, high},
        .check = normal_problems};
}

}  // namespace

const std::vector<Alternative>& laws() {
    static const std::vector<Alternative> table{
        {.name = "uniform",
         .summary = "Uniform between two numbers.",
         .parameters = {number("low", "smallest value", 0), number("high", "largest value", 0)},
         .check = interval_problems},
        {.name = "log_uniform",
         .summary = "The logarithm is uniform.",
         .parameters =
             {number("low", "smallest value", 1e-12),
              number("high", "largest value; 0: as many as the system has processors", 0)},
         .check =
             [](const Parameters& given) {
                 return given.real("high") == 0 ? std::vector<ParameterProblem>{}
                                                : interval_problems(given);
             }},
        normal(),
        {.name = "constant",
         .summary = "Always the same.",
         .parameters = {number("value", "the value", 0)}}};
    return table;
}

Choice completed(const Choice& choice, const std::vector<Alternative>& table) {
    const auto found = std::find_if(table.begin(), table.end(), [&](const Alternative& known) {
        return known.name == choice.name;
    });
    SCHEDFARM_EXPECT(found != table.end(), "'" + choice.name + "' is not in the table");
    return {choice.name, with_defaults(found->parameters, choice.parameters)};
}

Choice distribution_choice(const std::string& name, const std::vector<double>& values) {
    const auto& table = laws();
    const auto distribution = std::find_if(
        table.begin(), table.end(), [&](const Alternative& known) { return known.name == name; }
    );
    SCHEDFARM_EXPECT(distribution != table.end(), "no distribution '" + name + "'");
    Choice choice{.name = name};
    for (std::size_t i = 0; i < values.size(); ++i) {
        choice.parameters.set(distribution->parameters.at(i).name, values[i]);
    }
    return completed(choice, table);
}

engine::ParameterDescription law_parameter(
    std::string name, std::string meaning, std::string unit, Choice default_value
) {
    return {
        .name = std::move(name),
        .meaning = std::move(meaning),
        .unit = std::move(unit),
        .type = ParameterType::choice,
        .default_value = std::move(default_value),
        .alternatives = laws};
}

std::unique_ptr<const Distribution> make_distribution(
    const Choice& choice, std::uint32_t processors
) {
    const Parameters given = completed(choice, laws()).parameters;
    if (choice.name == "uniform") {
        return std::make_unique<Uniform>(given.real("low"), given.real("high"));
    }
    if (choice.name == "log_uniform") {
        const double low = given.real("low");
        const double high = given.real("high") > 0 ? given.real("high") : processors;
        if (low >= high) {
            return std::make_unique<Constant>(low);
        }
        return std::make_unique<LogUniform>(low, high);
    }
    if (choice.name == "normal") {
        return std::make_unique<Normal>(given);
    }
    return std::make_unique<Constant>(given.real("value"));
}

}  // namespace schedfarm::models
