#include "app/campaign/checks/cell_settings.hpp"

#include <algorithm>
#include <initializer_list>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "models/trace/prepared_log.hpp"
#include "models/trace/reading/log_error.hpp"
#include "models/trace/trace_settings.hpp"

#include "app/campaign/checks/counted_jobs.hpp"
#include "app/campaign/checks/fixed_jobs.hpp"
#include "app/campaign/checks/unserved_jobs.hpp"
#include "app/campaign/keys/metric_suggestion.hpp"
#include "app/campaign/keys/section_lists.hpp"
#include "app/campaign/keys/section_reader.hpp"
#include "app/campaign/keys/sections/load_reader.hpp"
#include "app/campaign/keys/sections/replication_reader.hpp"
#include "app/campaign/keys/sections/seed_range.hpp"
#include "app/campaign/keys/sections/system_reader.hpp"
#include "app/campaign/keys/value_reader.hpp"
#include "app/campaign/keys/words.hpp"
#include "app/campaign/yaml/suggestion.hpp"

namespace schedfarm::app {

namespace {

bool is_word_among(const std::vector<engine::Choice>& choices, const std::string& name) {
    return std::any_of(choices.begin(), choices.end(), [&](const engine::Choice& choice) {
        return choice.name == name;
    });
}

const Section& random_section() {
    static const Section section =
        Section(
            "random_numbers",
            "`common`: all cells draw with the campaign's seed, so that what differs between "
            "them is not chance. `independent`: a cell draws with a seed of its own, the first "
            "64 bits of a SHA-256 of the campaign's seed and of the values of everything that "
            "is simulated. What is only measured changes no seed."
        )
            .word("generator", all_words_of<engine::Generator>())
            .means("family of generators", "philox")
            .word("streams", {"common", "independent"})
            .means("which cells share random numbers", "common");
    return section;
}

/// Reads the parts of one cell.
class CellReader {
  public:
    CellReader(
        const Node& tree,
        const Catalogues& catalogues,
        const engine::SelectionSettings* selection,
        KnownCellParts& known,
        Problems& problems
    )
        : tree_(tree)
        , catalogues_(catalogues)
        , selection_(selection)
        , known_(known)
        , problems_(problems) {}

    CellSettings read() {
        explain_keys_of_sections();
        expect_known_keys(tree_, variable_keys(), "", problems_);
        CellSettings settings;
        read_experiment(settings);
        settings.system =
            known_.systems.of(parts({"system"}), [&] { return read_system(tree_, problems_); });
        settings.workload =
            known_.workloads.of(parts({"workload"}), [&] { return read_workload(); });
        settings.policy = known_.policies.of(parts({"policy"}), [&] { return read_policy(); });
        take_load(settings);
        leave_out_unserved_jobs(settings);
        read_shared_parts(settings);
        settings.allow_unstable = read_allow_unstable();
        return settings;
    }

  private:
    /// Null for those that the cell does not give.
    std::vector<Tree> parts(std::initializer_list<const char*> keys) const {
        std::vector<Tree> found;
        for (const char* key : keys) {
            const Node::Entry* entry = tree_.find_entry(key);
            found.push_back(entry == nullptr ? Tree() : entry->value);
        }
        return found;
    }

    /// What depends on more than one section.
    void read_shared_parts(CellSettings& settings) {
        settings.horizon = known_.horizons.of(
            parts({"horizon", "experiment", "system", "workload", "policy"}),
            [&] {
                const auto counted = with_counted_jobs(tree_, settings, problems_);
                return counted ? read_horizon(*counted, JobCount::all, settings, problems_)
                               : read_horizon(tree_, JobCount::given, settings, problems_);
            }
        );
        settings.random = known_.random.of(parts({"random_numbers"}), [&] {
            const auto written = read_section_in(tree_, random_section(), problems_);
            return written ? std::optional(RandomSettings{
                       word_as<engine::Generator>(written->text("generator")),
                       says(*written, "streams", "common") ? StreamSharing::common
                                                           : StreamSharing::independent})
                           : std::nullopt;
        });
        settings.pilot =
            known_.pilots.of(parts({"pilot"}), [&] { return read_pilot(tree_, problems_); });
        settings.probes = known_.probes.of(parts({"probes", "experiment"}), [&] {
            return read_probes(settings);
        });
        settings.replications = known_.replications.of(
            settings.load_search ? parts({"replications", "precision", "experiment", "load"})
                                 : parts({"replications", "precision", "experiment"}),
            [&] { return read_replication_plan(settings); }
        );
        settings.certificates = known_.certificates.of(parts({"certificate", "experiment"}), [&] {
            return std::optional(read_certificates(tree_, problems_));
        });
    }

