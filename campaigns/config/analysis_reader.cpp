#include "campaigns/config/analysis_reader.hpp"

#include <map>

#include <fmt/format.h>

#include "campaigns/config/metric_suggestion.hpp"
#include "campaigns/config/schema.hpp"
#include "campaigns/config/section_reader.hpp"
#include "campaigns/config/value_reader.hpp"

namespace schedfarm::campaigns {

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

CertificateSubject subject_of(const std::string& word) {
    if (word == "ordered_prefix") {
        return CertificateSubject::ordered_prefix;
    }
    if (word == "first_finished") {
        return CertificateSubject::first_finished;
    }
    return word == "interval" ? CertificateSubject::interval
                              : CertificateSubject::mser_per_replication;
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

std::optional<Certificate> read_certificate(const Node& cell, Problems& problems) {
    const Node& node = *cell.find("certificate");
    const Examples examples{{"metric", observed_metric(cell)}};
    const auto parameters = read_section(&node, "certificate", node.at, problems, {}, examples);
    if (!parameters) {
        return std::nullopt;
    }
    const std::vector<double> band = parameters->reals("band");
    if (band.size() != 2 || band[0] > band[1]) {
        problems.add(
            nearest_position(node, "band"),
            "certificate.band",
            "'certificate.band' must be two numbers, the lower one first",
            "Write [0.93, 0.97]?"
        );
        return std::nullopt;
    }
    Certificate certificate;
    certificate.subject = subject_of(parameters->text("subject"));
    certificate.metric = parameters->text("metric");
    certificate.truth = parameters->text("truth");
    certificate.low = band[0];
    certificate.high = band[1];
    certificate.is_negative_control = parameters->text("expect") == "outside";
    certificate.virtual_workers =
        static_cast<std::uint32_t>(parameters->integer("virtual_workers"));
    return certificate;
}

}  // namespace schedfarm::campaigns
