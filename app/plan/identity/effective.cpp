#include "app/plan/identity/effective.hpp"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <utility>
#include <vector>

#include "app/config/cell_settings.hpp"
#include "app/config/schema/schema.hpp"
#include "app/config/sections/metric_suggestion.hpp"
#include "app/config/sections/replication_reader.hpp"
#include "app/config/sections/seed_range.hpp"
#include "app/config/sections/value_reader.hpp"
#include "app/config/yaml/merge.hpp"
#include "app/config/yaml/value_node.hpp"
#include "app/plan/identity/effective_values.hpp"

namespace schedfarm::app {

namespace {

using engine::ParameterDescription;

class EffectiveWriter {
  public:
    EffectiveWriter(
        const Node& campaign, const Node& base, const Grid& grid, const Catalogues& catalogues
    )
        : campaign_(campaign)
        , base_(base)
        , catalogues_(catalogues)
        , grid_(grid)
        , values_(campaign, grid) {}

    std::string write(const Header& header, const Node& inputs) {
        add("campaign_format", Node::text("1", {}));
        add_text("name", header.name);
        add_text("description", header.description);
        add_text("time_unit", header.time_unit);
        if (!values_.is_referred(seed_key)) {
            add(seed_key, Node::text(std::to_string(campaign_seed(base_)), {}));
        }
        if (!inputs.entries.empty()) {
            add("inputs", inputs);
        }
        as_written("experiment");
        write_section("system");
        write_workload();
        write_policy();
        write_load();
        write_section("horizon");
        write_section("random_numbers");
        write_section("pilot");
        write_replications();
        write_probes();
        write_allow_unstable();
        write_section("certificate");
        write_factors();
        copy("derived");
        copy("overrides");
        write_analysis("comparison");
        write_analysis("selection");
        write_analysis("control_variates");
        copy("claims");
        write_analysis("job_log");
        write_reference();
        write_analysis("report");
        return file_text(tree_, "factors");
    }

  private:
    void add(const std::string& key, Node value) { add_entry(tree_, key, std::move(value)); }

    void add_text(const std::string& key, const std::string& text) {
        if (!text.empty()) {
            add(key, quoted(text));
        }
    }

    void add_copy(const std::string& key, const Node* node) {
        if (node != nullptr && !node->is_null()) {
            add(key, *node);
        }
    }

    void as_written(const std::string& key) { add_copy(key, base_.find(key)); }
    void copy(const std::string& key) { add_copy(key, campaign_.find(key)); }

    /// Sections that every cell has are written with their defaults even where they are not given.
    bool is_everywhere(const std::string& key) const {
        const auto& factors = grid_.factors();
        const bool has_pilot = std::any_of(
            factors.begin(), factors.end(), [](const Factor& factor) { return factor.is_placed(); }
        );
        return key == "horizon" || key == "random_numbers" || (key == "pilot" && has_pilot);
    }

    void write_section(const std::string& key) {
        const Node* node = base_.find(key);
        if (values_.is_whole_referred(key) || (node != nullptr && node->is_list())) {
            as_written(key);
            return;
        }
        Node table = values_.table(node, section(key).keys, key);
        if (key == "horizon" && find_path(base_, "horizon.warm_up") == nullptr
            && warm_up_depends()) {
            table.erase("warm_up");
        }
        if (!table.entries.empty() && (is_everywhere(key) || node != nullptr)) {
            add(key, std::move(table));
        }
    }

    /// Whether the default of the warm-up is another one in some cell (horizon_reader.cpp).
    bool warm_up_depends() const {
        const auto experiment = experiment_of(base_);
        const Node* jobs = find_path(base_, "horizon.jobs");
        return !experiment || experiment->starts_with_all()
               || (jobs != nullptr && jobs->scalar == "all") || values_.is_referred("experiment")
               || values_.is_referred("horizon.jobs");
    }

    void write_load() {
        const Node* search = find_path(base_, "load.search");
        if (search == nullptr || !search->is_map() || values_.is_whole_referred("load")
            || values_.is_whole_referred("load.search")) {
            write_section("load");
            return;
        }
        Node load = Node::map({});
        add_entry(load, "search", table_of(*search, "load.search"));
        add("load", std::move(load));
    }

    Node table_of(const Node& node, const std::string& name) const {
        return values_.table(&node, section(name).keys, name);
    }

    /// A section that is one for the whole campaign.
    void write_analysis(const std::string& key) {
        if (const Node* node = campaign_.find(key)) {
            add(key, table_of(*node, key));
        }
    }

