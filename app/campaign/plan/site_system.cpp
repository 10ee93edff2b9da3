#include "app/campaign/plan/site_system.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "models/catalogue.hpp"
#include "policies/catalogue.hpp"
#include "policies/slurm/site/site.hpp"

#include "app/campaign/keys/schema.hpp"
#include "app/campaign/keys/value_reader.hpp"
#include "app/campaign/yaml/suggestion.hpp"

namespace schedfarm::app {

namespace {

const std::string site_path = "system.slurm";
const std::string site_policy = "slurm";

const std::vector<engine::ParameterDescription>& site_policy_rows() {
    return policies::find_policy(site_policy)->alternative.parameters;
}

/// The files' contents as parameters of the policy.
std::optional<engine::Parameters> read_site_section(const Node& node, Problems& problems) {
    std::vector<engine::ParameterDescription> table;
    for (const engine::ParameterDescription& row : site_policy_rows()) {
        if (row.name == "conf" || row.name == "associations" || row.name == "qos"
            || row.name == "changes" || row.name == "accept") {
            table.push_back(row);
        }
    }
    table.front().default_value.reset();
    table.push_back(
        {.name = "version",
         .meaning = "release of Slurm whose rules hold, 22.05 to 26.05; by default 22.05",
         .type = engine::ParameterType::text,
         .default_value = ""}
    );
    const auto read = read_parameters(&node, table, node.at, site_path, problems);
    if (!read) {
        return std::nullopt;
    }
    engine::Parameters given;  // without `version`: it is a change
    for (const auto& [name, value] : read->entries()) {
        if (name != "version") {
            given.set(name, value);
        }
    }
    if (const std::string release = read->text("version"); !release.empty()) {
        const std::string changes = read->text("changes");
        given.set(
            "changes",
            (changes.empty() ? "" : changes + ";") + policies::slurm::version_change(release)
        );
    }
    return given;
}

/// Whether the campaign says it: an empty text, as the effective configuration has, says nothing.
bool is_said(const Node& cell, const std::string& path) {
    const Node* said = find_path(cell, path);
    return said != nullptr && !(said->is_scalar() && said->scalar.empty());
}

/// The parameters that the policy itself does not give.
void complete_policy(Node& cell, const engine::Parameters& site, const Node& node) {
    const Node* policy = cell.find("policy");
    const bool is_slurm =
        policy != nullptr
        && (policy->scalar == site_policy || policy->find(site_policy) != nullptr);
    if (!is_slurm || is_said(cell, "policy.slurm.conf")) {
        return;
    }
    for (const auto& [name, value] : site.entries()) {
        const std::string key = "policy.slurm." + name;
        if (!value.as_text().empty() && !is_said(cell, key)) {
            Node text = Node::text(value.as_text(), node.at);
            text.style = Node::Style::quoted;
            set_path(cell, key, std::move(text), node.at);
        }
    }
}

/// Where the parameters of logs stand: the workload itself, or a log that it is a version of.
std::vector<std::string> logs_in(const Node& cell) {
    const auto is_log = [](const std::string& name) {
        const auto* model = models::find_model(name);
        return model != nullptr
               && contains(
                   key_names(model->alternative.parameters), std::string("partition_limits")
               );
    };
    std::vector<std::string> found;
    std::function<void(const Node&, const std::string&)> look = [&](const Node& of,
                                                                    const std::string& path) {
        for (const Node::Entry& entry : of.entries) {
            const std::string own = path + "." + entry.key;
            if (is_log(entry.key)) {
                found.push_back(own);
            } else {
                look(*entry.value, own);
            }
        }
    };
    const Node* const name = find_path(cell, "workload.model");
    if (name != nullptr && is_log(name->scalar)) {
        found.emplace_back("workload");
    } else if (const Node* workload = cell.find("workload")) {
        look(*workload, "workload");
    }
    return found;
}

}  // namespace

void add_site(Node& cell, Problems& problems) {
    const Node* found = find_path(cell, site_path);
    if (found == nullptr) {
        return;
    }
    const Node node = *found;
    if (const Node* clusters = find_path(cell, "system.clusters")) {
        problems.add(
            clusters->at,
            "system.clusters",
            "'clusters' beside 'slurm' (slurm.conf says which processors there are)",
            "Remove one."
        );
        return;
    }
    problems.excuse("system.clusters");  // what is wrong with the files is said of them
    const auto given = read_site_section(node, problems);
    if (!given) {
        return;
    }
    const auto site = policies::slurm::read_site(policies::slurm::site_files(*given));
    for (const auto& one : site.problems) {
        problems.add_once(
            one.file + one.message,
            {node.at, site_path, fmt::format("{}:{}: {}", one.file, one.line, one.message), ""}
        );
    }
    std::uint32_t cpus = 0;
    for (const auto& one : site.settings.nodes) {
        cpus += one.cpus;
    }
    if (cpus == 0 && site.problems.empty()) {
        problems.add(node.at, site_path, "no line begins with NodeName (there are no processors)");
    }
    if (cpus == 0 || !site.problems.empty()) {
        return;
    }
    Node clusters;
    clusters.kind = Node::Kind::list;
    clusters.at = node.at;
    clusters.items.push_back(Node::text(std::to_string(cpus), node.at));
    set_path(cell, "system.clusters", std::move(clusters), node.at);
    complete_policy(cell, *given, node);
    for (const std::string& log : logs_in(cell)) {
        const std::string path = log + ".partition_limits";
        if (!is_said(cell, path)) {
            Node limits = Node::text(policies::slurm::partition_limits(site.settings), node.at);
            limits.style = Node::Style::quoted;
            set_path(cell, path, std::move(limits), node.at);
        }
    }
}

policies::slurm::Site site_of(const Node& cell, Problems& problems) {
    const auto given = read_site_section(*find_path(cell, site_path), problems);
    return given ? policies::slurm::read_site(policies::slurm::site_files(*given))
                 : policies::slurm::Site{};
}

}  // namespace schedfarm::app
