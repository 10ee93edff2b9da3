#include "app/campaign/keys/describe.hpp"

#include <set>
#include <utility>
#include <variant>

#include "engine/random/distribution.hpp"
#include "engine/simulation/measurement/probe.hpp"

#include "app/campaign/keys/catalogues.hpp"
#include "app/campaign/yaml/suggestion.hpp"

namespace schedfarm::app {

namespace {

using engine::Alternative;
using engine::ParameterDescription;
using engine::ParameterType;

std::string range_text(const ParameterDescription& row) {
    const std::string text = row.range.text();
    return text == "any" ? "" : " " + text;
}

/// "a, b or c"
std::string alternatives_text(const std::vector<Alternative>& alternatives) {
    std::vector<std::string> names = names_of(alternatives, &Alternative::name);
    return "one of " + joined(names);
}

AlternativeGroup models_group() {
    AlternativeGroup group{"models", "Workload models", {}};
    for (const engine::WorkloadModelDescription& model : registered_catalogues().models) {
        std::vector<std::string> kinds;
        for (const auto kind : model.experiments) {
            kinds.emplace_back(kind.name());
        }
        Alternative alternative = model.alternative;
        alternative.summary += " Experiments: " + joined(kinds) + ".";
        group.alternatives.push_back(std::move(alternative));
    }
    return group;
}

AlternativeGroup experiments_group() {
    AlternativeGroup group{"experiments", "Experiments", {}};
    for (const auto kind : engine::experiment_kinds()) {
        Alternative alternative;
        alternative.name = kind.name();
        alternative.summary = kind.summary();
        group.alternatives.push_back(std::move(alternative));
    }
    return group;
}

/// The alternatives of a parameter that are not in `known`, which then holds them. Models that take
/// jobs of another model admit nearly all of them.
std::vector<Alternative> unknown_alternatives(
    const ParameterDescription& row, std::set<std::string>& known
) {
    std::vector<Alternative> unknown;
    if (row.alternatives) {
        for (const Alternative& alternative : row.alternatives()) {
            if (known.insert(alternative.name).second) {
                unknown.push_back(alternative);
            }
        }
    }
    return unknown;
}

void add_further_alternatives(std::vector<AlternativeGroup>& groups) {
    std::set<std::string> known;
    for (const AlternativeGroup& group : groups) {
        for (const Alternative& alternative : group.alternatives) {
            known.insert(alternative.name);
        }
    }
    for (const engine::WorkloadModelDescription& model : registered_catalogues().models) {
        for (const ParameterDescription& row : model.alternative.parameters) {
            auto alternatives = unknown_alternatives(row, known);
            if (!alternatives.empty()) {
                const std::string heading =
                    "Further values of '" + row.name + "' (" + model.alternative.name + ")";
                groups.push_back({"distributions", heading, std::move(alternatives)});
            }
        }
    }
}

}  // namespace

std::vector<AlternativeGroup> documented_groups() {
    std::vector<AlternativeGroup> groups;
    groups.push_back({"policies", "Policies", registered_catalogues().policy_alternatives});
    groups.push_back(models_group());
    groups.push_back({"distributions", "Distributions of times", engine::time_distributions()});
    groups.push_back({"distributions", "Distributions of sizes", engine::size_distributions()});
    add_further_alternatives(groups);
    groups.push_back({"probes", "Probes", engine::probe_alternatives()});
    groups.push_back(experiments_group());
    return groups;
}

bool takes_words(const ParameterDescription& row) {
    return row.type == ParameterType::text && row.default_value
           && std::holds_alternative<engine::Value::List>(row.default_value->data());
}

std::string type_text(const ParameterDescription& row) {
    const std::string unit = row.unit.empty() ? "" : " (" + row.unit + ")";
    switch (row.type) {
        case ParameterType::boolean:
            return "true or false";
        case ParameterType::integer:
            return "integer" + range_text(row) + unit;
        case ParameterType::real:
            return "number" + range_text(row) + unit;
        case ParameterType::text:
            return row.words.empty() ? (takes_words(row) ? "text or a list of texts" : "text")
                                     : "one of " + joined(row.words);
        case ParameterType::integer_list:
            return "list of integers" + range_text(row) + unit;
        case ParameterType::real_list:
            return "list of numbers" + range_text(row) + unit;
        case ParameterType::choice_list:
            return "one or a list of: " + alternatives_text(row.alternatives()) + unit;
        case ParameterType::choice:
            break;
    }
    return alternatives_text(row.alternatives()) + unit;
}

std::string default_text(const ParameterDescription& row) {
    return row.default_value ? row.default_value->text() : "required";
}

}  // namespace schedfarm::app
