#include "app/campaign/keys/sections/replication_reader.hpp"

#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "app/campaign/keys/metric_suggestion.hpp"
#include "app/campaign/keys/section_lists.hpp"
#include "app/campaign/keys/section_reader.hpp"
#include "app/campaign/keys/value_reader.hpp"
#include "app/campaign/keys/words.hpp"

namespace schedfarm::app {

namespace {

constexpr const char* confidence_meaning = "confidence level of all intervals";
constexpr const char* interval_meaning = "how intervals are computed";
constexpr const char* with_twins = "auto";
constexpr const char* method_meaning =
    "auto: means that grow with the queue take a twin as a control variate, a queue of one server "
    "under the same random numbers whose mean is known, where it pays; not given: plain";

const Section& fixed_section() {
    static const Section section =
        Section("replications", "A fixed number of replications; a bare number is `count`.")
            .integer("count", {1, 1e9}, "replications")
            .required("replications of every cell")
            .real("confidence", ranges::probability)
            .means(confidence_meaning, 0.95)
            .word("interval", all_words_of<engine::IntervalMethod>())
            .means(interval_meaning, "skew_adjusted")
            .word("method", {"plain", with_twins})
            .optional(method_meaning);
    return section;
}

/// One target, but for its metric: keys of `precision`, or of an item of `precision.targets`.
Section&& with_widths(Section&& section) {
    return std::move(section)
        .real("relative", ranges::probability)
        .means(
            "half-width relative to the mean; the default holds where `absolute` is not given", 0.05
        )
        .real("absolute", ranges::positive)
        .optional("or half-width in the metric's unit");
}

constexpr const char* metric_meaning =
    "what must be precise; a bare probe stands for its mean, `response_time.p95` for the quantile "
    "of all jobs of all replications";

const Section& target_section() {
    static const Section section =
        with_widths(Section("precision.targets", "").text("metric").required(metric_meaning));
    return section;
}

const Section& budget_section() {
    constexpr engine::Range many{1, 9007199254740992.0};  // 2^53
    static const Section section =
        Section(
            "precision.budget",
            "What a cell may cost at most, over all its replications; any one or several. "
            "Counts give the same results on any machine; core-hours do not, and a cell that "
            "they end is marked provisional."
        )
            .integer("replications", {1, 1e9}, "replications")
            .optional("replications")
            .integer("jobs", many, "jobs")
            .optional("jobs submitted")
            .integer("events", many, "events")
            .optional("events simulated")
            .real("core_hours", ranges::positive, "hours")
            .optional("time that the replications take");
    return section;
}

const Section& precision_section() {
    using Part = Section::Part::Kind;
    static const Section section =
        with_widths(
            Section(
                "precision",
                "Replications until the interval of each target is short enough; give this or "
                "`replications`. Decisions fall after `min` replications and then whenever there "
                "are 1.2 times as many. `rule: strict` decides by confidence sequences, which are "
                "right however often one looks, at 1.7 to 3.8 times the replications; `interval` "
                "is then `confidence_sequence` where it is not given."
            )
                .text("metric")
                .optional(metric_meaning)
        )
            .part("targets", Part::list, &target_section)
            .optional(
                "several targets, all of which must be met",
                "list of {metric, relative, absolute}; instead of the three keys above"
            )
            .real("confidence", ranges::probability)
            .means(confidence_meaning, 0.95)
            .word("rule", {"default", "strict"})
            .means("by what intervals a target is met", "default")
            .integer("min", {2, 1e9}, "replications")
            .means("replications before the first decision", 64)
            .integer("max", {2, 1e9}, "replications")
            .means("replications at most", 100000)
            .part("budget", Part::section, &budget_section)
            .optional("what a cell may cost at most", "section `precision.budget`")
            .word("interval", all_words_of<engine::IntervalMethod>())
            .means(interval_meaning, "skew_adjusted")
            .word("method", {"plain", with_twins})
            .optional(method_meaning);
    return section;
}

engine::IntervalMethod method_of(const engine::Parameters& written) {
    return word_as<engine::IntervalMethod>(written.text("interval"));
}

std::optional<ReplicationPlan> read_fixed(const Node& node, Problems& problems) {
    Node map = node;
    if (node.is_scalar()) {
        map = Node::map(node.at);
        map.entries.push_back({"count", node.at, node});
    }
    const auto written = read_section(&map, fixed_section(), node.at, problems);
    if (!written) {
        return std::nullopt;
    }
    const auto count = static_cast<std::uint64_t>(written->integer("count"));
    return ReplicationPlan{
        .limits = {count, count},
        .confidence = written->real("confidence"),
        .method = method_of(*written)};
}

/// The default of the relative width holds where no width is given.
MetricTarget target_of(const engine::Parameters& written, const Node& node) {
    MetricTarget target{.metric = written.text("metric")};
    target.target.absolute = real_in(written, "absolute");
    if (!target.target.absolute || node.find("relative") != nullptr) {
        target.target.relative = written.real("relative");
    }
    return target;
}

/// A list is in the place of the keys of one target.
std::optional<std::vector<MetricTarget>> targets_of(
    const engine::Parameters& written,
    const Node& node,
    const std::string& observed,
    Problems& problems
) {
    const Node* list = node.find("targets");
    if (list == nullptr && written.contains("metric")) {
        return std::vector{target_of(written, node)};
    }
    if (list == nullptr) {
        if (!problems.is_excused("precision.metric")) {
            problems.add(
                node.at,
                "precision.metric",
                missing_key_text(precision_section(), "metric"),
                fmt::format("Add 'metric: {}'.", observed)
            );
        }
        return std::nullopt;
    }
    for (const char* key : {"metric", "relative", "absolute"}) {
        refuse_key(
            node,
            key,
            std::string("precision.") + key,
            fmt::format("'precision.{}' beside 'precision.targets' (which would hold?)", key),
            "Move it into the targets.",
            problems
        );
    }
    if (!list->is_list() || list->items.empty()) {
        problems.add(
            list->at,
            "precision.targets",
            "'precision.targets' must be a list of targets, not "
                + (list->is_list() ? "an empty list" : what_is(*list)),
            fmt::format("Write [{}].", target_text(observed))
        );
        return std::nullopt;
    }
    std::vector<MetricTarget> targets;
    for (const engine::Parameters* target : sections_in(written, "targets")) {
        targets.push_back(target_of(*target, list->items[targets.size()]));
    }
    return targets;
}

std::optional<Budget> budget_of(
    const engine::Parameters& written, const Node& precision, Problems& problems
) {
    const engine::Parameters* given = section_in(written, "budget");
    if (given == nullptr) {
        return Budget{};
    }
    const Node& node = *precision.find("budget");
    if (node.entries.empty()) {
        problems.add(
            node.at,
            "precision.budget",
            "'precision.budget' limits nothing",
            "Write {jobs: 1e9}, or remove it."
        );
        return std::nullopt;
    }
    return Budget{
        .replications = count_in(*given, "replications"),
        .jobs = count_in(*given, "jobs"),
        .events = count_in(*given, "events"),
        .core_hours = real_in(*given, "core_hours")};
}

std::optional<ReplicationPlan> read_precision(
    const Node& node, const std::string& observed, Problems& problems
) {
    const auto written =
        read_section(&node, precision_section(), node.at, problems, {{"metric", observed}});
    if (!written) {
        return std::nullopt;
    }
    auto targets = targets_of(*written, node, observed, problems);
    const auto budget = budget_of(*written, node, problems);
    if (!targets || !budget) {
        return std::nullopt;
    }
    // Targets are met by the intervals that the report shows, but by rule strict by sequences.
    constexpr auto sequence = engine::IntervalMethod::confidence_sequence;
    const bool is_strict = says(*written, "rule", "strict");
    const bool is_sequence = is_strict && node.find("interval") == nullptr;
    ReplicationPlan plan{
        .targets = std::move(*targets),
        .limits =
            {static_cast<std::uint64_t>(written->integer("min")),
             static_cast<std::uint64_t>(written->integer("max"))},
        .budget = *budget,
        .confidence = written->real("confidence"),
        .method = is_sequence ? sequence : method_of(*written)};
    for (MetricTarget& target : plan.targets) {
        target.target.confidence = plan.confidence;
        target.target.method = is_strict ? sequence : plan.method;
    }
    const KeyWithCount min{"min", plan.limits.min};
    const KeyWithCount max{"max", plan.limits.max};
    return expect_in_order(node, "precision", min, max, "", problems) ? std::optional(plan)
                                                                      : std::nullopt;
}

}  // namespace

std::vector<Section> replication_sections() {
    return {fixed_section(), precision_section(), budget_section()};
}

std::string interval_name(engine::IntervalMethod method) {
    return words_of<engine::IntervalMethod>.at(static_cast<std::size_t>(method));
}

engine::IntervalMethod interval_called(const std::string& name) {
    return word_as<engine::IntervalMethod>(name);
}

bool asks_for_twins(const Node& cell) {
    const auto has_method = [&cell](const char* key) {
        const Node* method = find_path(cell, key);
        return method != nullptr && method->scalar == std::string(with_twins);
    };
    return has_method("precision.method") || has_method("replications.method");
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
            "Remove one."
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
            "Add 'replications: 100'."
        );
    }
    return std::nullopt;
}

}  // namespace schedfarm::app
