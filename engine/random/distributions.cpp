#include <algorithm>
#include <string>

#include "engine/foundation/expect.hpp"
#include "engine/random/distribution.hpp"
#include "engine/random/distribution_families.hpp"

namespace schedfarm::engine {

namespace {

const std::vector<TimeFamily>& time_families() {
    static const std::vector<TimeFamily> families{
        exponential_family(),
        deterministic_family(),
        erlang_family(),
        hyperexponential_family(),
        pareto_family(),
        bounded_pareto_family(),
        exponential_mixture_family(),
        lognormal_family(),
        weibull_family(),
        gamma_family(),
        truncated_normal_family(),
        empirical_family()};
    return families;
}

const std::vector<SizeFamily>& size_families() {
    static const std::vector<SizeFamily> families{
        uniform_family(), geometric_family(), weights_family(), values_family(), constant_family()};
    return families;
}

template <typename Family>
std::vector<Alternative> alternatives_of(const std::vector<Family>& families) {
    std::vector<Alternative> alternatives;
    alternatives.reserve(families.size());
    for (const Family& family : families) {
        alternatives.push_back(family.alternative);
    }
    return alternatives;
}

bool is_admissible(const ParameterDescription& row, const Value& value) {
    switch (row.type) {
        case ParameterType::integer:
        case ParameterType::real:
            return row.range.contains(value.as_real());
        case ParameterType::integer_list:
        case ParameterType::real_list: {
            const std::vector<double> elements = value.as_reals();
            return std::all_of(elements.begin(), elements.end(), [&](double element) {
                return row.range.contains(element);
            });
        }
        default:
            return true;
    }
}

/// Finds the family.
template <typename Family>
const Family& family_of(const std::vector<Family>& families, const Choice& choice) {
    const auto family = std::find_if(families.begin(), families.end(), [&](const Family& f) {
        return f.alternative.name == choice.name;
    });
    SCHEDFARM_EXPECT(family != families.end(), "no distribution '" + choice.name + "'");
    return *family;
}

/// Completes and checks the parameters; the campaign reader has told the user of every problem
/// before, so that one that is left is a defect of the program.
template <typename Family>
auto make_from(const std::vector<Family>& families, const Choice& choice) {
    const Family& family = family_of(families, choice);
    const Alternative& alternative = family.alternative;
    const Parameters parameters = with_defaults(alternative.parameters, choice.parameters);
    for (const ParameterDescription& row : alternative.parameters) {
        SCHEDFARM_EXPECT(
            is_admissible(row, parameters.at(row.name)),
            "parameter '" + row.name + "' of " + choice.text() + " is not " + row.range.text()
        );
    }
    if (alternative.check) {
        const std::vector<ParameterProblem> problems = alternative.check(parameters);
        SCHEDFARM_EXPECT(problems.empty(), choice.name + ": " + problems.front().reason);
    }
    return family.make(parameters);
}

}  // namespace

ParameterDescription mean_parameter() {
    return {
        .name = "mean",
        .meaning = "mean",
        .unit = "time",
        .default_value = 1.0,
        .range = {.low = 0.0, .high = 1e15, .low_is_open = true}};
}

ParameterDescription size_parameter(std::string name, std::string meaning) {
    return {
        .name = std::move(name),
        .meaning = std::move(meaning),
        .unit = "processors",
        .type = ParameterType::integer,
        .range = {.low = 1, .high = largest_size}};
}

const std::vector<Alternative>& time_distributions() {
    static const std::vector<Alternative> alternatives = alternatives_of(time_families());
    return alternatives;
}

std::unique_ptr<const TimeDistribution> make_time_distribution(const Choice& choice) {
    return make_from(time_families(), choice);
}

Tail tail_of(const Choice& time_distribution) {
    const TimeFamily& family = family_of(time_families(), time_distribution);
    return family.tail ? family.tail(
               with_defaults(family.alternative.parameters, time_distribution.parameters)
           )
                       : Tail{};
}

const std::vector<Alternative>& size_distributions() {
    static const std::vector<Alternative> alternatives = alternatives_of(size_families());
    return alternatives;
}

std::unique_ptr<const SizeDistribution> make_size_distribution(const Choice& choice) {
    return make_from(size_families(), choice);
}

}  // namespace schedfarm::engine
