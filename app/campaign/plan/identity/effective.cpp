#include "app/campaign/plan/identity/effective.hpp"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <utility>
#include <vector>

#include "engine/simulation/measurement/probe.hpp"

#include "app/campaign/grid/any_policy.hpp"
#include "app/campaign/keys/metric_suggestion.hpp"
#include "app/campaign/keys/schema.hpp"
#include "app/campaign/keys/value_reader.hpp"
#include "app/campaign/yaml/merge.hpp"
#include "app/campaign/yaml/suggestion.hpp"
#include "app/campaign/yaml/value_node.hpp"

namespace schedfarm::app {

namespace {

using Row = engine::ParameterDescription;

/// Paths that factors, overrides or derived values refer to.
Names paths_referred_to(const Node& campaign, const Grid& grid) {
    Names paths;
    const auto add_keys = [&](const Node* map) {
        if (map != nullptr) {
            for (const Node::Entry& entry : map->entries) {
                paths.push_back(entry.key);
            }
        }
    };
    for (const Factor& factor : grid.factors()) {
        for (const std::string& path : factor.paths) {
            paths.push_back(parameter_of_any_policy(path) ? "policy" : path);
        }
    }
    add_keys(campaign.find("derived"));
    if (const Node* overrides = campaign.find("overrides")) {
        for (const Node& item : overrides->items) {
            add_keys(item.find("when"));
            add_keys(item.find("set"));
        }
    }
    return paths;
}

/// Puts in the defaults by the tables that also read the campaign. What factors, overrides or
/// derived values refer to is left as written, so that they find it unchanged.
class Completion {
  public:
    Completion(
        const Node& campaign, const Node& base, const Grid& grid, const Catalogues& catalogues
    )
        : campaign_(campaign)
        , base_(base)
        , catalogues_(catalogues)
        , grid_(grid)
        , referred_(paths_referred_to(campaign, grid)) {}

    Node tree(const Node& inputs) const {
        Node tree = Node::map({});
        for (const Row& row : campaign_section().keys) {
            const std::string& key = row.name;
            const Node* given = (contains(variable_keys(), key) ? base_ : campaign_).find(key);
            auto value = key == "inputs" ? inputs : value_of_key(row, given);
            const bool is_empty =
                value && (value->is_null() || (value->is_map() && value->entries.empty()));
            if (value && !is_empty) {
                add_entry(tree, key, std::move(*value));
            }
        }
        return tree;
    }

  private:
    /// Whether something refers to the path, to a part of it or to what it is part of.
    bool is_referred(const std::string& path) const {
        return std::any_of(referred_.begin(), referred_.end(), [&](const std::string& other) {
            return overlap(path, other);
        });
    }

    static std::optional<Node> copy_of(const Node* node) {
        return node == nullptr ? std::nullopt : std::optional(*node);
    }

    std::optional<Node> value_of_key(const Row& row, const Node* given) const {
        const std::string& key = row.name;
        const auto has_name = [&](const Section& each) {
            return each.name == key;
        };
        if (key == "name" || key == "description" || key == "time_unit") {
            return given == nullptr || given->scalar.empty() ? std::nullopt
                                                             : std::optional(quoted(given->scalar));
        }
        if (key == "workload") {
            return workload(given);
        }
        if (key == "policy" || key == "probes") {
            return given == nullptr || is_referred(key) ? copy_of(given) : choices(key, *given);
        }
        if (key == "factors") {
            return given == nullptr ? std::nullopt : std::optional(factors(*given));
        }
        if (key == "reference") {
            return given == nullptr ? std::nullopt : std::optional(reference(*given));
        }
        if (std::any_of(sections().begin(), sections().end(), has_name)) {
            return given != nullptr || is_everywhere(key)
                       ? std::optional(section_value(given, section(key)))
                       : std::nullopt;
        }
        return value(given, row, key);
    }

    /// Sections that every cell has are written with their defaults even where they are not given.
    bool is_everywhere(const std::string& key) const {
        const auto& factors = grid_.factors();
        const bool has_pilot = std::any_of(
            factors.begin(), factors.end(), [](const Factor& factor) { return factor.is_placed(); }
        );
        return key == "horizon" || key == "random_numbers" || (key == "pilot" && has_pilot);
    }

    /// A value in canonical form, or its default; absent where there is neither.
    std::optional<Node> value(const Node* given, const Row& row, const std::string& path) const {
        if (is_referred(path)) {
            return copy_of(given);
        }
        if (given == nullptr) {
            return row.default_value
                       ? std::optional(node_of(engine::with_defaults({row}).at(row.name)))
                       : std::nullopt;
        }
        Problems ignored;
        const auto value = read_value(*given, row, path, ignored);
        return value ? node_of(*value) : *given;
    }