    void leave_out_unserved_jobs(CellSettings& settings) {
        if (!settings.policy || !settings.system || !settings.policy->description->job_check
            || settings.workload_facts().logs.empty()) {
            return;
        }
        const auto served =
            known_.served_workloads.of(parts({"workload", "policy", "system"}), [&] {
                NamedWorkload workload = *settings.workload;
                UnservedJobs unserved;
                try {
                    unserved = app::leave_out_unserved_jobs(
                        settings.policy->choice, *settings.system, workload.choice
                    );
                } catch (const models::trace::LogError&) {
                    // Who opens the log says what is wrong with it.
                }
                return std::optional(ServedWorkload{
                    std::make_shared<const NamedWorkload>(std::move(workload)), unserved});
            });
        settings.workload = served->workload;
        settings.unserved = served->unserved;
    }

    /// A key that stands where its section should, as in `factors: {load_factor: …}`.
    void explain_keys_of_sections() {
        for (const Node::Entry& entry : tree_.entries) {
            const auto& known = variable_keys();
            if (contains(known, entry.key)) {
                continue;
            }
            if (const auto path = path_in_section(entry.key)) {
                problems_.add(
                    entry.at,
                    entry.key,
                    unknown_key_text(entry.key, ""),
                    fmt::format("Did you mean '{}'?", *path)
                );
            }
        }
    }

    std::optional<std::string> path_in_section(const std::string& key) const {
        const auto has = [&key](const std::vector<engine::ParameterDescription>& table) {
            const auto names = key_names(table);
            return contains(names, key);
        };
        const Node* model = find_path(tree_, "workload.model");
        for (const engine::WorkloadModelDescription& known : catalogues_.models) {
            if (model != nullptr && model->scalar == known.alternative.name
                && has(known.alternative.parameters)) {
                return "workload." + key;
            }
        }
        const Node* policy = tree_.find("policy");
        for (const engine::Alternative& known : catalogues_.policy_alternatives) {
            const bool is_named =
                policy != nullptr
                && (policy->scalar == known.name || policy->find(known.name) != nullptr);
            if (is_named && has(known.parameters)) {
                return fmt::format("policy.{}.{}", known.name, key);
            }
        }
        for (const char* name : {"system", "load", "horizon"}) {
            if (has(section(name).keys)) {
                return fmt::format("{}.{}", name, key);
            }
        }
        return std::nullopt;
    }

    void read_experiment(CellSettings& settings) {
        const Node* node = required_key(tree_, "experiment", "Add 'experiment: open'.", problems_);
        if (node == nullptr) {
            return;
        }
        read_value(*node, campaign_section().row("experiment"), "experiment", problems_);
        settings.experiment = experiment_of(tree_);
    }

    std::optional<NamedWorkload> read_workload() {
        const Node* node =
            required_key(tree_, "workload", "Add 'workload: {model: …}'.", problems_);
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
            node, model->alternative.parameters, node->at, "workload", problems_, {{"model"}, {}}
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
        return NamedWorkload{model, {model->alternative.name, std::move(*parameters)}};
    }

    bool expect_workload_form(const Node& node) {
        if (!expect_kind(node, Node::Kind::map, "workload", "Write {model: …}.", problems_)) {
            return false;
        }
        const Node* model = node.find("model");
        if (model != nullptr) {
            return true;
        }
        const Node::Entry* near = nullptr;
        for (const Node::Entry& entry : node.entries) {
            if (catalogues_.find_model(entry.key) != nullptr) {
                problems_.add(
                    entry.at,
                    "workload.model",
                    fmt::format("'{}' stands where a key of 'workload' should", entry.key),
                    fmt::format("Write {{model: {}, …}}.", entry.key)
                );
                return false;
            }
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
                "Add 'model: …'."
            );
        }
        return false;
    }

    std::optional<NamedPolicy> read_policy() {
        const Node* node = required_key(tree_, "policy", "Add 'policy: …'.", problems_);
        if (node == nullptr) {
            return std::nullopt;
        }
        auto choice =
            read_choice(*node, catalogues_.policy_alternatives, "policy", "policy", problems_);
        if (!choice) {
            return std::nullopt;
        }
        const engine::PolicyDescription* description = catalogues_.find_policy(choice->name);
        return NamedPolicy{description, std::move(*choice)};
    }

