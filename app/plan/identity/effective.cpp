#include "app/plan/identity/effective.hpp"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "app/config/cell_settings.hpp"
#include "app/config/schema/schema.hpp"
#include "app/config/sections/replication_reader.hpp"
#include "app/config/sections/value_reader.hpp"
#include "app/config/yaml/merge.hpp"
#include "app/config/yaml/numbers.hpp"
#include "app/config/yaml/suggestion.hpp"
#include "app/plan/identity/effective_values.hpp"

namespace schedfarm::app {

namespace {

using engine::ParameterDescription;

class EffectiveWriter {
  public:
    EffectiveWriter(const PinnedCampaign& pinned, const Grid& grid, const Catalogues& catalogues)
        : campaign_(pinned.campaign)
        , base_(pinned.base)
        , catalogues_(catalogues)
        , grid_(grid)
        , values_(pinned.campaign, grid) {}

    std::string write(const Header& header) {
        line("campaign_format", "1");
        line("name", quoted_text(header.name));
        if (!header.description.empty()) {
            line("description", quoted_text(header.description));
        }
        if (!header.time_unit.empty()) {
            line("time_unit", quoted_text(header.time_unit));
        }
        line("seed", std::to_string(header.seed));
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
        write_report(header.report);
        return std::move(text_);
    }

  private:
    void line(const std::string& key, const std::string& value) {
        text_ += key + ": " + value + "\n";
    }

    void as_written(const std::string& key) {
        if (const Node* node = base_.find(key)) {
            line(key, flow_text(*node));
        }
    }

    void copy(const std::string& key) {
        const Node* node = campaign_.find(key);
        if (node != nullptr && !node->is_null()) {
            line(key, flow_text(*node));
        }
    }

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
        const auto texts = values_.table_texts(node, section(key).keys, key);
        if (!texts.empty() && (is_everywhere(key) || node != nullptr)) {
            line(key, "{" + joined(texts) + "}");
        }
    }

    void write_load() {
        const Node* node = base_.find("load");
        const Node* search = node == nullptr ? nullptr : node->find("search");
        if (search == nullptr || !search->is_map() || values_.is_whole_referred("load")
            || values_.is_whole_referred("load.search")) {
            write_section("load");
            return;
        }
        const std::string name = "load.search";
        const auto texts = values_.table_texts(search, section(name).keys, name);
        line("load", "{search: {" + joined(texts) + "}}");
    }

