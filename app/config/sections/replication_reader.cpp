#include "app/config/sections/replication_reader.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "engine/foundation/expect.hpp"

#include "app/config/schema/schema.hpp"
#include "app/config/sections/metric_suggestion.hpp"
#include "app/config/sections/section_reader.hpp"
#include "app/config/sections/value_reader.hpp"

namespace schedfarm::app {

namespace {

using engine::Parameters;

const std::vector<std::string> target_keys{"metric", "relative", "absolute"};
const std::vector<std::string> common_keys{
    "confidence", "rule", "min", "max", "interval", "targets", "budget"};

engine::IntervalMethod method_of(const Parameters& parameters) {
    const auto& texts = interval_texts();
    return std::find_if(
               texts.begin(),
               texts.end(),
               [&](const IntervalText& text) { return parameters.text("interval") == text.name; }
    )->method;
}

std::optional<ReplicationPlan> read_fixed(const Node& node, Problems& problems) {
    Node map = node;
    if (node.is_scalar()) {
        map = Node::map(node.at);
        map.entries.push_back({"count", node.at, node});
    }
    const auto parameters = read_section(&map, "replications", node.at, problems);
    if (!parameters) {
        return std::nullopt;
    }
    ReplicationPlan plan;
    plan.limits.max = static_cast<std::uint64_t>(parameters->integer("count"));
    plan.limits.min = plan.limits.max;
    plan.confidence = parameters->real("confidence");
    plan.method = method_of(*parameters);
    return plan;
}

/// Reads metric, relative and absolute of one target.
std::optional<MetricTarget> read_target(
    const Node& node, const std::string& key_path, const std::string& observed, Problems& problems
) {
    std::vector<engine::ParameterDescription> table;
    for (const std::string& key : target_keys) {
        table.push_back(section("precision").row(key));
    }
    table[0].default_value.reset();
    KeyRules rules{.optional = {"absolute"}, .examples = {{"metric", observed}}};
    if (node.find("absolute") != nullptr) {
        table[1].default_value.reset();
        rules.optional.emplace_back("relative");
    }
    if (key_path == "precision") {
        rules.elsewhere = common_keys;
    }
    const auto parameters = read_parameters(&node, table, node.at, key_path, problems, rules);
    if (!parameters) {
        return std::nullopt;
    }
    MetricTarget target;
    target.metric = parameters->text("metric");
    if (parameters->contains("relative")) {
        target.target.relative = parameters->real("relative");
    }
    if (parameters->contains("absolute")) {
        target.target.absolute = parameters->real("absolute");
    }
    return target;
}

std::optional<std::vector<MetricTarget>> read_target_list(
    const Node& section_node, const Node& list, const std::string& observed, Problems& problems
) {
    for (const std::string& key : target_keys) {
        refuse_key(
            section_node,
            key,
            "precision." + key,
            fmt::format("'precision.{}' beside 'precision.targets' (which would hold?)", key),
            "Move it into the targets?",
            problems
        );
    }
    if (!list.is_list() || list.items.empty()) {
        problems.add(
            list.at,
            "precision.targets",
            "'precision.targets' must be a list of targets, not "
                + (list.is_list() ? "an empty list" : what_is(list)),
            fmt::format("Write [{}]?", target_text(observed))
        );
        return std::nullopt;
    }
    std::vector<MetricTarget> targets;
    for (const Node& item : list.items) {
        if (!item.is_map()) {
            problems.add(
                item.at,
                "precision.targets",
                "a target must be a mapping, not " + what_is(item),
                fmt::format("Write {}?", target_text(observed))
            );
        } else if (auto target = read_target(item, "precision.targets", observed, problems)) {
            targets.push_back(std::move(*target));
        }
    }
    const bool is_complete = targets.size() == list.items.size();
    return is_complete ? std::optional(std::move(targets)) : std::nullopt;
}

std::optional<std::vector<MetricTarget>> read_targets(
    const Node& node, const std::string& observed, Problems& problems
) {
    if (const Node* list = node.find("targets")) {
        return read_target_list(node, *list, observed, problems);
    }
    auto target = read_target(node, "precision", observed, problems);
    return target ? std::optional(std::vector{std::move(*target)}) : std::nullopt;
}

std::optional<Budget> read_budget(const Node& precision, Problems& problems) {
    const Node* node = precision.find("budget");
    if (node == nullptr) {
        return Budget{};
    }
    const auto parameters = read_section(node, "precision.budget", node->at, problems);
    if (!parameters) {
        return std::nullopt;
    }
    if (node->entries.empty()) {
        problems.add(
            node->at,
            "precision.budget",
            "'precision.budget' limits nothing",
            "Write {jobs: 1e9}, or remove it?"
        );
        return std::nullopt;
    }
    const auto count = [&](const char* key) {
        return parameters->contains(key)
                   ? std::optional(static_cast<std::uint64_t>(parameters->integer(key)))
                   : std::nullopt;
    };
    Budget budget{count("replications"), count("jobs"), count("events"), std::nullopt};
    if (parameters->contains("core_hours")) {
        budget.core_hours = parameters->real("core_hours");
    }
    return budget;
}

bool expect_limits_in_order(const Node& node, const ReplicationPlan& plan, Problems& problems) {
    if (plan.limits.min <= plan.limits.max) {
        return true;
    }
    const char* given = node.find("max") != nullptr ? "max" : "min";
    problems.add(
        node.find(given)->at,
        std::string("precision.") + given,
        fmt::format(
            "'precision.min' is {} but 'precision.max' is {}", plan.limits.min, plan.limits.max
        ),
        "Exchange them?"
    );
    return false;
}

/// Targets are met by the intervals that the report shows, but by rule strict by sequences.
void take_methods(const Node& node, const Parameters& common, ReplicationPlan& plan) {
    const bool is_strict = common.text("rule") == "strict";
    plan.method = is_strict && node.find("interval") == nullptr
                      ? engine::IntervalMethod::confidence_sequence
                      : method_of(common);
    for (MetricTarget& target : plan.targets) {
        target.target.confidence = plan.confidence;
        target.target.method =
            is_strict ? engine::IntervalMethod::confidence_sequence : plan.method;
    }
}

std::optional<ReplicationPlan> read_precision(
    const Node& node, const std::string& observed, Problems& problems
) {
    std::vector<std::string> elsewhere = target_keys;
    elsewhere.insert(elsewhere.end(), {"targets", "budget"});
    const auto common = read_section(&node, "precision", node.at, problems, elsewhere);
    if (!node.is_map() && !node.is_null()) {
        return std::nullopt;
    }
    auto targets = read_targets(node, observed, problems);
    auto budget = read_budget(node, problems);
    if (!common || !targets || !budget) {
        return std::nullopt;
    }
    ReplicationPlan plan;
    plan.targets = std::move(*targets);
    plan.budget = *budget;
    plan.limits.min = static_cast<std::uint64_t>(common->integer("min"));
    plan.limits.max = static_cast<std::uint64_t>(common->integer("max"));
    plan.confidence = common->real("confidence");
    take_methods(node, *common, plan);
    return expect_limits_in_order(node, plan, problems) ? std::optional(std::move(plan))
                                                        : std::nullopt;
}

}  // namespace

const std::vector<IntervalText>& interval_texts() {
    using engine::IntervalMethod;
    static const std::vector<IntervalText> texts{
        {IntervalMethod::skew_adjusted, "skew_adjusted"},
        {IntervalMethod::student_t, "student_t"},
        {IntervalMethod::confidence_sequence, "confidence_sequence"}};
    return texts;
}

std::string interval_name(engine::IntervalMethod method) {
    for (const IntervalText& text : interval_texts()) {
        if (text.method == method) {
            return text.name;
        }
    }
    SCHEDFARM_EXPECT(false, "an interval without a name");
}

std::optional<ReplicationPlan> read_replications(const Node& cell, Problems& problems) {
    const Node* fixed = cell.find("replications");
    const Node* precision = cell.find("precision");
    if (fixed != nullptr && precision != nullptr) {
        problems.add(
            fixed->at,
            "replications",
            "'replications' and 'precision' are both given (one says how many, the other until "
            "when)",
            "Remove one?"
        );
        return std::nullopt;
    }
    if (fixed != nullptr) {
        return read_fixed(*fixed, problems);
    }
    if (precision != nullptr) {
        return read_precision(*precision, observed_metric(cell), problems);
    }
    if (!problems.is_excused("replications") && !problems.is_excused("precision")) {
        problems.add(
            cell.at,
            "replications",
            "neither 'replications' nor 'precision' is given (a cell would never be finished)",
            "Add 'replications: 100'?"
        );
    }
    return std::nullopt;
}

}  // namespace schedfarm::app
