#include "app/config/sections/replication_reader.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "engine/foundation/expect.hpp"

#include "app/config/schema/section_lists.hpp"
#include "app/config/sections/cell_tables.hpp"
#include "app/config/sections/metric_suggestion.hpp"
#include "app/config/sections/section_reader.hpp"
#include "app/config/sections/value_reader.hpp"

namespace schedfarm::app {

namespace {

constexpr const char* confidence_meaning = "confidence level of all intervals";
constexpr const char* interval_meaning = "how intervals are computed";

const auto& fixed_table() {
    using T = ReplicationPlan;
    static const auto table =
        Table<T>("replications", "A fixed number of replications; a bare number is `count`.")
            .key(
                "count",
                nested(&T::limits, &engine::ReplicationLimits::max),
                {1, 1e9},
                "replications"
            )
            .required("replications of every cell")
            .key("confidence", &T::confidence, ranges::probability)
            .means(confidence_meaning)
            .key("interval", &T::method)
            .means(interval_meaning);
    return table;
}

/// One target: keys of `precision`, or of an item of `precision.targets`.
const auto& target_table() {
    using T = MetricTarget;
    static const auto table =
        Table<T>("precision.targets", "")
            .key("metric", &T::metric)
            .required(
                "what must be precise; a bare probe stands for its mean, `response_time.p95` for "
                "the quantile of all jobs of all replications"
            )
            .key(
                "relative",
                nested(&T::target, &engine::PrecisionTarget::relative),
                ranges::probability
            )
            .means(
                "half-width relative to the mean; the default holds where `absolute` is not "
                "given"
            )
            .by_default(0.05)
            .key(
                "absolute", nested(&T::target, &engine::PrecisionTarget::absolute), ranges::positive
            )
            .means("or half-width in the metric's unit");
    return table;
}

struct WrittenPrecision : ReplicationPlan {
    bool is_strict = false;
};

const auto& precision_table() {
    using T = WrittenPrecision;
    using Limits = engine::ReplicationLimits;
    static const auto table =
        Table<T>(
            "precision",
            "Replications until the interval of each target is short enough; give this or "
            "`replications`. Decisions fall after `min` replications and then whenever there "
            "are 1.2 times as many. `rule: strict` decides by confidence sequences, which are "
            "right however often one looks, at 1.7 to 3.8 times the replications; `interval` is "
            "then `confidence_sequence` where it is not given."
        )
            .parts_of(target_table())
            .part("targets", &T::targets)
            .optional(
                "several targets, all of which must be met",
                "list of {metric, relative, absolute}; instead of the three keys above"
            )
            .key("confidence", &T::confidence, ranges::probability)
            .means(confidence_meaning)
            .word("rule", &T::is_strict, {"default", "strict"})
            .means("by what intervals a target is met")
            .key("min", nested(&T::limits, &Limits::min), {2, 1e9}, "replications")
            .means("replications before the first decision")
            .key("max", nested(&T::limits, &Limits::max), {2, 1e9}, "replications")
            .means("replications at most")
            .part("budget", &T::budget)
            .optional("what a cell may cost at most", "section `precision.budget`")
            .key("interval", &T::method)
            .means(interval_meaning);
    return table;
}

std::optional<ReplicationPlan> read_fixed(const Node& node, Problems& problems) {
    Node map = node;
    if (node.is_scalar()) {
        map = Node::map(node.at);
        map.entries.push_back({"count", node.at, node});
    }
    auto plan = read_table(fixed_table(), &map, node.at, problems);
    if (plan) {
        plan->limits.min = plan->limits.max;
    }
    return plan;
}

/// Reads a target that stands in `precision` or, where that is another path, in a list of targets.
std::optional<MetricTarget> read_target(
    const Node& node, const std::string& key_path, const std::string& observed, Problems& problems
) {
    Section own = target_table().section();
    own.name = key_path;
    const Section& precision = precision_table().section();
    if (key_path == precision.name) {  // beside its other keys
        for (const std::string& name : key_names(precision.keys)) {
            if (!target_table().section().has(name)) {
                own.parts.push_back(name);
            }
        }
    }
    auto target =
        read_table(target_table(), &node, node.at, problems, {{"metric", observed}}, &own);
    if (target && node.find("absolute") != nullptr && node.find("relative") == nullptr) {
        target->target.relative.reset();
    }
    return target;
}

std::optional<std::vector<MetricTarget>> read_target_list(
    const Node& section_node, const Node& list, const std::string& observed, Problems& problems
) {
    for (const std::string& key : key_names(target_table().section().keys)) {
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
    const auto budget = read_table(table_of<Budget>(), node, node->at, problems);
    if (budget && node->entries.empty()) {
        problems.add(
            node->at,
            "precision.budget",
            "'precision.budget' limits nothing",
            "Write {jobs: 1e9}, or remove it?"
        );
        return std::nullopt;
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
void take_methods(const Node& node, WrittenPrecision& plan) {
    constexpr auto sequence = engine::IntervalMethod::confidence_sequence;
    if (plan.is_strict && node.find("interval") == nullptr) {
        plan.method = sequence;
    }
    for (MetricTarget& target : plan.targets) {
        target.target.confidence = plan.confidence;
        target.target.method = plan.is_strict ? sequence : plan.method;
    }
}

std::optional<ReplicationPlan> read_precision(
    const Node& node, const std::string& observed, Problems& problems
) {
    auto plan = read_table(precision_table(), &node, node.at, problems);
    if (!node.is_map() && !node.is_null()) {
        return std::nullopt;
    }
    auto targets = read_targets(node, observed, problems);
    const auto budget = read_budget(node, problems);
    if (!plan || !targets || !budget) {
        return std::nullopt;
    }
    plan->targets = std::move(*targets);
    plan->budget = *budget;
    take_methods(node, *plan);
    return expect_limits_in_order(node, *plan, problems) ? std::optional<ReplicationPlan>(*plan)
                                                         : std::nullopt;
}

}  // namespace

std::vector<Section> replication_sections() {
    return {fixed_table().section(), precision_table().section(), table_of<Budget>().section()};
}

std::string interval_name(engine::IntervalMethod method) {
    return words_of<engine::IntervalMethod>.at(static_cast<std::size_t>(method));
}

engine::IntervalMethod interval_called(const std::string& name) {
    const auto& words = words_of<engine::IntervalMethod>;
    const auto found = std::find(words.begin(), words.end(), name);
    SCHEDFARM_EXPECT(found != words.end(), "no interval is called '" + name + "'");
    return static_cast<engine::IntervalMethod>(found - words.begin());
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