    void write_workload() {
        const Node* node = base_.find("workload");
        const Node* name = node == nullptr ? nullptr : node->find("model");
        const auto* model = name == nullptr ? nullptr : catalogues_.find_model(name->scalar);
        if (model == nullptr || values_.is_whole_referred("workload")
            || values_.is_referred("workload.model")) {
            as_written("workload");
            return;
        }
        Node workload = Node::map({});
        add_entry(workload, "model", *name);
        for (auto& entry : values_.table(node, model->alternative.parameters, "workload").entries) {
            workload.entries.push_back(std::move(entry));
        }
        add("workload", std::move(workload));
    }

    void write_policy() {
        const Node* node = base_.find("policy");
        if (node == nullptr || values_.is_referred("policy")) {
            as_written("policy");
            return;
        }
        add("policy", choice_of(*node, catalogues_.policy_alternatives, "policy"));
    }

    static Node choice_of(
        const Node& node, const std::vector<engine::Alternative>& alternatives, const char* what
    ) {
        Problems ignored;
        const auto choice = read_choice(node, alternatives, what, what, ignored);
        return choice ? node_of(*choice) : node;
    }

    void write_replications() {
        Problems ignored;
        const auto plan = values_.is_referred("replications") || values_.is_referred("precision")
                              ? std::nullopt
                              : read_replications(base_, ignored);
        if (!plan) {
            as_written("replications");
            as_written("precision");
            return;
        }
        if (plan->targets.empty()) {
            const Node& written = *base_.find("replications");
            Node fixed = written;
            if (written.is_scalar()) {
                fixed = Node::map({});
                add_entry(fixed, "count", written);
            }
            add("replications", table_of(fixed, "replications"));
            return;
        }
        // What several keys say together is written as it is meant.
        Node precision = table_of(*base_.find("precision"), "precision");
        for (const char* key : {"metric", "relative", "absolute", "targets", "interval"}) {
            precision.erase(key);
        }
        add_entry(precision, "targets", targets_of(*plan));
        add_entry(precision, "interval", Node::text(interval_name(plan->method), {}));
        add("precision", std::move(precision));
    }

    static Node targets_of(const ReplicationPlan& plan) {
        Node list = Node::list({}, {});
        for (const MetricTarget& target : plan.targets) {
            Node item = Node::map({});
            add_entry(item, "metric", node_of_text(target.metric));
            if (target.target.relative) {
                add_entry(item, "relative", node_of(engine::Value(*target.target.relative)));
            }
            if (target.target.absolute) {
                add_entry(item, "absolute", node_of(engine::Value(*target.target.absolute)));
            }
            list.items.push_back(std::move(item));
        }
        return list;
    }

    void write_probes() {
        const Node* node = base_.find("probes");
        if (node == nullptr || values_.is_referred("probes")) {
            as_written("probes");
            return;
        }
        Node list = Node::list({}, {});
        for (const Node& item : node->items) {
            list.items.push_back(choice_of(item, engine::probe_alternatives(), "probes"));
        }
        add("probes", std::move(list));
    }

    void write_allow_unstable() {
        if (base_.find("allow_unstable") != nullptr) {
            as_written("allow_unstable");
        } else if (!values_.is_referred("allow_unstable")) {
            add("allow_unstable", Node::text("false", {}));
        }
    }

    /// As written; labels quoted, because a label is the text and not the number that it may be.
    void write_factors() {
        const Node* written = campaign_.find("factors");
        if (written == nullptr || written->entries.empty()) {
            return;
        }
        Node factors = *written;
        for (Node::Entry& factor : factors.entries) {
            if (const Node* labels = factor.value->find("labels")) {
                Node texts = *labels;
                for (Tree& label : texts.items) {
                    label = quoted(label->scalar);
                }
                Node spec = factor.value;
                spec.find_entry("labels")->value = std::move(texts);
                factor.value = std::move(spec);
            }
        }
        add("factors", std::move(factors));
    }

    void write_reference() {
        const Node* reference = campaign_.find("reference");
        if (reference == nullptr) {
            return;
        }
        namespace fs = std::filesystem;
        const fs::path name = referred_name(reference->at.file, reference->scalar);
        const fs::path folder = fs::path(campaign_.at.file).parent_path().lexically_normal();
        const fs::path shown = name.is_absolute() && !folder.is_absolute()
                                   ? name
                                   : name.lexically_relative(folder.empty() ? "." : folder);
        add("reference", quoted(shown.generic_string()));
    }

    const Node& campaign_;
    const Node& base_;
    const Catalogues& catalogues_;
    const Grid& grid_;
    EffectiveValues values_;
    Node tree_ = Node::map({});
};

}  // namespace

std::string effective_configuration(
    const Node& campaign,
    const Node& base,
    const Node& inputs,
    const Header& header,
    const Grid& grid,
    const Catalogues& catalogues
) {
    return EffectiveWriter(campaign, base, grid, catalogues).write(header, inputs);
}

}  // namespace schedfarm::app