    /// A section that is one for the whole campaign.
    void write_analysis(const std::string& key) {
        if (const Node* node = campaign_.find(key)) {
            line(key, "{" + joined(values_.table_texts(node, section(key).keys, key)) + "}");
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
        const auto texts = values_.table_texts(node, model->alternative.parameters, "workload");
        line(
            "workload",
            "{model: " + scalar_text(name->scalar) + (texts.empty() ? "" : ", ") + joined(texts)
                + "}"
        );
    }

    void write_policy() {
        const Node* node = base_.find("policy");
        if (node == nullptr || values_.is_referred("policy")) {
            as_written("policy");
            return;
        }
        Problems ignored;
        const auto choice =
            read_choice(*node, catalogues_.policy_alternatives, "policy", "policy", ignored);
        line("policy", choice ? choice->text() : flow_text(*node));
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
        const std::string common = fmt::format(
            "confidence: {}, interval: {}",
            number_text(plan->confidence),
            interval_name(plan->method)
        );
        if (plan->targets.empty()) {
            line("replications", fmt::format("{{count: {}, {}}}", plan->limits.max, common));
            return;
        }
        const Node* rule = find_path(base_, "precision.rule");
        line(
            "precision",
            fmt::format(
                "{{targets: [{}], {}, rule: {}, min: {}, max: {}{}}}",
                joined(target_texts(*plan)),
                common,
                rule == nullptr ? "default" : rule->scalar,
                plan->limits.min,
                plan->limits.max,
                budget_text()
            )
        );
    }

    static std::vector<std::string> target_texts(const ReplicationPlan& plan) {
        std::vector<std::string> texts;
        for (const MetricTarget& target : plan.targets) {
            std::string text = "{metric: " + scalar_text(target.metric);
            text +=
                target.target.relative ? ", relative: " + number_text(*target.target.relative) : "";
            text +=
                target.target.absolute ? ", absolute: " + number_text(*target.target.absolute) : "";
            texts.push_back(text + "}");
        }
        return texts;
    }

    std::string budget_text() const {
        const Node* budget = find_path(base_, "precision.budget");
        if (budget == nullptr) {
            return "";
        }
        const std::string name = "precision.budget";
        return ", budget: {" + joined(values_.table_texts(budget, section(name).keys, name)) + "}";
    }

    void write_probes() {
        const Node* node = base_.find("probes");
        if (node == nullptr || values_.is_referred("probes")) {
            as_written("probes");
            return;
        }
        std::vector<std::string> texts;
        for (const Node& item : node->items) {
            Problems ignored;
            const auto choice =
                read_choice(item, engine::probe_alternatives(), "probe", "probes", ignored);
            texts.push_back(choice ? choice->text() : flow_text(item));
        }
        line("probes", "[" + joined(texts) + "]");
    }

    void write_allow_unstable() {
        if (base_.find("allow_unstable") != nullptr) {
            as_written("allow_unstable");
        } else if (!values_.is_referred("allow_unstable")) {
            line("allow_unstable", "false");
        }
    }

    void write_factors() {
        const Node* factors = campaign_.find("factors");
        if (factors == nullptr || factors->entries.empty()) {
            return;
        }
        text_ += "factors:\n";
        for (const Node::Entry& entry : factors->entries) {
            text_ += "  " + scalar_text(entry.key) + ": " + factor_text(entry.value) + "\n";
        }
    }

    /// As written; labels quoted, because a label is the text and not the number that it may be.
    static std::string factor_text(const Node& spec) {
        const Node* labels = spec.find("labels");
        if (labels == nullptr) {
            return flow_text(spec);
        }
        std::vector<std::string> texts;
        for (const Node& label : labels->items) {
            texts.push_back(quoted_text(label.scalar));
        }
        return "{zip: " + flow_text(*spec.find("zip")) + ", labels: [" + joined(texts) + "]}";
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
        line("reference", quoted_text(shown.generic_string()));
    }

    void write_report(const ReportLayout& report) {
        std::vector<std::string> texts;
        const auto add_text = [&](const char* key, const std::string& value) {
            if (!value.empty()) {
                texts.push_back(std::string(key) + ": " + quoted_text(value));
            }
        };
        const auto add_names = [&](const char* key, const std::vector<std::string>& names) {
            std::vector<std::string> quoted;
            quoted.reserve(names.size());
            for (const std::string& name : names) {
                quoted.push_back(quoted_text(name));
            }
            if (!names.empty()) {
                texts.push_back(std::string(key) + ": [" + joined(quoted) + "]");
            }
        };
        add_text("title", report.title);
        add_text("source", report.source);
        add_names("rows", report.rows);
        add_names("metrics", report.metrics);
        if (!report.intervals.empty()) {
            texts.push_back("intervals: " + report.intervals);
        }
        if (const Node* figures = find_path(campaign_, "report.figures")) {
            texts.push_back("figures: " + flow_text(*figures));
        }
        if (!texts.empty()) {
            line("report", "{" + joined(texts) + "}");
        }
    }

    const Node& campaign_;
    const Node& base_;
    const Catalogues& catalogues_;
    const Grid& grid_;
    EffectiveValues values_;
    std::string text_;
};

}  // namespace

std::string effective_configuration(
    const PinnedCampaign& campaign,
    const Header& header,
    const Grid& grid,
    const Catalogues& catalogues
) {
    return EffectiveWriter(campaign, grid, catalogues).write(header);
}

}  // namespace schedfarm::app
