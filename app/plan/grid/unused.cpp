#include "app/plan/grid/unused.hpp"

#include <algorithm>
#include <memory>
#include <variant>

#include <fmt/format.h>

#include "app/config/schema/schema.hpp"
#include "app/config/schema/uses.hpp"
#include "app/config/sections/value_reader.hpp"
#include "app/config/theory.hpp"
#include "app/config/yaml/suggestion.hpp"

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
    const SourcePosition& at, const std::string& path, const std::string& why_not
) {
    Written& written = written_[{at.file, at.line, at.column, path}];
    written.counts = written.counts || why_not.empty();
    written.problem = {
        at, path, fmt::format("'{}' {} (it would be ignored)", path, why_not), "Remove it?"};
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

void UnusedValues::add_permission(const CellSettings& settings, const Node& tree) {
    if (settings.allow_unstable == true) {
        add(nearest_position(tree, "allow_unstable"),
            "allow_unstable",
            settings.takes_load()
                ? ""
                : fmt::format("is not used by experiment '{}'", settings.experiment->name()));
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
void UnusedValues::check_campaign(const Node& campaign, Problems& problems) {
    for (const Use& use : uses()) {
        const Node* node = campaign.find(use.owner);
        if (node == nullptr || contains(variable_keys(), use.owner)) {
            continue;
        }
        const Section& own = section(use.owner);
        const Node* other = node->find(use.beside);
        const auto& row = own.row(use.beside);
        const std::string word = other != nullptr    ? other->scalar
                                 : row.default_value ? row.default_value->text()
                                                     : "";
        const bool counts = use.values.empty() ? other != nullptr && !asks_for_nothing(*other, row)
                                               : contains(use.values, word);
        for (const std::string& key : use.keys) {
            const Node* value = node->find(key);
            if (!counts && value != nullptr && !asks_for_nothing(*value, own.row(key))
                && value->at.file == campaign.at.file) {
                const std::string path = use.owner + "." + key;
                problems.add(
                    value->at,
                    path,
                    fmt::format(
                        "'{}' is not used where '{}' is {} (it would be ignored)",
                        path,
                        use.beside,
                        word
                    ),
                    "Remove it?"
                );
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
    if (settings.experiment) {
        add_sections(settings, tree);
        add_permission(settings, tree);
        if (settings.workload) {
            add_choice(
                "workload",
                settings.workload->choice,
                settings.workload->description->alternative.parameters,
                "workload",
                *settings.experiment,
                tree
            );
        }
        if (settings.policy) {
            const std::string& name = settings.policy->choice.name;
            add_choice(
                "policy",
                settings.policy->choice,
                settings.policy->description->alternative.parameters,
                "policy." + name,
                *settings.experiment,
                tree
            );
        }
    }
    if (!settings.experiment) {
        all_known_ = false;
        return;
    }
    const std::string experiment = settings.experiment->name();
    if (settings.takes_load()) {
        takes_load_ = true;
        return;
    }
    if (settings.is_open()) {
        without_load_ =
            fmt::format("workload '{}' with arrivals of its own", settings.workload->choice.name);
    } else {
        without_load_ = fmt::format("experiment '{}'", experiment);
        other_experiment_ = experiment;
    }
    if (settings.workload) {
        const auto& own = settings.workload->description->alternative.parameters;
        has_load_factor_ =
            has_load_factor_ || std::any_of(own.begin(), own.end(), [](const auto& row) {
                return row.name == "load_factor";
            });
    }
}

void UnusedValues::add_columns(const CellSettings& settings, const Cell& cell) {
    for (const engine::Choice& probe : settings.probes->choices) {
        if (resolve_metric(probe.name, cell.columns)) {
            observed_.insert(probe.name);
        }
    }
}

void UnusedValues::check(const Node& campaign, const Grid& grid, Problems& problems) const {
    check_load(grid, problems);
    if (problems.empty()) {
        check_pilot(grid, problems);
        check_probes(grid, problems);
        check_written(grid, problems);
        check_campaign(campaign, problems);
    }
}

void UnusedValues::check_load(const Grid& grid, Problems& problems) const {
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
                    has_load_factor_            ? "Vary 'workload.load_factor' in its place?"
                    : other_experiment_.empty() ? "Remove it, or zip it with 'workload'?"
                                                : "Remove it, or zip it with 'experiment'?"
                );
            }
        }
    }
    const Node::Entry* load = grid.base().find_entry("load");
    if (load != nullptr && !takes_load_ && load->at.file == grid.base().at.file) {
        problems.add(
            load->at,
            "load",
            fmt::format("'load' is not used by {} (it would be ignored)", without_load_),
            has_load_factor_ ? "Give 'workload.load_factor' in its place?" : "Remove it?"
        );
    }
}

void UnusedValues::check_pilot(const Grid& grid, Problems& problems) {
    const auto& factors = grid.factors();
    const bool is_used = std::any_of(factors.begin(), factors.end(), [](const Factor& factor) {
        return factor.is_placed();
    });
    const Node::Entry* pilot = grid.base().find_entry("pilot");
    if (pilot != nullptr && !is_used && pilot->at.file == grid.base().at.file) {
        problems.add(
            pilot->at,
            "pilot",
            "'pilot' is not used (no factor places loads by the saturation point)",
            "Remove it?"
        );
    }
}

void UnusedValues::check_probes(const Grid& grid, Problems& problems) const {
    const Node* probes = grid.base().find("probes");
    if (probes == nullptr) {
        return;
    }
    for (const Node& item : probes->items) {
        const std::string name = item.is_map() ? item.entries.front().key : item.scalar;
        if (!observed_.contains(name) && item.at.file == grid.base().at.file) {
            problems.add(
                item.at,
                "probes",
                fmt::format(
                    "probe '{}' is not observed in any cell (experiment '{}' has no such metric)",
                    name,
                    other_experiment_
                ),
                "Remove it?"
            );
        }
    }
}

}  // namespace schedfarm::app
