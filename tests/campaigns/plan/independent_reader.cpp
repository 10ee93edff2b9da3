#include "tests/campaigns/plan/independent_reader.hpp"

#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "tests/campaigns/plan/independent_grid.hpp"

namespace schedfarm::campaigns::tests {

namespace {

using engine::Choice;
using engine::Parameters;
using engine::Value;

bool matches(const YAML::Node& node, const Value& value);

/// Parameters that are given must be as given; the others have their defaults.
bool matches_parameters(const YAML::Node& body, const Parameters& parameters) {
    const auto& entries = parameters.entries();
    if (!body || body.IsNull()) {
        return true;
    }
    if (body.IsMap()) {
        for (const auto& entry : body) {
            const std::string key = entry.first.Scalar();
            if (!parameters.contains(key) || !matches(entry.second, parameters.at(key))) {
                return false;
            }
        }
        return true;
    }
    if (body.IsScalar() || std::holds_alternative<Value::List>(entries.front().second.data())) {
        return matches(body, entries.front().second);
    }
    for (std::size_t i = 0; i < body.size(); ++i) {
        if (!matches(body[i], entries[i].second)) {
            return false;
        }
    }
    return true;
}

bool matches_choice(const YAML::Node& node, const Choice& choice) {
    if (node.IsScalar()) {
        return node.Scalar() == choice.name;
    }
    return node.IsMap() && node.size() == 1 && node.begin()->first.Scalar() == choice.name
           && matches_parameters(node.begin()->second, choice.parameters);
}

bool matches(const YAML::Node& node, const Value& value) {
    if (const auto* choice = std::get_if<std::shared_ptr<const Choice>>(&value.data())) {
        return matches_choice(node, **choice);
    }
    if (const auto* list = std::get_if<Value::List>(&value.data())) {
        bool is_equal = node.IsSequence() && node.size() == list->size();
        for (std::size_t i = 0; is_equal && i < list->size(); ++i) {
            is_equal = matches(node[i], (*list)[i]);
        }
        return is_equal;
    }
    if (const auto* flag = std::get_if<bool>(&value.data())) {
        return node.Scalar() == (*flag ? "true" : "false");
    }
    if (const auto* text = std::get_if<std::string>(&value.data())) {
        return node.Scalar() == *text;
    }
    return number_of(node) == value.as_real();
}

bool near(double a, double b) {
    return std::abs(a - b) <= 1e-11 * std::abs(b);
}

/// The number at a key, or its default.
bool has_count(const YAML::Node& map, const char* key, double fallback, std::uint64_t actual) {
    const YAML::Node node = map.IsMap() ? map[key] : YAML::Node(YAML::NodeType::Undefined);
    return near(static_cast<double>(actual), node ? number_of(node) : fallback);
}

std::string horizon_difference(const YAML::Node& map, const Cell& cell) {
    using engine::ExperimentKind;
    const engine::Horizon& horizon = cell.experiment.horizon;
    if (cell.experiment.kind == ExperimentKind::bin_filling) {
        return has_count(map, "fills", 10000, horizon.fills) ? "" : "fills";
    }
    if (!has_count(map, "jobs", 20000, horizon.jobs)) {
        return "jobs";
    }
    if (cell.experiment.kind == ExperimentKind::saturated
        && !has_count(map, "backlog", 64, horizon.backlog)) {
        return "backlog";
    }
    double wanted = 0.2 * static_cast<double>(horizon.jobs);
    if (map.IsMap() && map["warm_up"] && map["warm_up"].IsScalar()) {
        wanted = 0;
    } else if (map.IsMap() && map["warm_up"]) {
        YAML::Node body = map["warm_up"].begin()->second;
        while (!body.IsScalar()) {
            body.reset(body.IsMap() ? body.begin()->second : body[0]);
        }
        const bool is_fraction = map["warm_up"].begin()->first.Scalar() == "fraction";
        wanted = number_of(body) * (is_fraction ? static_cast<double>(horizon.jobs) : 1);
    }
    return std::abs(static_cast<double>(horizon.warm_up_jobs) - wanted) <= 0.5 ? "" : "warm_up";
}

std::string load_difference(const IndependentCell& expected, const Cell& cell) {
    if (cell.experiment.kind != engine::ExperimentKind::open) {
        return cell.utilization ? "a load that nothing uses" : "";
    }
    const YAML::Node load = expected.tree["load"];
    double wanted = load ? number_of(load["utilization"]) : 0;
    if (expected.saturation_fraction > 0) {
        char text[40];
        std::snprintf(
            text,
            sizeof text,
            "%.4g",
            expected.saturation_fraction * cell.maximal_utilization->value
        );
        wanted = std::strtod(text, nullptr);
    }
    return cell.utilization && near(*cell.utilization, wanted) ? "" : "utilization";
}

std::string replications_difference(const YAML::Node& tree, const Cell& cell) {
    const ReplicationPlan& plan = cell.replications;
    if (const YAML::Node fixed = tree["replications"]) {
        const YAML::Node count = fixed.IsScalar() ? fixed : fixed["count"];
        return plan.targets.empty() && near(static_cast<double>(plan.limits.max), number_of(count))
                   ? ""
                   : "replications";
    }
    const YAML::Node precision = tree["precision"];
    if (!has_count(precision, "min", 64, plan.limits.min)
        || !has_count(precision, "max", 100000, plan.limits.max)) {
        return "precision limits";
    }
    const YAML::Node targets = precision["targets"];
    const std::size_t count = targets ? targets.size() : 1;
    bool is_equal = plan.targets.size() == count;
    for (std::size_t i = 0; is_equal && i < count; ++i) {
        const YAML::Node target = targets ? targets[i] : precision;
        const std::string metric = target["metric"].Scalar();
        is_equal = plan.targets[i].metric == metric || plan.targets[i].metric == metric + ".mean";
        if (target["relative"]) {
            is_equal = is_equal && plan.targets[i].target.relative == number_of(target["relative"]);
        }
        if (target["absolute"]) {
            is_equal = is_equal && plan.targets[i].target.absolute == number_of(target["absolute"]);
        }
    }
    return is_equal ? "" : "precision targets";
}

std::string cell_difference(const IndependentCell& expected, const Cell& cell) {
    const YAML::Node& tree = expected.tree;
    const char* const kinds[] = {"bin_filling", "open", "saturated", "trace", "offline"};
    if (tree["experiment"].Scalar() != kinds[static_cast<int>(cell.experiment.kind)]) {
        return "experiment";
    }
    const YAML::Node clusters = tree["system"]["clusters"];
    bool is_equal = clusters.size() == cell.system.clusters.size();
    for (std::size_t i = 0; is_equal && i < clusters.size(); ++i) {
        is_equal = number_of(clusters[i]) == cell.system.clusters[i];
    }
    if (!is_equal) {
        return "clusters";
    }
    if (!matches_choice(tree["policy"], cell.policy)) {
        return "policy " + cell.policy.text();
    }
    for (const auto& entry : tree["workload"]) {
        const std::string key = entry.first.Scalar();
        const bool fits = key == "model" ? entry.second.Scalar() == cell.workload.name
                                         : matches(entry.second, cell.workload.parameters.at(key));
        if (!fits) {
            return "workload." + key;
        }
    }
    for (const std::string& found :
         {load_difference(expected, cell),
          horizon_difference(
              tree["horizon"] ? tree["horizon"] : YAML::Node(YAML::NodeType::Map), cell
          ),
          replications_difference(tree, cell)}) {
        if (!found.empty()) {
            return found;
        }
    }
    const bool has_probes = static_cast<bool>(tree["probes"]);
    return has_probes && tree["probes"].size() != cell.probes.requests.size() ? "probes" : "";
}

}  // namespace

std::string difference(const CampaignSource& source, const Plan& plan) {
    const IndependentCampaign campaign = read_independently(source);
    if (campaign.tree["name"].Scalar() != plan.name) {
        return "name";
    }
    if (number_of(campaign.tree["seed"]) != static_cast<double>(plan.seed)) {
        return "seed";
    }
    if (campaign.cell_count != plan.cells.size()) {
        return "number of cells";
    }
    for (std::size_t i = 0; i < campaign.cells.size(); ++i) {
        const std::string found = cell_difference(campaign.cells[i], plan.cells[i]);
        if (!found.empty()) {
            return "cell " + std::to_string(i) + ": " + found;
        }
    }
    return "";
}

}  // namespace schedfarm::campaigns::tests
