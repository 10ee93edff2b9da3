#include "campaigns/config/cell_settings.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "campaigns/config/replication_reader.hpp"
#include "campaigns/config/schema.hpp"
#include "campaigns/config/suggestion.hpp"
#include "campaigns/config/value_reader.hpp"

namespace schedfarm::campaigns {

namespace {

using engine::ExperimentKind;
using engine::ParameterDescription;
using engine::Parameters;

const ParameterDescription& row_of(std::string_view section_name, std::string_view key) {
    for (const ParameterDescription& row : section(section_name).keys) {
        if (row.name == key) {
            return row;
        }
    }
    return section(section_name).keys.front();
}

bool is_among(const std::vector<engine::Choice>& choices, const std::string& name) {
    return std::any_of(choices.begin(), choices.end(), [&](const engine::Choice& choice) {
        return choice.name == name;
    });
}

/// Reads the parts of one cell.
class CellReader {
  public:
    CellReader(const Node& tree, const Catalogues& catalogues, Problems& problems)
        : tree_(tree), catalogues_(catalogues), problems_(problems) {}

    CellSettings read() {
        expect_known_keys(tree_, variable_keys(), "", problems_);
        CellSettings settings;
        settings.experiment = read_experiment();
        settings.system = read_system();
        settings.workload = read_workload();
        settings.policy = read_policy();
        settings.utilization = read_utilization(settings.experiment);
        settings.horizon = read_horizon(settings.experiment);
        settings.probes = read_probes(settings.experiment, settings.probe_choices);
        settings.replications = read_replications(tree_, problems_);
        settings.allow_unstable = read_allow_unstable();
        return settings;
    }

  private:
    /// A key of the top level that must be there; the problem is added when it is not.
    const Node* required(const char* key, const std::string& suggestion) {
        const Node* node = tree_.find(key);
        if (node == nullptr && !problems_.is_excused(key)) {
            problems_.add(
                {tree_.at.file, 0, 0},
                key,
                fmt::format("'{}' is missing ({})", key, row_of("campaign", key).meaning),
                suggestion
            );
        }
        return node;
    }

    std::optional<ExperimentKind> read_experiment() {
        const Node* node = required("experiment", "Add 'experiment: open'?");
        if (node == nullptr) {
            return std::nullopt;
        }
        const auto word =
            read_value(*node, row_of("campaign", "experiment"), "experiment", problems_);
        for (const ExperimentText& text : experiment_texts()) {
            if (word && word->as_text() == text.name) {
                return text.kind;
            }
        }
        return std::nullopt;
    }

    std::optional<engine::SystemDescription> read_system() {
        const Node* node = required("system", "Add 'system: {clusters: [32]}'?");
        if (node == nullptr) {
            return std::nullopt;
        }
        const auto parameters =
            read_parameters(node, section("system").keys, node->at, "system", problems_);
        if (!parameters) {
            return std::nullopt;
        }
        engine::SystemDescription system;
        for (const engine::Value& size : parameters->at("clusters").as_list()) {
            system.clusters.push_back(static_cast<std::uint32_t>(size.as_integer()));
        }
        system.memory_per_processor = parameters->real("memory_per_processor");
        constexpr std::size_t most_clusters = 1000;
        if (system.clusters.empty() || system.clusters.size() > most_clusters) {
            problems_.add(
                node->find("clusters")->at,
                "system.clusters",
                fmt::format(
                    "{} clusters (a system has 1 to {})", system.clusters.size(), most_clusters
                ),
                "Write [32]?"
            );
            return std::nullopt;
        }
        return system;
    }

    std::optional<Named<engine::WorkloadModelDescription>> read_workload() {
        const Node* node = required("workload", "Add 'workload: {model: …}'?");
        if (node == nullptr || !expect_workload_form(*node)) {
            return std::nullopt;
        }
        const Node& name = *node->find("model");
        const engine::WorkloadModelDescription* model = catalogues_.find_model(name.scalar);
        if (model == nullptr) {
            std::vector<std::string> names;
            for (const engine::WorkloadModelDescription& known : catalogues_.models) {
                names.push_back(known.alternative.name);
            }
            problems_.add(
                name.at,
                "workload.model",
                "unknown workload model " + what_is(name),
                name_suggestion(name.scalar, names)
            );
            return std::nullopt;
        }
        auto parameters = read_parameters(
            node, model->alternative.parameters, node->at, "workload", problems_, {"model"}
        );
        if (!parameters) {
            return std::nullopt;
        }
        if (model->alternative.check) {
            const auto found = model->alternative.check(*parameters);
            add_parameter_problems(found, node, node->at, "workload", problems_);
            if (!found.empty()) {
                return std::nullopt;
            }
        }
        return Named<engine::WorkloadModelDescription>{
            model, {model->alternative.name, std::move(*parameters)}};
    }

    bool expect_workload_form(const Node& node) {
        if (!node.is_map()) {
            problems_.add(
                node.at,
                "workload",
                "'workload' must be a mapping, not " + what_is(node),
                "Write {model: …}?"
            );
            return false;
        }
        const Node* model = node.find("model");
        if (model != nullptr) {
            return true;
        }
        const Node::Entry* near = nullptr;
        for (const Node::Entry& entry : node.entries) {
            near = nearest_name(entry.key, {"model"}) ? &entry : near;
        }
        if (near != nullptr) {
            problems_.add(
                near->at,
                "workload." + near->key,
                fmt::format("unknown key '{}' in 'workload' (it would be ignored)", near->key),
                "Did you mean 'model'?"
            );
        } else if (!problems_.is_excused("workload.model")) {
            problems_.add(
                node.at,
                "workload.model",
                "'workload.model' is missing (the workload model)",
                "Add 'model: …'?"
            );
        }
        return false;
    }

