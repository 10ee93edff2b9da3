#include "campaigns/config/replication_reader.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "campaigns/config/schema.hpp"
#include "campaigns/config/value_reader.hpp"

namespace schedfarm::campaigns {

namespace {

using engine::ParameterDescription;
using engine::Parameters;

/// The rows of a section's table with these names.
std::vector<ParameterDescription> rows_of(
    std::string_view section_name, const std::vector<std::string>& names
) {
    std::vector<ParameterDescription> rows;
    for (const ParameterDescription& row : section(section_name).keys) {
        if (std::find(names.begin(), names.end(), row.name) != names.end()) {
            rows.push_back(row);
        }
    }
    return rows;
}

engine::IntervalMethod method_of(const Parameters& parameters) {
    return parameters.text("interval") == "student_t" ? engine::IntervalMethod::student_t
                                                      : engine::IntervalMethod::skew_adjusted;
}

std::optional<ReplicationPlan> read_fixed(const Node& node, Problems& problems) {
    Node map = node;
    if (node.is_scalar()) {
        map = Node::map(node.at);
        map.entries.push_back({"count", node.at, node});
    }
    const auto parameters =
        read_parameters(&map, section("replications").keys, node.at, "replications", problems);
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
    const Node& node, const std::string& key_path, Problems& problems
) {
    std::vector<ParameterDescription> table =
        rows_of("precision", {"metric", "relative", "absolute"});
    for (ParameterDescription& row : table) {
        if (row.name == "metric") {
            row.default_value.reset();
        } else if (row.name == "relative" && node.find("absolute") != nullptr) {
            row.default_value = 0.0;
        }
    }
    const std::vector<std::string> others{"targets", "confidence", "min", "max", "interval"};
    const bool is_section = key_path == "precision";
    const auto parameters = read_parameters(
        &node, table, node.at, key_path, problems, is_section ? others : std::vector<std::string>()
    );
    if (!parameters) {
        return std::nullopt;
    }
    MetricTarget target;
    target.metric = parameters->text("metric");
    if (parameters->real("relative") > 0) {
        target.target.relative = parameters->real("relative");
    }
    if (parameters->real("absolute") > 0) {
        target.target.absolute = parameters->real("absolute");
    }
    return target;
}

std::optional<std::vector<MetricTarget>> read_target_list(
    const Node& section_node, const Node& list, Problems& problems
) {
    for (const char* key : {"metric", "relative", "absolute"}) {
        if (const Node::Entry* entry = section_node.find_entry(key)) {
            problems.add(
                entry->at,
                std::string("precision.") + key,
                fmt::format("'precision.{}' beside 'precision.targets' (which would hold?)", key),
                "Move it into the targets?"
            );
        }
    }
    if (!list.is_list() || list.items.empty()) {
        problems.add(
            list.at,
            "precision.targets",
            "'precision.targets' must be a list of targets, not "
                + (list.is_list() ? "an empty list" : what_is(list)),
            "Write [{metric: response_time, relative: 0.05}]?"
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
                "Write {metric: response_time, relative: 0.05}?"
            );
        } else if (auto target = read_target(item, "precision.targets", problems)) {
            targets.push_back(std::move(*target));
        }
    }
    const bool is_complete = targets.size() == list.items.size();
    return is_complete ? std::optional(std::move(targets)) : std::nullopt;
}

std::optional<ReplicationPlan> read_precision(const Node& node, Problems& problems) {
    const auto common = read_parameters(
        &node,
        rows_of("precision", {"confidence", "min", "max", "interval"}),
        node.at,
        "precision",
        problems,
        {"metric", "relative", "absolute", "targets"}
    );
    if (!node.is_map()) {
        return std::nullopt;
    }
    ReplicationPlan plan;
    if (const Node* list = node.find("targets")) {
        auto targets = read_target_list(node, *list, problems);
        plan.targets = targets ? std::move(*targets) : std::vector<MetricTarget>();
    } else if (auto target = read_target(node, "precision", problems)) {
        plan.targets.push_back(std::move(*target));
    }
    if (!common || plan.targets.empty()) {
        return std::nullopt;
    }
    plan.limits.min = static_cast<std::uint64_t>(common->integer("min"));
    plan.limits.max = static_cast<std::uint64_t>(common->integer("max"));
    plan.confidence = common->real("confidence");
    plan.method = method_of(*common);
    if (plan.limits.min > plan.limits.max) {
        const char* given = node.find("max") != nullptr ? "precision.max" : "precision.min";
        problems.add(
            find_path(node, path_parts(given).back())->at,
            given,
            fmt::format(
                "'precision.min' is {} but 'precision.max' is {}", plan.limits.min, plan.limits.max
            ),
            "Exchange them?"
        );
        return std::nullopt;
    }
    for (MetricTarget& target : plan.targets) {
        target.target.confidence = plan.confidence;
        target.target.method = plan.method;
    }
    return plan;
}

}  // namespace

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
        return read_precision(*precision, problems);
    }
    if (!problems.is_excused("replications") && !problems.is_excused("precision")) {
        problems.add(
            {cell.at.file, 0, 0},
            "replications",
            "neither 'replications' nor 'precision' is given (a cell would never be finished)",
            "Add 'replications: 100'?"
        );
    }
    return std::nullopt;
}

}  // namespace schedfarm::campaigns
