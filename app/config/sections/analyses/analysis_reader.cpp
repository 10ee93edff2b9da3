#include "app/config/sections/analyses/analysis_reader.hpp"

#include <fmt/format.h>

#include "app/config/schema/section_lists.hpp"
#include "app/config/sections/metric_suggestion.hpp"
#include "app/config/sections/section_reader.hpp"

namespace schedfarm::app {

namespace {

struct WrittenComparison : ComparisonRequest {
    std::optional<double> relative;
    std::optional<double> absolute;
};

const auto& comparison_table() {
    using T = WrittenComparison;
    static const auto table =
        Table<T>(
            "comparison",
            "Paired differences between the levels of a factor, in every group of cells that "
            "agree in all other factors, with Holm's adjustment over all of them. With "
            "`relative` or `absolute` the cells of a group go on together, within the limits "
            "of their `precision`, until every difference is that precise."
        )
            .key("factor", &T::factor)
            .required("whose levels are compared")
            .key("metric", &T::metric)
            .required("what is compared; a bare probe stands for its mean")
            .key("baseline", &T::baseline)
            .means(
                "label of the level that the others are compared with",
                "label of a level; default: every pair is compared"
            )
            .key("confidence", &T::confidence, ranges::probability)
            .means("confidence level of all verdicts together")
            .key("relative", &T::relative, ranges::probability)
            .means("half-width of every difference, relative to the mean of the second cell")
            .key("absolute", &T::absolute, ranges::positive)
            .means("or half-width of every difference in the metric's unit");
    return table;
}

const auto& selection_table() {
    using T = SelectionRequest;
    using Rule = engine::SelectionSettings;
    static const auto table =
        Table<T>(
            "selection",
            "Which level of a factor is best, in every group of cells that agree in all other "
            "factors; in place of `replications` and `precision`. KN (Kim & Nelson 2001) "
            "eliminates one by one and gains by common random numbers: with the confidence "
            "given it selects the best level, if that is better than every other by "
            "`indifference` or more; of closer ones nothing is proven."
        )
            .key("factor", &T::factor)
            .required("whose best level is selected")
            .key("metric", &T::metric)
            .required("by what it is judged; a bare probe stands for its mean")
            .word("best", nested(&T::rule, &Rule::best), {"smallest", "largest"})
            .required("which mean is the best")
            .key("indifference", nested(&T::rule, &Rule::indifference), ranges::positive)
            .required("a difference that does not matter, in the metric's unit")
            .key("confidence", nested(&T::rule, &Rule::confidence), ranges::probability)
            .means("probability of a right selection")
            .key("first_stage", nested(&T::rule, &Rule::first_stage), {2, 1e9}, "replications")
            .means("replications of every cell at first")
            .key("round", nested(&T::rule, &Rule::round), {1, 1e9}, "replications")
            .means("replications of every surviving cell in a round")
            .key("max", nested(&T::rule, &Rule::max), {2, 1e9}, "replications")
            .means("replications of a cell at most");
    return table;
}

const auto& control_table() {
    using T = ControlRequest;
    static const auto table =
        Table<T>(
            "control_variates",
            "A further estimate of a metric, corrected by what was measured of quantities "
            "whose means are known."
        )
            .key("metric", &T::metric)
            .required("what is estimated; a bare probe stands for its mean")
            .key("controls", &T::controls)
            .required(
                "probes whose means the workload model knows",
                "list of `service_time`, `job_size`, `interarrival_time`, all among `probes`"
            );
    return table;
}

std::optional<ComparisonRequest> read_comparison(
    const Node& node, const Examples& examples, Problems& problems
) {
    auto written = read_table(comparison_table(), &node, node.at, problems, examples);
    if (written && (written->relative || written->absolute)) {
        written->target = engine::PrecisionTarget{
            .relative = written->relative,
            .absolute = written->absolute,
            .confidence = written->confidence,
            .method = engine::IntervalMethod::student_t};
    }
    return written ? std::optional<ComparisonRequest>(*written) : std::nullopt;
}

/// A cap below the first stage would end every selection before it begins.
bool expect_stages_in_order(
    const Node& node, const engine::SelectionSettings& rule, Problems& problems
) {
    if (rule.first_stage <= rule.max) {
        return true;
    }
    const char* given = node.find("max") != nullptr ? "max" : "first_stage";
    problems.add(
        node.find(given)->at,
        std::string("selection.") + given,
        fmt::format(
            "'selection.first_stage' is {} but 'selection.max' is {} (nothing could be selected)",
            rule.first_stage,
            rule.max
        ),
        "Exchange them?"
    );
    return false;
}

std::optional<SelectionRequest> read_selection(
    const Node& node, const Examples& examples, Problems& problems
) {
    auto settings = read_table(selection_table(), &node, node.at, problems, examples);
    const bool is_right = settings && expect_stages_in_order(node, settings->rule, problems);
    return is_right ? settings : std::nullopt;
}

std::optional<ControlRequest> read_control_variates(
    const Node& node, const Examples& examples, Problems& problems
) {
    auto settings = read_table(control_table(), &node, node.at, problems, examples);
    const Node* list = node.find("controls");
    if (settings && (list == nullptr || (list->is_list() && list->items.empty()))) {
        problems.add(
            list == nullptr ? node.at : list->at,
            "control_variates.controls",
            fmt::format(
                "'control_variates.controls' {} ({})",
                list == nullptr ? "is missing" : "is empty",
                control_table().section().row("controls").meaning
            ),
            "Write [service_time]?"
        );
        return std::nullopt;
    }
    return settings;
}

}  // namespace

std::vector<Section> analysis_sections() {
    return {comparison_table().section(), selection_table().section(), control_table().section()};
}

AnalysisRequests read_analyses(const Node& campaign, Problems& problems) {
    const Examples examples{{"metric", compared_metric(campaign)}};
    AnalysisRequests settings;
    if (const Node* node = campaign.find("comparison")) {
        settings.comparison = read_comparison(*node, examples, problems);
    }
    if (const Node* node = campaign.find("selection")) {
        problems.excuse("replications");
        settings.selection = read_selection(*node, examples, problems);
    }
    if (const Node* node = campaign.find("control_variates")) {
        settings.controls = read_control_variates(*node, examples, problems);
    }
    return settings;
}

}  // namespace schedfarm::app
