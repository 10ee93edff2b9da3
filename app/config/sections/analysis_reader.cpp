#include "app/config/sections/analysis_reader.hpp"

#include <map>

#include <fmt/format.h>

#include "app/config/schema/schema.hpp"
#include "app/config/sections/metric_suggestion.hpp"
#include "app/config/sections/section_reader.hpp"
#include "app/config/sections/value_reader.hpp"

namespace schedfarm::app {

namespace {

using engine::Parameters;
using Examples = std::map<std::string, std::string>;

std::optional<double> optional_real(const Parameters& parameters, const char* key) {
    return parameters.contains(key) ? std::optional(parameters.real(key)) : std::nullopt;
}

std::uint64_t count_of(const Parameters& parameters, const char* key) {
    return static_cast<std::uint64_t>(parameters.integer(key));
}

std::optional<ComparisonRequest> read_comparison(
    const Node& node, const Examples& examples, Problems& problems
) {
    const auto parameters = read_section(&node, "comparison", node.at, problems, {}, examples);
    if (!parameters) {
        return std::nullopt;
    }
    ComparisonRequest settings;
    settings.factor = parameters->text("factor");
    settings.metric = parameters->text("metric");
    settings.confidence = parameters->real("confidence");
    if (parameters->contains("baseline")) {
        settings.baseline = parameters->text("baseline");
    }
    engine::PrecisionTarget target;
    target.relative = optional_real(*parameters, "relative");
    target.absolute = optional_real(*parameters, "absolute");
    target.confidence = settings.confidence;
    target.method = engine::IntervalMethod::student_t;
    if (target.relative || target.absolute) {
        settings.target = target;
    }
    return settings;
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
    const auto parameters = read_section(&node, "selection", node.at, problems, {}, examples);
    if (!parameters) {
        return std::nullopt;
    }
    using engine::SelectionProcedure;
    SelectionRequest settings;
    settings.factor = parameters->text("factor");
    settings.metric = parameters->text("metric");
    engine::SelectionSettings& rule = settings.rule;
    rule.procedure =
        parameters->text("procedure") == "gsp" ? SelectionProcedure::gsp : SelectionProcedure::kn;
    rule.best =
        parameters->text("best") == "largest" ? engine::Best::largest : engine::Best::smallest;
    rule.indifference = parameters->real("indifference");
    rule.confidence = parameters->real("confidence");
    rule.first_stage = count_of(*parameters, "first_stage");
    rule.round = count_of(*parameters, "round");
    rule.screening_rounds = count_of(*parameters, "screening_rounds");
    rule.max = count_of(*parameters, "max");
    return expect_stages_in_order(node, rule, problems) ? std::optional(settings) : std::nullopt;
}

std::optional<ControlRequest> read_control_variates(
    const Node& node, const Examples& examples, Problems& problems
) {
    const auto parameters =
        read_section(&node, "control_variates", node.at, problems, {"controls"}, examples);
    const Node* list = node.find("controls");
    ControlRequest settings;
    if (list != nullptr) {
        settings.controls = read_names(*list, "control_variates.controls", problems);
    }
    if (!parameters) {
        return std::nullopt;
    }
    settings.metric = parameters->text("metric");
    if (list == nullptr || (list->is_list() && list->items.empty())) {
        problems.add(
            list == nullptr ? node.at : list->at,
            "control_variates.controls",
            fmt::format(
                "'control_variates.controls' {} ({})",
                list == nullptr ? "is missing" : "is empty",
                section("control_variates").row("controls").meaning
            ),
            "Write [service_time]?"
        );
        return std::nullopt;
    }
    return settings;
}

}  // namespace

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
