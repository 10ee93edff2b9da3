#include "tests/app/plan/independent_analyses.hpp"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <set>

#include "app/plan/identity/keys.hpp"

namespace schedfarm::app::tests {

namespace {

/// The word at a key, or its default.
bool has_word(
    const YAML::Node& map, const char* key, const std::string& fallback, const std::string& actual
) {
    const YAML::Node node = child(map, key);
    return actual == (node ? node.Scalar() : fallback);
}

bool has_number(const YAML::Node& map, const char* key, double fallback, double actual) {
    const YAML::Node node = child(map, key);
    return actual == (node ? number_of(node) : fallback);
}

/// Absent where the key is.
template <typename Number>
bool has_optional(const YAML::Node& map, const char* key, const std::optional<Number>& actual) {
    const YAML::Node node = child(map, key);
    return node ? actual && near(static_cast<double>(*actual), number_of(node)) : !actual;
}

bool is_metric(const std::string& column, const YAML::Node& metric) {
    return column == metric.Scalar() || column == metric.Scalar() + ".mean";
}

/// Mean service time of the workloads whose searches are read here; 0: not known to this reading.
double mean_service(const YAML::Node& tree) {
    YAML::Node service = child(tree["workload"], "service");
    if (!service || service.IsScalar()) {
        return !service || service.Scalar() == "exponential" ? 1 : 0;
    }
    if (service.begin()->first.Scalar() != "exponential") {
        return 0;
    }
    service.reset(service.begin()->second);
    while (service.IsMap() || service.IsSequence()) {
        service.reset(service.IsMap() ? service.begin()->second : service[0]);
    }
    const double mean = number_of(service);
    return std::isnan(mean) ? 1 : mean;
}

std::string search_difference(const YAML::Node& tree, const Cell& cell) {
    const YAML::Node node = tree["load"]["search"];
    const LoadSearch& search = *cell.load_search;
    const bool is_drift = search.criterion == SearchCriterion::drift;
    if (node["criterion"].Scalar() != (is_drift ? "drift" : "response_time")) {
        return "criterion";
    }
    const double service = mean_service(tree);
    if (!is_drift && service > 0
        && !near(search.threshold, number_of(node["threshold"]) * service)) {
        return "threshold";
    }
    const YAML::Node between = child(node, "between");
    if (search.low != (between ? number_of(between[0]) : 0.3)
        || search.high != (between ? number_of(between[1]) : 1.0)) {
        return "between";
    }
    const bool is_equal = has_number(node, "width", 0.01, search.width)
                          && has_number(node, "confidence", 0.95, search.confidence)
                          && has_number(node, "reliability", 0.95, search.reliability)
                          && has_count(node, "round", 16, search.round)
                          && has_count(node, "most_rounds", 400, search.most_rounds);
    return is_equal ? "" : "search";
}

/// The pilot is the cell's system, workload and policy, saturated.
std::string pilot_difference(const IndependentCell& expected, const Plan& plan, const Cell& cell) {
    const Cell& pilot = plan.cells.at(cell.placed_load->pilot);
    const YAML::Node settings = child(expected.tree, "pilot");
    const engine::Horizon& horizon = pilot.experiment.horizon;
    const bool is_same = pilot.is_pilot && pilot.policy.text() == cell.policy.text()
                         && pilot.workload.text() == cell.workload.text()
                         && pilot.system.clusters == cell.system.clusters
                         && pilot.random.generator == cell.random.generator
                         && pilot.experiment.kind == engine::ExperimentKind::saturated;
    if (!is_same) {
        return "pilot of another cell";
    }
    const bool is_equal = has_count(settings, "jobs", 20000, horizon.jobs)
                          && has_warm_up(settings, horizon)
                          && has_count(settings, "backlog", 64, horizon.backlog)
                          && has_count(settings, "replications", 64, pilot.replications.limits.max);
    return is_equal ? "" : "pilot";
}

std::string placed_difference(const IndependentCell& expected, const Plan& plan, const Cell& cell) {
    if (!cell.maximal_utilization) {
        const bool is_placed =
            !cell.utilization && cell.placed_load
            && std::abs(cell.placed_load->fraction - expected.saturation_fraction) <= 5e-4;
        return is_placed ? pilot_difference(expected, plan, cell) : "placed load";
    }
    char text[40];
    std::snprintf(
        text, sizeof text, "%.4g", expected.saturation_fraction * cell.maximal_utilization->value
    );
    const double wanted = std::strtod(text, nullptr);
    return cell.utilization && near(*cell.utilization, wanted) ? "" : "utilization";
}

std::string precision_difference(const YAML::Node& precision, const ReplicationPlan& plan) {
    if (!has_count(precision, "min", 64, plan.limits.min)
        || !has_count(precision, "max", 100000, plan.limits.max)) {
        return "precision limits";
    }
    const YAML::Node budget = child(precision, "budget");
    if (!has_optional(budget, "replications", plan.budget.replications)
        || !has_optional(budget, "jobs", plan.budget.jobs)
        || !has_optional(budget, "events", plan.budget.events)
        || !has_optional(budget, "core_hours", plan.budget.core_hours)) {
        return "budget";
    }
    const bool is_strict = child(precision, "rule") && precision["rule"].Scalar() == "strict";
    const YAML::Node targets = precision["targets"];
    const std::size_t count = targets ? targets.size() : 1;
    bool is_equal = plan.targets.size() == count;
    for (std::size_t i = 0; is_equal && i < count; ++i) {
        const YAML::Node target = targets ? targets[i] : precision;
        const engine::PrecisionTarget& actual = plan.targets[i].target;
        is_equal = is_metric(plan.targets[i].metric, target["metric"]);
        if (target["relative"]) {
            is_equal = is_equal && actual.relative == number_of(target["relative"]);
        }
        is_equal = is_equal && has_optional(target, "absolute", actual.absolute);
        const auto sequence = engine::IntervalMethod::confidence_sequence;
        is_equal = is_equal && actual.method == (is_strict ? sequence : plan.method);
    }
    return is_equal ? "" : "precision targets";
}

std::string interval_word(const ReplicationPlan& plan) {
    const char* const words[] = {"student_t", "skew_adjusted", "confidence_sequence"};
    return words[static_cast<int>(plan.method)];
}

/// Every cell is in one group; cells of a group differ in this factor (or in a load that follows
/// from it) and in no other.
std::string groups_difference(
    const std::vector<CellGroup>& groups,
    const std::string& factor,
    const IndependentCampaign& campaign,
    const Plan& plan
) {
    std::set<std::uint32_t> seen;
    for (const CellGroup& group : groups) {
        const Cell& first = plan.cells.at(group.cells.at(0));
        for (const std::uint32_t index : group.cells) {
            seen.insert(index);
            for (std::size_t f = 0; f < first.levels.size(); ++f) {
                const FactorLevel& own = plan.cells.at(index).levels[f];
                const bool may_differ = index == group.cells.at(0) ? false : own.factor == factor;
                const bool differs = own.label != first.levels[f].label;
                const YAML::Node spec = campaign.tree["factors"][own.factor];
                const bool is_placed =
                    spec.IsMap() && (spec["below_saturation"] || spec["of_saturation"]);
                if (differs != may_differ && !is_placed) {
                    return "group " + group.label;
                }
            }
        }
    }
    return seen.size() == campaign.cell_count ? "" : "groups leave cells out";
}

std::string comparison_difference(const IndependentCampaign& campaign, const Plan& plan) {
    const YAML::Node node = campaign.tree["comparison"];
    if (!node || !plan.comparison) {
        return !node == !plan.comparison ? "" : "comparison";
    }
    const ComparisonPlan& comparison = *plan.comparison;
    const bool has_target = node["relative"] || node["absolute"];
    if (comparison.factor != node["factor"].Scalar()
        || !is_metric(comparison.metric, node["metric"])
        || !has_number(node, "confidence", 0.95, comparison.confidence)
        || comparison.target.has_value() != has_target) {
        return "comparison";
    }
    if (has_target
        && (!has_optional(node, "relative", comparison.target->relative)
            || !has_optional(node, "absolute", comparison.target->absolute))) {
        return "precision of the comparison";
    }
    if (comparison.baseline.has_value() != static_cast<bool>(node["baseline"])) {
        return "baseline";
    }
    for (const CellGroup& group : comparison.groups) {
        for (const FactorLevel& level :
             plan.cells.at(group.cells.at(comparison.baseline.value_or(0))).levels) {
            if (comparison.baseline && level.factor == comparison.factor && level.number
                && number_of(node["baseline"]) != *level.number) {
                return "baseline";
            }
        }
    }
    return groups_difference(comparison.groups, comparison.factor, campaign, plan);
}

std::string selection_difference(const IndependentCampaign& campaign, const Plan& plan) {
    const YAML::Node node = campaign.tree["selection"];
    if (!node || !plan.selection) {
        return !node == !plan.selection ? "" : "selection";
    }
    const engine::SelectionSettings& rule = plan.selection->settings;
    const bool is_equal =
        plan.selection->factor == node["factor"].Scalar()
        && is_metric(plan.selection->metric, node["metric"])
        && has_word(node, "best", "", rule.best == engine::Best::smallest ? "smallest" : "largest")
        && has_word(
            node, "procedure", "kn", rule.procedure == engine::SelectionProcedure::kn ? "kn" : "gsp"
        )
        && has_number(node, "indifference", 0, rule.indifference)
        && has_number(node, "confidence", 0.95, rule.confidence)
        && has_count(node, "first_stage", 64, rule.first_stage)
        && has_count(node, "round", 16, rule.round)
        && has_count(node, "screening_rounds", 10, rule.screening_rounds)
        && has_count(node, "max", 100000, rule.max);
    return is_equal
               ? groups_difference(plan.selection->groups, plan.selection->factor, campaign, plan)
               : "selection";
}

std::string controls_difference(const IndependentCampaign& campaign, const Plan& plan) {
    const YAML::Node node = campaign.tree["control_variates"];
    if (!node) {
        return plan.control_metric.empty() ? "" : "control variates";
    }
    if (!is_metric(plan.control_metric, node["metric"])) {
        return "controlled metric";
    }
    for (const Cell& cell : plan.cells) {
        bool is_equal = cell.controls.empty() || cell.controls.size() == node["controls"].size();
        for (std::size_t i = 0; is_equal && i < cell.controls.size(); ++i) {
            is_equal = is_metric(cell.controls[i].column, node["controls"][i])
                       && cell.controls[i].mean > 0;
        }
        if (!is_equal) {
            return "controls";
        }
    }
    return "";
}

}  // namespace

bool near(double a, double b) {
    return std::abs(a - b) <= 1e-11 * std::abs(b);
}

YAML::Node child(const YAML::Node& map, const char* key) {
    return map && map.IsMap() ? map[key] : YAML::Node(YAML::NodeType::Undefined);
}

bool has_count(const YAML::Node& map, const char* key, double fallback, std::uint64_t actual) {
    const YAML::Node node = child(map, key);
    const bool is_given = node && !(node.IsScalar() && node.Scalar() == "auto");
    return near(static_cast<double>(actual), is_given ? number_of(node) : fallback);
}

bool has_warm_up(const YAML::Node& map, const engine::Horizon& horizon) {
    const YAML::Node warm_up = child(map, "warm_up");
    double wanted = 0.2 * static_cast<double>(horizon.jobs);
    if (warm_up && warm_up.IsScalar()) {
        wanted = 0;
    } else if (warm_up) {
        YAML::Node body = warm_up.begin()->second;
        while (!body.IsScalar()) {
            body.reset(body.IsMap() ? body.begin()->second : body[0]);
        }
        const bool is_fraction = warm_up.begin()->first.Scalar() == "fraction";
        wanted = number_of(body) * (is_fraction ? static_cast<double>(horizon.jobs) : 1);
    }
    return std::abs(static_cast<double>(horizon.warm_up_jobs) - wanted) <= 0.5;
}

std::string load_difference(const IndependentCell& expected, const Plan& plan, const Cell& cell) {
    if (cell.experiment.kind != engine::ExperimentKind::open) {
        return cell.utilization || cell.load_search || cell.placed_load ? "a load that nothing uses"
                                                                        : "";
    }
    if (expected.saturation_fraction > 0) {
        return placed_difference(expected, plan, cell);
    }
    const YAML::Node load = expected.tree["load"];
    if (child(load, "search")) {
        return cell.load_search && !cell.utilization ? search_difference(expected.tree, cell)
                                                     : "search";
    }
    const bool is_equal =
        cell.utilization && near(*cell.utilization, number_of(load["utilization"]));
    return is_equal && !cell.load_search && !cell.placed_load ? "" : "utilization";
}

std::string random_difference(const YAML::Node& tree, const Plan& plan, const Cell& cell) {
    const YAML::Node node = child(tree, "random_numbers");
    const bool is_philox = cell.random.generator == engine::Generator::philox;
    if (!has_word(node, "generator", "philox", is_philox ? "philox" : "mrg32k3a")) {
        return "generator";
    }
    const YAML::Node streams = child(node, "streams");
    const bool is_independent = streams && streams.Scalar() == "independent";
    const Cell* pilot = cell.placed_load ? &plan.cells[cell.placed_load->pilot] : nullptr;
    const std::string key = simulation_key(cell, pilot, plan.seed).substr(0, 16);
    const std::uint64_t own = std::strtoull(key.c_str(), nullptr, 16);
    return cell.random.seed == (is_independent ? own : plan.seed) ? "" : "seed of the cell";
}

std::string replications_difference(const YAML::Node& tree, const Cell& cell) {
    const ReplicationPlan& plan = cell.replications;
    if (const YAML::Node selection = tree["selection"]) {
        return plan.targets.empty() && has_count(selection, "max", 100000, plan.limits.max)
                   ? ""
                   : "cap of the selection";
    }
    if (cell.load_search) {
        const std::uint64_t most =
            std::uint64_t{cell.load_search->round} * cell.load_search->most_rounds;
        return plan.targets.empty() && plan.limits.max == most ? "" : "cap of the search";
    }
    const YAML::Node fixed = tree["replications"];
    const YAML::Node section = fixed ? fixed : tree["precision"];
    const bool is_strict = child(section, "rule") && section["rule"].Scalar() == "strict";
    if (!has_word(
            section,
            "interval",
            is_strict ? "confidence_sequence" : "skew_adjusted",
            interval_word(plan)
        )) {
        return "interval";
    }
    if (fixed) {
        const YAML::Node count = fixed.IsScalar() ? fixed : fixed["count"];
        const auto most = static_cast<double>(plan.limits.max);
        return plan.targets.empty() && near(most, number_of(count)) ? "" : "replications";
    }
    return precision_difference(section, plan);
}

std::string certificate_difference(const YAML::Node& tree, const Cell& cell) {
    const YAML::Node node = tree["certificate"];
    if (!node || cell.certificates.empty()) {
        return !node == cell.certificates.empty() ? "" : "certificate";
    }
    const Certificate& certificate = cell.certificates[0];
    const char* const subjects[] = {
        "interval", "bias", "decision", "ordered_prefix", "first_finished", "mser_per_replication"};
    const bool is_equal =
        has_word(node, "subject", "interval", subjects[static_cast<int>(certificate.subject)])
        && is_metric(certificate.metric, node["metric"])
        && has_word(node, "truth", "exact", certificate.truth)
        && certificate.low == number_of(node["band"][0])
        && certificate.high == number_of(node["band"][1])
        && has_word(
            node, "expect", "inside", certificate.is_negative_control ? "outside" : "inside"
        )
        && has_count(node, "virtual_workers", 1, certificate.virtual_workers);
    return is_equal ? "" : "certificate";
}

std::string analyses_difference(const IndependentCampaign& campaign, const Plan& plan) {
    for (const std::string& found :
         {comparison_difference(campaign, plan),
          selection_difference(campaign, plan),
          controls_difference(campaign, plan)}) {
        if (!found.empty()) {
            return found;
        }
    }
    return "";
}

}  // namespace schedfarm::app::tests
