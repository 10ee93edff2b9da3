#include "tests/app/plan/independent_reader.hpp"

#include <algorithm>
#include <cmath>

#include "tests/app/plan/independent_analyses.hpp"

namespace schedfarm::app::tests {

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

/// What only experiments with arrivals use.
std::string open_horizon_difference(const YAML::Node& map, const Cell& cell) {
    using engine::ExperimentKind;
    const engine::Horizon& horizon = cell.experiment.horizon;
    const bool is_open = cell.experiment.kind == ExperimentKind::open;
    if (!is_open && cell.experiment.kind != ExperimentKind::trace) {
        return horizon.queue_limit == 0 && horizon.start_backlog == 0 ? "" : "an unused limit";
    }
    if (!has_count(map, "queue_limit", 100000, horizon.queue_limit)) {
        return "queue_limit";
    }
    const double bins = number_of(child(map, "ensemble_bins"));
    const double most = std::min(std::isnan(bins) ? 200 : bins, double(horizon.jobs));
    if (cell.experiment.series_bins != (cell.load_search ? 0 : most)) {
        return "ensemble_bins";
    }
    YAML::Node start = child(map, "start");
    double backlog = 0;
    if (is_open && start && start.IsMap()) {
        start.reset(start.begin()->second);
        while (!start.IsScalar()) {
            start.reset(start.IsMap() ? start.begin()->second : start[0]);
        }
        backlog = number_of(start);
    }
    return static_cast<double>(horizon.start_backlog) == backlog ? "" : "start";
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
    return has_warm_up(map, horizon) ? open_horizon_difference(map, cell) : "warm_up";
}

std::string cell_difference(const IndependentCell& expected, const Plan& plan, const Cell& cell) {
    const YAML::Node& tree = expected.tree;
    if (tree["experiment"].Scalar() != cell.experiment.kind.name()) {
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
         {load_difference(expected, plan, cell),
          horizon_difference(
              tree["horizon"] ? tree["horizon"] : YAML::Node(YAML::NodeType::Map), cell
          ),
          random_difference(tree, plan, cell),
          certificate_difference(tree, cell),
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
    for (std::size_t i = 0; i < plan.cells.size(); ++i) {
        if (plan.cells[i].is_pilot != (i >= campaign.cell_count) || plan.cells[i].index != i) {
            return "cell " + std::to_string(i) + " is out of place";
        }
    }
    if (campaign.cell_count > plan.cells.size()) {
        return "number of cells";
    }
    for (std::size_t i = 0; i < campaign.cells.size(); ++i) {
        const std::string found = cell_difference(campaign.cells[i], plan, plan.cells[i]);
        if (!found.empty()) {
            return "cell " + std::to_string(i) + ": " + found;
        }
    }
    return analyses_difference(campaign, plan);
}

}  // namespace schedfarm::app::tests
