#include "app/campaign/grid/unused.hpp"

#include <algorithm>
#include <memory>
#include <variant>

#include <fmt/format.h>

#include "app/campaign/checks/theory.hpp"
#include "app/campaign/keys/schema.hpp"
#include "app/campaign/keys/uses.hpp"
#include "app/campaign/keys/value_reader.hpp"
#include "app/campaign/yaml/suggestion.hpp"

namespace schedfarm::app {

namespace {

/// Whether a key is given as it would be without it, or so that it asks for nothing.
bool asks_for_nothing(const Node& node, const engine::ParameterDescription& row) {
    if (node.is_scalar() && node.scalar == "none") {
        return true;
    }
    Problems ignored;
    const auto value = read_value(node, row, row.name, ignored);
    const std::string text = value ? value->text() : node.scalar;
    return row.default_value && text == row.default_value->text();
}

bool is_default(const engine::Value& value, const engine::ParameterDescription& row) {
    return !row.default_value || value.text() == engine::with_defaults({row}).at(row.name).text();
}

/// The alternative of a row that a choice names; null: none.
const engine::Alternative* alternative_of(
    const engine::ParameterDescription& row, const engine::Choice& choice
) {
    if (!row.alternatives) {
        return nullptr;
    }
    const auto& all = row.alternatives();
    const auto found = std::find_if(all.begin(), all.end(), [&choice](const auto& each) {
        return each.name == choice.name;
    });
    return found == all.end() ? nullptr : &*found;
}

/// The choices that a value is or lists.
std::vector<const engine::Choice*> choices_in(const engine::Value& value) {
    std::vector<const engine::Choice*> found;
    using Held = std::shared_ptr<const engine::Choice>;
    if (const auto* choice = std::get_if<Held>(&value.data())) {
        found.push_back(choice->get());
    } else if (const auto* list = std::get_if<engine::Value::List>(&value.data())) {
        for (const engine::Value& item : *list) {
            if (const auto* inner = std::get_if<Held>(&item.data())) {
                found.push_back(inner->get());
            }
        }
    }
    return found;
}

}  // namespace

void UnusedValues::add(
    const SourcePosition& at,
    const std::string& path,
    const std::string& why_not,
    const char* suggestion
) {
    GivenValue& written = written_[{at.file, at.line, at.column, path}];
    written.counts = written.counts || why_not.empty();
    written.problem = {
        at, path, fmt::format("'{}' {} (it would be ignored)", path, why_not), suggestion};
}

void UnusedValues::add_sections(const CellSettings& settings, const Node& tree) {
    for (const Use& use : uses()) {
        const Node* node = find_path(tree, use.owner);
        if (node == nullptr || !node->is_map() || use.owner.find('.') != std::string::npos) {
            continue;
        }
        for (const std::string& key : use.keys) {
            const Node* value = node->find(key);
            const bool is_warm_up = key == "warm_up" && settings.experiment->starts_with_all();
            const bool says_something =
                value != nullptr
                && (is_warm_up ? value->scalar != "none"  // its default there
                               : !asks_for_nothing(*value, section(use.owner).row(key)));
            if (says_something) {
                add(value->at,
                    use.owner + "." + key,
                    why_unused(use, *settings.experiment, {}, section(use.owner).keys));
            }
        }
    }
}

void UnusedValues::add_choice(
    const std::string& kind,
    const engine::Choice& choice,
    const std::vector<engine::ParameterDescription>& table,
    const std::string& path,
    engine::ExperimentKind experiment,
    const Node& tree
) {
    for (const engine::ParameterDescription& row : table) {
        if (!choice.parameters.contains(row.name)) {
            continue;
        }
        const engine::Value& value = choice.parameters.at(row.name);
        const std::string own = path + "." + row.name;
        const auto rules = uses_of(kind + "." + choice.name, row.name);
        const bool is_ignored =
            kind == "policy" && !experiment.has_time() && row.name != "placement";
        if ((is_ignored || !rules.empty()) && !is_default(value, row)) {
            std::string why_not =
                is_ignored ? fmt::format("is not used by experiment '{}'", experiment.name()) : "";
            for (const Use* use : rules) {
                why_not = why_not.empty() ? why_unused(*use, experiment, choice.parameters, table)
                                          : why_not;
            }
            add(nearest_position(tree, own), own, why_not);
        }
        for (const engine::Choice* inner : choices_in(value)) {
            if (const auto* alternative = alternative_of(row, *inner)) {
                add_choice(
                    kind, *inner, alternative->parameters, own + "." + inner->name, experiment, tree
                );
            }
        }
    }
}

std::vector<std::string> UnusedValues::unused_paths() const {
    std::vector<std::string> paths;
    for (const auto& [place, written] : written_) {
        if (!written.counts) {
            paths.push_back(written.problem.key_path);
        }
    }
    return paths;
}

/// Sections that are not part of a cell.
void UnusedValues::add_campaign(const Node& campaign) {
    for (const Use& use : uses()) {
        const Node* node = campaign.find(use.owner);
        if (node == nullptr || contains(variable_keys(), use.owner)) {
            continue;
        }
        const Section& own = section(use.owner);
        const Node* other = node->find(use.beside);
        const auto& row = own.row(use.beside);
        const bool counts = other != nullptr && !asks_for_nothing(*other, row);
        const std::string word = other != nullptr ? other->scalar : row.default_value->text();
        for (const std::string& key : use.keys) {
            const Node* value = node->find(key);
            if (value != nullptr && !asks_for_nothing(*value, own.row(key))) {
                const std::string why = "is not used where '" + use.beside + "' is " + word;
                add(value->at, use.owner + "." + key, counts ? "" : why);
            }
        }
    }
}

void UnusedValues::check_written(const Grid& grid, Problems& problems) const {
    for (const auto& [place, written] : written_) {
        const bool is_excused = written.problem.position.file != grid.base().at.file
                                && !written.problem.key_path.starts_with("workload.")
                                && !written.problem.key_path.starts_with("policy.");
        if (!written.counts && !is_excused) {
            problems.add(
                written.problem.position,
                written.problem.key_path,
                written.problem.reason,
                written.problem.suggestion
            );
        }
    }
}

void UnusedValues::add_cell(const CellSettings& settings, const Node& tree) {
    if (!settings.experiment) {
        all_known_ = false;
        return;
    }
    add_sections(settings, tree);
    const auto add_named = [&](const auto& named, const char* kind, const std::string& path) {
        add_choice(
            kind,
            named->choice,
            named->description->alternative.parameters,
            path,
            *settings.experiment,
            tree
        );
    };
    if (settings.workload) {
        add_named(settings.workload, "workload", "workload");
    }
    if (settings.policy) {
        add_named(settings.policy, "policy", "policy." + settings.policy->choice.name);
    }
    const std::string experiment = fmt::format("experiment '{}'", settings.experiment->name());
    if (!settings.takes_load()) {
        without_load_ = settings.is_open() ? fmt::format(
                            "workload '{}' with arrivals of its own", settings.workload->choice.name
                        )
                                           : experiment;
        is_other_experiment_ = is_other_experiment_ || !settings.is_open();
        has_load_factor_ =
            has_load_factor_
            || (settings.workload && settings.workload->choice.parameters.contains("load_factor"));
    }
    if (const Node::Entry* load = tree.find_entry("load")) {
        add(load->at,
            "load",
            settings.takes_load() ? "" : "is not used by " + without_load_,
            has_load_factor_ ? "Give 'workload.load_factor' in its place." : "Remove it.");
    }
    if (settings.allow_unstable == true) {
        add(nearest_position(tree, "allow_unstable"),
            "allow_unstable",
            settings.takes_load() ? "" : "is not used by " + experiment);
    }
    if (const Node::Entry* pilot = tree.find_entry("pilot")) {
        add(pilot->at,
            "pilot",
            has_placed_loads_ ? "" : "is not used without loads below the saturation point");
    }
}

void UnusedValues::add_columns(const CellSettings& settings, const Cell& cell, const Node& tree) {
    const Node* probes = tree.find("probes");
    for (std::size_t i = 0; probes != nullptr && i < settings.probes->choices.size(); ++i) {
        const std::string& name = settings.probes->choices[i].name;
        add(probes->items[i]->at,
            "probes." + name,
            resolve_metric(name, cell.measures->columns)
                ? ""
                : fmt::format("is not observed by experiment '{}'", settings.experiment->name()));
    }
}

void UnusedValues::check(const Node& campaign, const Grid& grid, Problems& problems) {
    check_factors(grid, problems);
    if (problems.empty()) {
        add_campaign(campaign);
        check_written(grid, problems);
    }
}

/// Loads that are varied where a cell takes none.
void UnusedValues::check_factors(const Grid& grid, Problems& problems) const {
    if (without_load_.empty() || !all_known_) {
        return;
    }
    for (const Factor& factor : grid.factors()) {
        for (const std::string& path : factor.paths) {
            const bool varies_experiment = factor.paths.size() > 1;
            if (overlap(path, "load") && !varies_experiment) {
                problems.add(
                    factor.at,
                    path,
                    fmt::format(
                        "'{}' is varied but {} does not use it (its cells would be repeated)",
                        path,
                        without_load_
                    ),
                    has_load_factor_       ? "Vary 'workload.load_factor' in its place."
                    : is_other_experiment_ ? "Remove it, or zip it with 'experiment'."
                                           : "Remove it, or zip it with 'workload'."
                );
            }
        }
    }
}

}  // namespace schedfarm::app
