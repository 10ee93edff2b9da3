#include "app/campaign/grid/adjustments.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "app/campaign/grid/labels.hpp"
#include "app/campaign/keys/value_reader.hpp"
#include "app/campaign/yaml/value_node.hpp"

namespace schedfarm::app {

namespace {

/// A problem when a factor already varies what is set here.
bool expect_free(
    const Assignment& assignment,
    const char* verb,
    const std::vector<Factor>& factors,
    Problems& problems
) {
    if (!expect_variable(assignment.path, assignment.at, verb, problems)) {
        return false;
    }
    for (const Factor& factor : factors) {
        for (const std::string& path : factor.paths) {
            if (overlap(path, assignment.path)) {
                problems.add(
                    assignment.at,
                    assignment.path,
                    fmt::format(
                        "'{}' cannot be {} (factor '{}' varies it)",
                        assignment.path,
                        verb,
                        factor.name
                    ),
                    "Remove it in one of the two places."
                );
                return false;
            }
        }
    }
    return true;
}

std::vector<Assignment> assignments_of(const Node& map) {
    std::vector<Assignment> assignments;
    for (const Node::Entry& entry : map.entries) {
        assignments.push_back({entry.key, entry.at, entry.value});
    }
    return assignments;
}

void expect_comparable(
    const Assignment& condition, const std::vector<Factor>& factors, Problems& problems
) {
    for (const Factor& factor : factors) {
        if (factor.is_placed() && condition.path == factor.name) {
            problems.add(
                condition.at,
                "overrides.when",
                fmt::format(
                    "'{}' cannot be a condition (its values are placed by the program)",
                    condition.path
                ),
                "Use a list of loads instead."
            );
        }
    }
}

std::optional<Override> read_override(
    const Node& item, const std::vector<Factor>& factors, Problems& problems
) {
    expect_known_keys(item, {"when", "set"}, "overrides", problems);
    const Node* when = item.find("when");
    const Node* set = item.find("set");
    if (when == nullptr || set == nullptr || !when->is_map() || !set->is_map()
        || when->entries.empty() || set->entries.empty()) {
        problems.add(
            item.at,
            "overrides",
            "an override needs 'when' and 'set', both mappings with values",
            "Write {when: {policy: fcfs}, set: {horizon.jobs: 50000}}."
        );
        return std::nullopt;
    }
    Override result{item.at, assignments_of(*when), assignments_of(*set)};
    bool is_right = true;
    for (const Assignment& assignment : result.set) {
        is_right = expect_free(assignment, "overridden", factors, problems) && is_right;
    }
    for (const Assignment& condition : result.when) {
        expect_comparable(condition, factors, problems);
    }
    return is_right ? std::optional<Override>(std::move(result)) : std::nullopt;
}

bool is_equal(const Node& present, const Node& wanted) {
    const bool is_alternative = wanted.is_scalar() && present.is_map()
                                && present.entries.size() == 1
                                && present.entries.front().key == wanted.scalar;
    return is_alternative || json_text(present) == json_text(wanted);
}

bool has_label(const Level& level, const Node& wanted) {
    return level.label == plain_text(wanted)
           || (wanted.is_scalar() && level.label == wanted.scalar);
}

bool holds(const Assignment& condition, const std::vector<ChosenLevel>& levels, const Node& tree) {
    for (const ChosenLevel& chosen : levels) {
        if (chosen.factor->name == condition.path && has_label(*chosen.level, condition.value)) {
            return true;
        }
    }
    const Node* present = find_path(tree, condition.path);
    return present != nullptr && is_equal(*present, condition.value);
}

}  // namespace

bool applies(const Override& candidate, const std::vector<ChosenLevel>& levels, const Node& tree) {
    return std::all_of(
        candidate.when.begin(),
        candidate.when.end(),
        [&](const Assignment& condition) { return holds(condition, levels, tree); }
    );
}

std::vector<Override> read_overrides(
    const Node& list, const std::vector<Factor>& factors, Problems& problems
) {
    std::vector<Override> overrides;
    const char* const example = "Write [{when: {policy: fcfs}, set: {horizon.jobs: 50000}}].";
    expect_kind(list, Node::Kind::list, "overrides", example, problems);
    for (const Node& item : list.items) {
        if (auto candidate = read_override(item, factors, problems)) {
            overrides.push_back(std::move(*candidate));
        }
    }
    return overrides;
}

std::vector<Derived> read_derived(
    const Node& section, const std::vector<Factor>& factors, Problems& problems
) {
    std::vector<Derived> all;
    const char* const example = "Write {horizon.jobs: \"20000 * (1 + load.utilization)\"}.";
    expect_kind(section, Node::Kind::map, "derived", example, problems);
    for (const Node::Entry& entry : section.entries) {
        const bool is_free =
            expect_free({entry.key, entry.at, entry.value}, "derived", factors, problems);
        if (!entry.value->is_scalar()) {
            problems.add(
                entry.value->at,
                "derived." + entry.key,
                fmt::format("'{}' must be an expression, not {}", entry.key, what_is(entry.value)),
                "Write it as one text, in quotes."
            );
            continue;
        }
        Derived derived{entry.key, entry.at, entry.value->at, {}};
        derived.text.column += entry.value->style == Node::Style::quoted ? 1 : 0;
        try {
            derived.expression = engine::Expression::parse(entry.value->scalar);
        } catch (const engine::ExpressionError& error) {
            SourcePosition at = derived.text;
            at.column += static_cast<int>(error.offset());
            problems.add(at, "derived." + entry.key, error.what());
            continue;
        }
        if (is_free) {
            all.push_back(std::move(derived));
        }
    }
    return all;
}

}  // namespace schedfarm::app
