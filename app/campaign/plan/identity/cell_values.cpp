#include "app/campaign/plan/identity/cell_values.hpp"

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <nlohmann/json.hpp>

#include "engine/farm/transport/serialization.hpp"
#include "engine/simulation/measurement/own_metric.hpp"

#include "app/campaign/keys/words.hpp"
#include "app/campaign/plan/identity/keys.hpp"
#include "app/campaign/plan/twins.hpp"

namespace schedfarm::engine {

using nlohmann::json;

namespace {

constexpr const char* folders_key = "@folders";  // no parameter is called so

json tree_of(const Parameters& parameters);

json tree_of(const Choice& choice) {
    return {{choice.name, tree_of(choice.parameters)}};
}

json tree_of(const Value& value) {
    const auto& data = value.data();
    if (const auto* choice = std::get_if<std::shared_ptr<const Choice>>(&data)) {
        return tree_of(**choice);
    }
    if (const auto* list = std::get_if<Value::List>(&data)) {
        json tree = json::array();
        for (const Value& element : *list) {
            tree.push_back(tree_of(element));
        }
        return tree;
    }
    if (const auto* text = std::get_if<std::string>(&data)) {
        return *text;
    }
    const auto* integer = std::get_if<std::int64_t>(&data);
    const auto* truth = std::get_if<bool>(&data);
    return truth != nullptr     ? json(*truth)
           : integer != nullptr ? json(*integer)
                                : json(std::get<double>(data));
}

json tree_of(const Parameters& parameters) {
    json tree = json::object();
    for (const auto& [name, value] : parameters.entries()) {
        tree[name] = tree_of(value);
    }
    const NamingFolders& folders = parameters.folders();
    if (!folders.current.empty() || !folders.campaign.empty()) {
        tree[folders_key] = {folders.current, folders.campaign};
    }
    return tree;
}

Value value_of(const json& tree);

Parameters parameters_of(const json& tree) {
    Parameters parameters;
    for (const auto& [name, value] : tree.items()) {
        if (name == folders_key) {
            parameters.set_folders({value.at(0), value.at(1)});
        } else {
            parameters.set(name, value_of(value));
        }
    }
    return parameters;
}

Choice choice_of(const json& tree) {
    const auto only = tree.items().begin();
    return {only.key(), parameters_of(only.value())};
}

Value value_of(const json& tree) {
    if (tree.is_boolean()) {
        return tree.get<bool>();
    }
    if (tree.is_number_float()) {
        return tree.get<double>();
    }
    if (tree.is_number()) {
        return tree.get<std::int64_t>();
    }
    if (tree.is_object()) {
        return choice_of(tree);
    }
    if (tree.is_array()) {
        Value::List list;
        for (const json& element : tree) {
            list.push_back(value_of(element));
        }
        return list;
    }
    return tree.get<std::string>();
}

}  // namespace

void to_json(json& tree, const Choice& choice) {
    tree = tree_of(choice);
}

void from_json(const json& tree, Choice& choice) {
    choice = choice_of(tree);
}

void to_json(json& tree, const ExperimentKind& kind) {
    tree = kind.name();
}

void from_json(const json& tree, ExperimentKind& kind) {
    for (const auto known : experiment_kinds()) {
        kind = tree == known.name() ? known : kind;
    }
}

template <typename E>
    requires std::same_as<E, Generator> || std::same_as<E, RunningJobs>
void to_json(json& tree, E word) {
    tree = app::words_of<E>.at(static_cast<std::size_t>(word));
}

template <typename E>
    requires std::same_as<E, Generator> || std::same_as<E, RunningJobs>
void from_json(const json& tree, E& word) {
    word = app::word_as<E>(tree.get<std::string>());
}

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Outage, from, until, first_processor, count, every, is_planned)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(
    NodeFailures, mean_time_between_failures, mean_time_to_repair, processors_per_node
)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Outages, listed, failures, running)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(SystemDescription, clusters, memory_per_processor, outages)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(
    Horizon, jobs, warm_up_jobs, backlog, fills, start_backlog, queue_limit
)

void to_json(json& tree, const ProbeRequest& request) {
    tree = {
        {"metric", description_of(request).name},
        {"quantiles", request.quantiles},
        {"per_class", request.per_class},
        {"threshold", request.threshold},
        {"sketch", request.sketch}};
    if (request.own) {
        tree["expression"] = request.own->text();
    }
}

void from_json(const json& tree, ProbeRequest& request) {
    const auto name = tree.at("metric").get<std::string>();
    if (tree.contains("expression")) {
        request.own = std::make_shared<OwnMetric>(name, tree["expression"].get<std::string>());
        request.metric = Metric::own;
    } else if (const MetricDescription* found = find_metric(name)) {
        request.metric = found->metric;
    }
    tree.at("quantiles").get_to(request.quantiles);
    tree.at("per_class").get_to(request.per_class);
    tree.at("threshold").get_to(request.threshold);
    tree.at("sketch").get_to(request.sketch);
}

}  // namespace schedfarm::engine