    std::optional<Named<engine::PolicyDescription>> read_policy() {
        const Node* node = required("policy", "Add 'policy: …'?");
        if (node == nullptr) {
            return std::nullopt;
        }
        auto choice =
            read_choice(*node, catalogues_.policy_alternatives, "policy", "policy", problems_);
        if (!choice) {
            return std::nullopt;
        }
        const engine::PolicyDescription* description = catalogues_.find_policy(choice->name);
        return Named<engine::PolicyDescription>{description, std::move(*choice)};
    }

    std::optional<double> read_utilization(const std::optional<ExperimentKind>& experiment) {
        const bool is_open = experiment == ExperimentKind::open;
        const Node* node =
            is_open ? required("load", "Add 'load: {utilization: 0.7}'?") : tree_.find("load");
        if (node == nullptr) {
            return std::nullopt;
        }
        const auto parameters =
            read_parameters(node, section("load").keys, node->at, "load", problems_);
        return parameters ? std::optional<double>(parameters->real("utilization")) : std::nullopt;
    }

    std::optional<engine::Horizon> read_horizon(const std::optional<ExperimentKind>& experiment) {
        const Node* node = tree_.find("horizon");
        const SourcePosition at = node == nullptr ? tree_.at : node->at;
        const auto parameters =
            read_parameters(node, section("horizon").keys, at, "horizon", problems_);
        if (!parameters || !experiment) {
            return std::nullopt;
        }
        const auto count = [&](const char* key) {
            return static_cast<std::uint64_t>(parameters->integer(key));
        };
        engine::Horizon horizon;
        if (*experiment == ExperimentKind::bin_filling) {
            horizon.fills = count("fills");
            return horizon;
        }
        horizon.jobs = count("jobs");
        horizon.warm_up_jobs = warm_up_jobs(parameters->choice("warm_up"), horizon.jobs);
        if (*experiment == ExperimentKind::saturated) {
            horizon.backlog = count("backlog");
        }
        if (horizon.warm_up_jobs >= horizon.jobs) {
            problems_.add_once(
                "warm_up >= jobs",
                {nearest_position(tree_, "horizon.warm_up"),
                 "horizon.warm_up",
                 fmt::format(
                     "a warm-up of {} of {} jobs (none would be measured)",
                     horizon.warm_up_jobs,
                     horizon.jobs
                 ),
                 "Make 'horizon.jobs' larger or the warm-up shorter?"}
            );
            return std::nullopt;
        }
        return horizon;
    }

    static std::uint64_t warm_up_jobs(const engine::Choice& warm_up, std::uint64_t jobs) {
        if (warm_up.name == "jobs") {
            return static_cast<std::uint64_t>(warm_up.parameters.integer("jobs"));
        }
        if (warm_up.name == "none") {
            return 0;
        }
        const double fraction = warm_up.parameters.real("fraction");
        return static_cast<std::uint64_t>(std::floor(fraction * static_cast<double>(jobs) + 0.5));
    }

    /// Without `probes` an experiment in which jobs have response times measures them.
    std::optional<engine::ProbeSet> read_probes(
        const std::optional<ExperimentKind>& experiment, std::vector<engine::Choice>& choices
    ) {
        engine::ProbeSet set;
        const Node* node = tree_.find("probes");
        if (node == nullptr) {
            const bool has_no_time = experiment == ExperimentKind::bin_filling
                                     || experiment == ExperimentKind::saturated;
            if (!has_no_time) {
                choices = default_probes();
                set.requests.push_back(engine::make_probe_request(choices.front()));
            }
            return set;
        }
        if (!node->is_list()) {
            problems_.add(
                node->at,
                "probes",
                "'probes' must be a list, not " + what_is(*node),
                "Write [response_time]?"
            );
            return std::nullopt;
        }
        for (const Node& item : node->items) {
            auto choice =
                read_choice(item, engine::probe_alternatives(), "probe", "probes", problems_);
            if (choice && is_among(choices, choice->name)) {
                problems_.add(
                    item.at,
                    "probes",
                    fmt::format("probe '{}' is asked for twice", choice->name),
                    "Put its parameters together?"
                );
            } else if (choice) {
                set.requests.push_back(engine::make_probe_request(*choice));
                choices.push_back(std::move(*choice));
            }
        }
        const bool is_complete = set.requests.size() == node->items.size();
        return is_complete ? std::optional<engine::ProbeSet>(std::move(set)) : std::nullopt;
    }

    std::optional<bool> read_allow_unstable() {
        const Node* node = tree_.find("allow_unstable");
        if (node == nullptr) {
            return false;
        }
        const auto value =
            read_value(*node, row_of("campaign", "allow_unstable"), "allow_unstable", problems_);
        return value ? std::optional<bool>(value->as_boolean()) : std::nullopt;
    }

    const Node& tree_;
    const Catalogues& catalogues_;
    Problems& problems_;
};

}  // namespace

std::vector<engine::Choice> default_probes() {
    const engine::Alternative& first = engine::probe_alternatives().front();
    return {{first.name, engine::with_defaults(first.parameters)}};
}

CellSettings read_cell(const Node& tree, const Catalogues& catalogues, Problems& problems) {
    return CellReader(tree, catalogues, problems).read();
}

}  // namespace schedfarm::campaigns