    void take_load(CellSettings& settings) {
        const bool is_needed = settings.takes_load();
        const Node* node =
            is_needed ? required_key(tree_, "load", "Add 'load: {utilization: 0.7}'.", problems_)
                      : tree_.find("load");
        const auto load = node == nullptr ? nullptr : known_.loads.of(parts({"load"}), [&] {
            return read_load(*node, problems_);
        });
        if (load && (is_needed || !settings.is_open())) {
            settings.utilization = load->utilization;
            settings.load_search = load->search;
        }
    }

    /// What decides in the cell's place is a selection or the search for a load.
    std::optional<ReplicationPlan> read_replication_plan(const CellSettings& settings) {
        ReplicationPlan plan;
        if (selection_ != nullptr) {
            plan.limits = {selection_->first_stage, selection_->max};
            plan.confidence = selection_->confidence;
            refuse_replications("selection");
            return plan;
        }
        if (settings.is_open() && settings.load_search) {
            const LoadSearch& search = *settings.load_search;
            plan.limits = {search.round, std::uint64_t{search.round} * search.most_rounds};
            plan.confidence = search.confidence;
            refuse_replications("load.search");
            return plan;
        }
        return read_replications(tree_, problems_);
    }

    void refuse_replications(const std::string& decider) {
        for (const char* key : {"replications", "precision"}) {
            refuse_key(
                tree_,
                key,
                key,
                fmt::format("'{}' beside '{}' (which decides how many there are)", key, decider),
                "Remove one.",
                problems_
            );
        }
    }

    /// Without `probes` an experiment in which jobs have response times measures them.
    std::optional<CellProbes> read_probes(const CellSettings& settings) {
        CellProbes probes;
        auto& [set, choices] = probes;
        const Node* node = tree_.find("probes");
        if (node == nullptr) {
            if (!settings.experiment || settings.experiment->has_response_times()) {
                choices = default_probes();
                set.requests.push_back(engine::make_probe_request(choices.front()));
            }
            return probes;
        }
        if (!expect_kind(*node, Node::Kind::list, "probes", "Write [response_time].", problems_)) {
            return std::nullopt;
        }
        for (const Node& item : node->items) {
            auto choice = read_probe(item, problems_);
            if (choice && is_word_among(choices, choice->name)) {
                problems_.add(
                    item.at,
                    "probes",
                    fmt::format("probe '{}' is asked for twice", choice->name),
                    "Put its parameters together."
                );
            } else if (choice) {
                set.requests.push_back(engine::make_probe_request(*choice));
                choices.push_back(std::move(*choice));
            }
        }
        const bool is_complete = set.requests.size() == node->items.size();
        return is_complete ? std::optional(std::move(probes)) : std::nullopt;
    }

    std::optional<bool> read_allow_unstable() {
        const Node* node = tree_.find("allow_unstable");
        if (node == nullptr) {
            return false;
        }
        const auto value = read_value(
            *node, campaign_section().row("allow_unstable"), "allow_unstable", problems_
        );
        return value ? std::optional<bool>(value->as_boolean()) : std::nullopt;
    }

    const Node& tree_;
    const Catalogues& catalogues_;
    const engine::SelectionSettings* selection_;
    KnownCellParts& known_;
    Problems& problems_;
};

}  // namespace

std::vector<Section> random_sections() {
    return {random_section(), seed_range_section()};
}

std::vector<engine::Choice> default_probes() {
    const engine::Alternative& first = engine::probe_alternatives().front();
    return {{first.name, engine::with_defaults(first.parameters)}};
}

engine::WorkloadFacts CellSettings::workload_facts() const {
    return workload ? workload->description->facts(workload->choice.parameters)
                    : engine::WorkloadFacts{};
}

bool CellSettings::takes_load() const {
    return is_open() && !workload_facts().has_own_arrivals;
}

bool CellSettings::is_complete() const {
    const bool has_load = utilization || load_search || saturation_fraction;
    return experiment && system && workload && policy && horizon && random && pilot && probes
           && replications && allow_unstable && (has_load || !takes_load());
}

CellSettings read_cell(
    const Node& tree,
    const Catalogues& catalogues,
    KnownCellParts& known,
    Problems& problems,
    const engine::SelectionSettings* selection
) {
    return CellReader(tree, catalogues, selection, known, problems).read();
}

}  // namespace schedfarm::app
