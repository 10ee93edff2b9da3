#include "app/campaign/keys/analyses/analysis_reader.hpp"

#include <fmt/format.h>

#include "app/campaign/keys/metric_suggestion.hpp"
#include "app/campaign/keys/section_lists.hpp"
#include "app/campaign/keys/section_reader.hpp"

namespace schedfarm::app {

namespace {

const Section& comparison_section() {
    static const Section section =
        Section(
            "comparison",
            "Paired differences between the levels of a factor, in every group of cells that "
            "agree in all other factors, with Holm's adjustment over all of them. With "
            "`relative` or `absolute` the cells of a group go on together, within the limits "
            "of their `precision`, until every difference is that precise."
        )
            .text("factor")
            .required("whose levels are compared")
            .text("metric")
            .required("what is compared; a bare probe stands for its mean")
            .text("baseline")
            .optional(
                "label of the level that the others are compared with",
                "label of a level; default: every pair is compared"
            )
            .real("confidence", ranges::probability)
            .means("confidence level of all verdicts together", 0.95)
            .real("relative", ranges::probability)
            .optional("half-width of every difference, relative to the mean of the second cell")
            .real("absolute", ranges::positive)
            .optional("or half-width of every difference in the metric's unit");
    return section;
}

const Section& selection_section() {
    static const Section section =
        Section(
            "selection",
            "Which level of a factor is best, in every group of cells that agree in all other "
            "factors; in place of `replications` and `precision`. KN (Kim & Nelson 2001) "
            "eliminates one by one and gains by common random numbers: with the confidence "
            "given it selects the best level, if that is better than every other by "
            "`indifference` or more; of closer ones nothing is proven."
        )
            .text("factor")
            .required("whose best level is selected")
            .text("metric")
            .required("by what it is judged; a bare probe stands for its mean")
            .word("best", {"smallest", "largest"})
            .required("which mean is the best")
            .real("indifference", ranges::positive)
            .required("a difference that does not matter, in the metric's unit")
            .real("confidence", ranges::probability)
            .means("probability of a right selection", 0.95)
            .integer("first_stage", {2, 1e9}, "replications")
            .means("replications of every cell at first", 64)
            .integer("round", {1, 1e9}, "replications")
            .means("replications of every surviving cell in a round", 16)
            .integer("max", {2, 1e9}, "replications")
            .means("replications of a cell at most", 100000);
    return section;
}

const Section& control_section() {
    static const Section section =
        Section(
            "control_variates",
            "A further estimate of a metric, corrected by what was measured of quantities "
            "whose means are known."
        )
            .text("metric")
            .required("what is estimated; a bare probe stands for its mean")
            .names("controls")
            .required(
                "probes whose means the workload model knows",
                "list of `service_time`, `job_size`, `interarrival_time`, all among `probes`"
            );
    return section;
}

std::optional<ComparisonRequest> read_comparison(
    const Node& node, const Examples& examples, Problems& problems
) {
    const auto written = read_section(&node, comparison_section(), node.at, problems, examples);
    if (!written) {
        return std::nullopt;
    }
    ComparisonRequest comparison{
        .factor = written->text("factor"),
        .metric = written->text("metric"),
        .confidence = written->real("confidence")};
    if (written->contains("baseline")) {
        comparison.baseline = written->text("baseline");
    }
    if (written->contains("relative") || written->contains("absolute")) {
        comparison.target = engine::PrecisionTarget{
            .relative = real_in(*written, "relative"),
            .absolute = real_in(*written, "absolute"),
            .confidence = comparison.confidence,
            .method = engine::IntervalMethod::student_t};
    }
    return comparison;
}

std::optional<SelectionRequest> read_selection(
    const Node& node, const Examples& examples, Problems& problems
) {
    const auto written = read_section(&node, selection_section(), node.at, problems, examples);
    if (!written) {
        return std::nullopt;
    }
    const bool is_smallest = says(*written, "best", "smallest");
    const auto count = [&](const char* key) {
        return static_cast<std::uint64_t>(written->integer(key));
    };
    SelectionRequest selection{
        .factor = written->text("factor"),
        .metric = written->text("metric"),
        .rule = {
            .best = is_smallest ? engine::Best::smallest : engine::Best::largest,
            .indifference = written->real("indifference"),
            .confidence = written->real("confidence"),
            .first_stage = count("first_stage"),
            .round = count("round"),
            .max = count("max")}};
    // A cap below the first stage would end every selection before it begins.
    const KeyWithCount first{"first_stage", selection.rule.first_stage};
    const KeyWithCount max{"max", selection.rule.max};
    constexpr auto consequence = " (nothing could be selected)";
    return expect_in_order(node, "selection", first, max, consequence, problems)
               ? std::optional(selection)
               : std::nullopt;
}

std::optional<ControlRequest> read_control_variates(
    const Node& node, const Examples& examples, Problems& problems
) {
    const auto written = read_section(&node, control_section(), node.at, problems, examples);
    const Node* list = node.find("controls");
    if (written && (list == nullptr || (list->is_list() && list->items.empty()))) {
        problems.add(
            list == nullptr ? node.at : list->at,
            "control_variates.controls",
            fmt::format(
                "'control_variates.controls' {} ({})",
                list == nullptr ? "is missing" : "is empty",
                control_section().row("controls").meaning
            ),
            "Write [service_time]."
        );
        return std::nullopt;
    }
    return written ? std::optional(ControlRequest{
               written->text("metric"), names_in(*written, "controls")})
                   : std::nullopt;
}

}  // namespace

std::vector<Section> analysis_sections() {
    return {comparison_section(), selection_section(), control_section()};
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