    Node section_value(const Node* given, const Section& section) const {
        if (contains(referred_, section.name)) {
            return given == nullptr ? Node{} : *given;
        }
        if (given != nullptr && given->is_list()) {
            Node list = Node::list({}, {});
            for (const Node& item : given->items) {
                list.items.push_back(section_value(&item, section));
            }
            return list;
        }
        if (given != nullptr && given->is_scalar()) {  // replications: 10
            Node map = Node::map({});
            add_entry(map, section.keys.front().name, *given);
            return section_value(&map, section);
        }
        Node result = Node::map({});
        for (const Row& row : section.keys) {
            const Node* own = given == nullptr ? nullptr : given->find(row.name);
            const Section::Part* part = section.find_part(row.name);
            std::optional<Node> found;
            if (part == nullptr) {
                const bool is_there = own != nullptr || has_default(section.name, row.name, given);
                found = is_there ? value(own, row, section.name + "." + row.name) : std::nullopt;
            } else if (own != nullptr && !own->is_null()) {
                found = part->below == nullptr ? *own : section_value(own, part->below());
            }
            if (found) {
                add_entry(result, row.name, std::move(*found));
            }
        }
        return result;
    }

    /// Some defaults hold only where another key does not say otherwise (the sections' readers).
    bool has_default(const std::string& section, const std::string& key, const Node* given) const {
        const auto says = [&](const char* other) {
            return is_referred(section + "." + other)
                   || (given != nullptr && given->find(other) != nullptr);
        };
        if (key == "relative") {
            return !says("absolute") && !says("targets");
        }
        if (key == "interval" && section == "precision") {
            return !says("rule");
        }
        return key != "warm_up" || section != "horizon" || !warm_up_depends();
    }

    /// Whether the default of the warm-up is another one in some cell (horizon_reader.cpp).
    bool warm_up_depends() const {
        const auto experiment = experiment_of(base_);
        const Node* jobs = find_path(base_, "horizon.jobs");
        return !experiment || experiment->starts_with_all()
               || (jobs != nullptr && jobs->scalar == "all") || is_referred("experiment")
               || is_referred("horizon.jobs");
    }

    std::optional<Node> workload(const Node* given) const {
        const Node* name = given == nullptr ? nullptr : given->find("model");
        const auto* model = name == nullptr ? nullptr : catalogues_.find_model(name->scalar);
        if (model == nullptr || contains(referred_, "workload") || is_referred("workload.model")) {
            return copy_of(given);
        }
        Node workload = Node::map({});
        add_entry(workload, "model", *name);
        for (const Row& row : model->alternative.parameters) {
            if (auto found = value(given->find(row.name), row, "workload." + row.name)) {
                add_entry(workload, row.name, std::move(*found));
            }
        }
        return workload;
    }

    Node choices(const std::string& key, const Node& given) const {
        if (given.is_list()) {
            Node list = Node::list({}, {});
            for (const Node& item : given.items) {
                list.items.push_back(choices(key, item));
            }
            return list;
        }
        Problems ignored;
        const auto choice =
            key == "probes"
                ? read_probe(given, ignored)
                : read_choice(given, catalogues_.policy_alternatives, key, key, ignored);
        return choice ? node_of(*choice) : given;
    }

    /// As written; labels quoted, because a label is the text and not the number that it may be.
    static Node factors(const Node& written) {
        Node factors = written;
        for (Node::Entry& factor : factors.entries) {
            if (const Node* labels = factor.value->find("labels")) {
                Node texts = *labels;
                for (Tree& label : texts.items) {
                    label = quoted(label->scalar);
                }
                Node spec = factor.value;
                spec.find_entry("labels")->value = std::move(texts);
                factor.value = std::move(spec);
            }
        }
        return factors;
    }

    Node reference(const Node& written) const {
        namespace fs = std::filesystem;
        const fs::path name = referred_name(written.at.file, written.scalar);
        const fs::path folder = fs::path(campaign_.at.file).parent_path().lexically_normal();
        const fs::path shown = name.is_absolute() && !folder.is_absolute()
                                   ? name
                                   : name.lexically_relative(folder.empty() ? "." : folder);
        return quoted(shown.generic_string());
    }

    const Node& campaign_;
    const Node& base_;
    const Catalogues& catalogues_;
    const Grid& grid_;
    Names referred_;
};

}  // namespace

std::string effective_configuration(
    const Node& campaign,
    const Node& base,
    const Node& inputs,
    const Grid& grid,
    const Catalogues& catalogues
) {
    return json_lines(Completion(campaign, base, grid, catalogues).tree(inputs), "factors");
}

}  // namespace schedfarm::app
