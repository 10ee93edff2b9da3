#include "app/campaign/grid/grid.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "app/campaign/grid/any_policy.hpp"
#include "app/campaign/keys/schema.hpp"
#include "app/campaign/keys/value_reader.hpp"
#include "app/campaign/yaml/numbers.hpp"
#include "app/campaign/yaml/suggestion.hpp"

namespace schedfarm::app {

namespace {

/// Keys of the campaign that are not part of a cell.
bool is_common(const std::string& key) {
    const std::vector<std::string> known = key_names(campaign_section().keys);
    const std::vector<std::string>& variable = variable_keys();
    return contains(known, key) && !contains(variable, key);
}

/// What was computed, as a campaign would write it: 32400.000000000004 is 32400.
std::string computed_text(double value) {
    const double whole = std::floor(value + 0.5);
    const bool is_whole = std::abs(value - whole) <= 1e-12 * std::abs(value);
    return number_text(is_whole ? whole : value);
}

/// Loads placed by the program are rounded to four digits, so that tables can show them exactly.
std::string placed_text(double utilization) {
    return fmt::format("{:.4g}", utilization);
}

/// Factors with a number, and what stands beside the path with one.
std::vector<std::string> numbers_near(const GridCell& cell, const std::string& path) {
    std::vector<std::string> names;
    for (const FactorLevel& level : cell.levels) {
        if (level.number) {
            names.push_back(level.factor);
        }
    }
    const std::string section = path.substr(0, path.rfind('.'));
    if (const Node* node = find_path(cell.tree, section)) {
        for (const Node::Entry& entry : node->entries) {
            if (entry.value->is_scalar() && parse_real(entry.value->scalar)) {
                names.push_back(section + "." + entry.key);
            }
        }
    }
    return names;
}

}  // namespace

Grid::Grid(const Node& campaign, const Catalogues& catalogues, Theory& theory, Problems& problems)
    : catalogues_(catalogues), theory_(theory), problems_(problems), base_(campaign) {
    base_.entries.erase(
        std::remove_if(
            base_.entries.begin(),
            base_.entries.end(),
            [](const Node::Entry& entry) { return is_common(entry.key); }
        ),
        base_.entries.end()
    );
    if (const Node* factors = campaign.find("factors")) {
        if (!factors->is_null()) {
            const char* const example = "Write {policy: [fcfs, sjf]}.";
            expect_kind(*factors, Node::Kind::map, "factors", example, problems_);
        }
        factors_ = read_factors(*factors, problems_);
    }
    if (const Node* overrides = campaign.find("overrides")) {
        overrides_ = read_overrides(*overrides, factors_, problems_);
        used_.assign(overrides_.size(), false);
    }
    if (const Node* derived = campaign.find("derived")) {
        derived_ = read_derived(*derived, factors_, problems_);
    }
    drop_varied_values();
    count_cells();
}

/// A value that every cell replaces would be ignored: a mistake in the same file, meant in an
/// included one.
void Grid::drop_varied_values() {
    for (const Factor& factor : factors_) {
        for (const std::string& path : factor.paths) {
            expect_some_policy(factor, path);
            const Node* value = find_path(base_, path);
            if (value != nullptr && value->at.file == factor.at.file) {
                problems_.add(
                    value->at,
                    path,
                    fmt::format(
                        "'{}' is given here and varied by factor '{}' (this value would be "
                        "ignored)",
                        path,
                        factor.name
                    ),
                    "Remove one."
                );
            }
            erase_path(base_, path);
        }
    }
}

void Grid::expect_some_policy(const Factor& factor, const std::string& path) {
    const auto parameter = parameter_of_any_policy(path);
    const auto& known = catalogues_.policies;
    const auto has_it = [&](const engine::PolicyDescription& policy) {
        return has_parameter(policy, *parameter);
    };
    if (parameter && std::none_of(known.begin(), known.end(), has_it)) {
        problems_.add(
            factor.at,
            path,
            fmt::format("no policy has a parameter '{}' (the factor would do nothing)", *parameter),
            "See schedfarm list policies"
        );
    }
}

void Grid::count_cells() {
    for (const Factor& factor : factors_) {
        if (factor.levels.size() > most_cells / size_) {
            problems_.add(
                factor.at,
                factor.name,
                fmt::format("more than {} cells (the factors' levels multiply)", most_cells),
                "Use fewer levels, or several campaigns."
            );
            problems_.throw_if_any();
        }
        size_ *= factor.levels.size();
    }
}

std::string Grid::where(std::size_t index) const {
    return size_ == 1 ? "" : fmt::format(" in cell {}", index);
}

std::vector<ChosenLevel> Grid::choose(std::size_t index) const {
    std::vector<ChosenLevel> chosen(factors_.size());
    for (std::size_t i = factors_.size(); i-- > 0;) {
        const std::size_t count = factors_[i].levels.size();
        chosen[i] = {&factors_[i], &factors_[i].levels[index % count]};
        index /= count;
    }
    return chosen;
}

void Grid::assign(Node& tree, const Assignment& assignment) {
    const auto obstacle = set_path(tree, assignment.path, assignment.value, assignment.at);
    if (obstacle) {
        problems_.add(
            assignment.at,
            assignment.path,
            fmt::format(
                "'{}' cannot be set because '{}' is {}",
                assignment.path,
                *obstacle,
                what_is(*find_path(tree, *obstacle))
            ),
            "Write its parameters by name, {name: {parameter: value}}."
        );
    }
}

void Grid::assign_for_policy(Node& tree, const Assignment& assignment) {
    const auto parameter = parameter_of_any_policy(assignment.path);
    const auto path = parameter ? path_for_policy(*parameter, tree, catalogues_) : std::nullopt;
    if (path) {
        assign(tree, {*path, assignment.at, assignment.value});
    }
}

std::set<std::string> Grid::apply_overrides(Node& tree, const std::vector<ChosenLevel>& chosen) {
    std::set<std::string> set;
    const Node unchanged = overrides_.empty() ? Node{} : tree;
    for (std::size_t i = 0; i < overrides_.size(); ++i) {
        if (!applies(overrides_[i], chosen, unchanged)) {
            continue;
        }
        used_[i] = true;
        for (const Assignment& assignment : overrides_[i].set) {
            assign(tree, assignment);
            set.insert(assignment.path);
        }
    }
    return set;
}

GridCell Grid::cell(std::size_t index) {
    GridCell cell{base_, {}, {}};
    const std::vector<ChosenLevel> chosen = choose(index);
    for (const ChosenLevel& level : chosen) {
        cell.levels.push_back({level.factor->name, level.level->label, level.level->number});
        for (const Assignment& assignment : level.level->sets) {
            if (!parameter_of_any_policy(assignment.path)) {
                assign(cell.tree, assignment);
            }
        }
    }
    for (const ChosenLevel& level : chosen) {
        for (const Assignment& assignment : level.level->sets) {
            assign_for_policy(cell.tree, assignment);
        }
    }
    const std::set<std::string> overridden = apply_overrides(cell.tree, chosen);
    for (std::size_t i = 0; i < chosen.size(); ++i) {
        if (chosen[i].level->saturation_fraction) {
            place_load(cell, chosen[i], i);
        }
    }
    for (const Derived& derived : derived_) {
        if (!overridden.contains(derived.path)) {
            derive(cell, derived, index);
        }
    }
    return cell;
}

/// By the exact saturation point where it is known, else later, by an estimated one.
void Grid::place_load(GridCell& cell, const ChosenLevel& chosen, std::size_t position) {
    Problems ignored;  // the cell's own check tells what is wrong with it
    const CellSettings settings = read_cell(cell.tree, catalogues_, known_, ignored);
    problems_.excuse("load");
    problems_.excuse("load.utilization");
    if (!settings.workload || !settings.system || !settings.policy) {
        return;
    }
    FactorLevel& level = cell.levels[position];
    const auto limit = theory_.maximal_utilization(settings);
    if (!limit) {
        const auto fraction = parse_real(chosen.level->label);
        cell.estimated_load = EstimatedLoad{*fraction, chosen.factor->spec_at};
        level.label = saturation_label(*chosen.level);
        level.number.reset();
        return;
    }
    const std::string text = placed_text(*chosen.level->saturation_fraction * limit->value);
    assign(
        cell.tree,
        {chosen.factor->name, chosen.factor->at, Node::text(text, chosen.factor->spec_at)}
    );
    level.label = text;
    level.number = parse_real(text);
}

void Grid::derive(GridCell& cell, const Derived& derived, std::size_t index) {
    const auto lookup = [&](const std::string& path) -> std::optional<double> {
        for (const FactorLevel& level : cell.levels) {
            if (level.factor == path && level.number) {
                return level.number;
            }
        }
        const Node* node = find_path(cell.tree, path);
        return node != nullptr && node->is_scalar() ? parse_real(node->scalar) : std::nullopt;
    };
    try {
        const double value = derived.expression.evaluate(lookup);
        assign(
            cell.tree, {derived.path, derived.at, Node::text(computed_text(value), derived.text)}
        );
    } catch (const engine::ExpressionError& error) {
        SourcePosition at = derived.text;
        at.column += static_cast<int>(error.offset());
        const std::string& asked = error.unknown();
        const auto nearest =
            asked.empty() ? std::nullopt : nearest_name(asked, numbers_near(cell, asked));
        const std::string suggestion = nearest ? "Did you mean '" + *nearest + "'?" : "";
        problems_.add_once(
            "derived", {at, "derived." + derived.path, error.what() + where(index), suggestion}
        );
        problems_.excuse(derived.path);
    }
}

/// What a condition that no cell fulfils may have meant.
std::string Grid::condition_suggestion(const Assignment& condition) const {
    std::vector<std::string> names;
    for (const Factor& factor : factors_) {
        names.push_back(factor.name);
        if (factor.name == condition.path && factor.is_placed()) {
            return "";
        }
        if (factor.name == condition.path && condition.value->is_scalar()) {
            std::vector<std::string> labels = names_of(factor.levels, &Level::label);
            const auto found = std::find(labels.begin(), labels.end(), condition.value->scalar);
            return found == labels.end() ? name_suggestion(condition.value->scalar, labels) : "";
        }
    }
    const bool is_known = find_path(base_, condition.path) != nullptr;
    return is_known ? "" : name_suggestion(condition.path, names);
}

void Grid::expect_overrides_used() {
    for (std::size_t i = 0; i < overrides_.size(); ++i) {
        if (used_[i]) {
            continue;
        }
        std::string suggestion;
        for (const Assignment& condition : overrides_[i].when) {
            suggestion = suggestion.empty() ? condition_suggestion(condition) : suggestion;
        }
        problems_.add(
            overrides_[i].at,
            "overrides",
            "no cell has what 'when' asks for (this override would be ignored)",
            suggestion
        );
    }
}

}  // namespace schedfarm::app