namespace schedfarm::app {

using nlohmann::json;

NLOHMANN_JSON_SERIALIZE_ENUM(
    SearchCriterion,
    {{SearchCriterion::drift, "drift"}, {SearchCriterion::response_time, "response_time"}}
)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(
    LoadSearch, criterion, threshold, low, high, width, confidence, reliability, round
)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Lengthening, first, warm_up_grows)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(RandomSource, generator, seed)
// The pilot is a cell of its own, whose index depends on the others.
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(PlacedLoad, fraction)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(ControlMean, column, mean)

namespace {

/// Null for what is absent.
json tree_or_null(const auto& value) {
    return value ? json(*value) : json();
}

template <typename T>
std::optional<std::vector<T>> list_or_none(const std::vector<T>& list) {
    return list.empty() ? std::nullopt : std::optional(list);
}

template <typename T>
std::optional<T> value_in(const json& tree, const char* key) {
    const json& value = tree.at(key);
    return value.is_null() ? std::nullopt : std::optional(value.get<T>());
}

template <typename T>
std::shared_ptr<const T> shared_in(const json& tree, const char* key) {
    auto value = value_in<T>(tree, key);
    return value ? std::make_shared<const T>(std::move(*value)) : nullptr;
}

json tree_of(const Cell& cell) {
    return {
        {"experiment", cell.experiment.kind},
        {"system", cell.system},
        {"workload", *cell.workload},
        {"policy", *cell.policy},
        {"utilization", tree_or_null(cell.utilization)},
        {"placed_load", tree_or_null(cell.placed_load)},
        {"load_search", tree_or_null(cell.load_search)},
        {"horizon", cell.experiment.horizon},
        {"lengthening", tree_or_null(cell.lengthening)},
        {"random_numbers", cell.random},
        {"probes", cell.probes.requests},
        {"ensemble_bins", cell.experiment.series_bins},
        {"twins", tree_or_null(list_or_none(twins_of(cell)))}};
}

/// Without what is absent, and without the folders from which files are named.
json shown(const json& tree) {
    if (!tree.is_structured()) {
        return tree;
    }
    json result = tree.is_array() ? json::array() : json::object();
    for (const auto& [key, value] : tree.items()) {
        if (tree.is_array()) {
            result.push_back(shown(value));
        } else if (!value.is_null() && key != engine::folders_key) {
            result[key] = shown(value);
        }
    }
    return result;
}

}  // namespace

engine::Bytes encode_cell(const Cell& cell) {
    const std::vector<std::uint8_t> cbor = json::to_cbor(tree_of(cell));
    const auto* const begin = reinterpret_cast<const std::byte*>(cbor.data());
    return {begin, begin + cbor.size()};
}

Cell decode_cell(const engine::Bytes& bytes) {
    try {
        const auto* begin = reinterpret_cast<const std::uint8_t*>(bytes.data());
        const json tree = json::from_cbor(begin, begin + bytes.size());
        Cell cell;
        cell.workload = shared_in<engine::Choice>(tree, "workload");
        cell.policy = shared_in<engine::Choice>(tree, "policy");
        tree.at("system").get_to(cell.system);
        tree.at("experiment").get_to(cell.experiment.kind);
        tree.at("horizon").get_to(cell.experiment.horizon);
        tree.at("ensemble_bins").get_to(cell.experiment.series_bins);
        cell.utilization = value_in<double>(tree, "utilization");
        cell.placed_load = value_in<PlacedLoad>(tree, "placed_load");
        cell.load_search = shared_in<LoadSearch>(tree, "load_search");
        cell.lengthening = shared_in<Lengthening>(tree, "lengthening");
        tree.at("random_numbers").get_to(cell.random);
        tree.at("probes").get_to(cell.probes.requests);
        cell.controls = value_in<std::vector<ControlMean>>(tree, "twins").value_or(cell.controls);
        return cell;
    } catch (const json::exception& error) {
        throw engine::SerializationError(std::string("bytes are no cell: ") + error.what());
    }
}

std::string resolved_text(const Cell& cell) {
    constexpr std::size_t most_outages = 20;  // those of a log are many
    json tree = shown(tree_of(cell));
    const auto& outages = cell.system.outages;
    if (outages.empty()) {
        tree["system"].erase("outages");
    } else if (outages.listed.size() > most_outages) {
        tree["system"]["outages"]["listed"] = digest_of(outages.listed);
    }
    return tree.dump(-1, ' ', false, json::error_handler_t::replace);
}

}  // namespace schedfarm::app
