#include "app/simulate/request.hpp"

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "engine/foundation/utf8.hpp"

#include "models/trace/prepared_log.hpp"
#include "models/trace/reading/log_error.hpp"
#include "policies/slurm/site/site.hpp"

#include "app/campaign/keys/schema.hpp"
#include "app/campaign/keys/value_reader.hpp"
#include "app/campaign/plan/node_events.hpp"
#include "app/campaign/plan/site_system.hpp"
#include "app/campaign/yaml/reader.hpp"
#include "app/campaign/yaml/suggestion.hpp"

namespace schedfarm::app {

namespace {

constexpr std::string_view workload_prefix = "workload.";

/// A word of the command line stands where a campaign has a line and a column.
Node placed(Node node, const SourcePosition& at) {
    node.at = at;
    for (Tree& item : node.items) {
        item = placed(item, at);
    }
    for (Node::Entry& entry : node.entries) {
        entry.at = at;
        entry.value = placed(entry.value, at);
    }
    return node;
}

/// A value in the syntax of campaign files.
Node read_word(const std::string& text, const SourcePosition& at) {
    const Node file = read_yaml(at.file, "value: " + text);
    const Node* value = file.find("value");
    if (value == nullptr || file.entries.size() != 1) {
        throw_problem(at, "this is not one value", "Write key=value.");
    }
    return placed(*value, at);
}

struct Setting {
    std::string key;
    std::string value;
    SourcePosition at;
};

Setting split(const std::string& word) {
    Setting setting{.key = {}, .value = {}, .at = {.file = "--set " + word}};
    const std::size_t equals = word.find('=');
    if (equals == 0 || equals == std::string::npos) {
        throw_problem(setting.at, "this sets nothing (it is not key=value)", "Write key=value.");
    }
    setting.key = word.substr(0, equals);
    setting.value = word.substr(equals + 1);
    return setting;
}

bool is_of_workload(const Setting& setting) {
    return setting.key.starts_with(workload_prefix);
}

void set(Node& tree, const std::string& path, const Setting& setting) {
    const auto conflict = set_path(tree, path, read_word(setting.value, setting.at), setting.at);
    if (conflict) {
        throw_problem(
            setting.at,
            fmt::format("'{}' has no keys (something else stands there)", *conflict),
            "Leave one of the two out."
        );
    }
}

void set_default(Node& tree, const char* key, const std::string& value) {
    if (tree.find(key) == nullptr) {
        tree.entries.push_back({key, tree.at, Node::text(value, tree.at)});
    }
}

const engine::WorkloadModelDescription& model_named(
    const std::string& name, const SourcePosition& at
) {
    const Catalogues& catalogues = registered_catalogues();
    const engine::WorkloadModelDescription* model = catalogues.find_model(name);
    if (model == nullptr) {
        std::vector<std::string> names;
        for (const engine::WorkloadModelDescription& known : catalogues.models) {
            names.push_back(known.alternative.name);
        }
        throw_problem(
            at, fmt::format("unknown workload model '{}'", name), name_suggestion(name, names)
        );
    }
    return *model;
}

bool has_key(const engine::Alternative& alternative, const std::string& key) {
    const std::vector<std::string> names = key_names(alternative.parameters);
    return std::find(names.begin(), names.end(), key.substr(0, key.find('.'))) != names.end();
}

/// A parameter of the workload model, but for the prefix that makes it one. REQUIRES: the policy is
/// known.
void expect_no_workload_key(const SimulationRequest& request, const Setting& setting) {
    const Catalogues& catalogues = registered_catalogues();
    const auto* const policy = catalogues.find_policy(request.policy);
    const auto* const model =
        catalogues.find_model(request.trace.empty() ? request.model : "trace");
    if (model != nullptr && has_key(model->alternative, setting.key)
        && !has_key(policy->alternative, setting.key)) {
        throw_problem(
            setting.at,
            fmt::format(
                "'{}' is no parameter of policy '{}', but one of workload model '{}'",
                setting.key,
                request.policy,
                model->alternative.name
            ),
            fmt::format("Did you mean '{}{}'?", workload_prefix, setting.key)
        );
    }
}

std::string zone_of(const SimulationRequest& request) {
    const std::string_view key = "workload.zone=";
    for (const std::string& word : request.reading) {
        if (word.starts_with(key)) {
            return word.substr(key.size());
        }
    }
    return "";
}

/// The text of a file that Slurm printed.
std::string dump_of(const std::string& option, const std::string& path) {
    try {
        return policies::slurm::site_dump(path);
    } catch (const std::runtime_error& error) {
        throw_problem({.file = option}, error.what());
    }
}

/// The site's files as a campaign names them, in `system.slurm`.
void add_site_words(const SimulationRequest& request, Node& tree) {
    const SiteRequest& site = request.site;
    const SourcePosition at{.file = "--slurm-conf"};
    const Node& policy = *tree.find("policy");
    const bool is_slurm = policy.scalar == "slurm" || policy.find("slurm") != nullptr;
    if (!site.reservations.empty() && (!is_slurm || site.conf.empty())) {
        throw_problem(
            {.file = "--reservations"},
            "only Slurm's scheduler goes by them, on the nodes of a slurm.conf",
            "Write --slurm-conf FILE --policy slurm"
        );
    }
    if (site.conf.empty()) {
        return;
    }
    const auto put = [&](const char* name, const std::string& value) {
        if (!value.empty()) {
            Node text = Node::text(value, at);
            text.style = Node::Style::quoted;
            set_path(tree, std::string("system.slurm.") + name, std::move(text), at);
        }
    };
    put("conf", site.conf);
    put("associations", site.associations);
    put("qos", site.qos);
    put("accept", joined(site.accept, ";"));
    put("version", site.version);
    std::vector<std::string> lines;
    if (const Node* own = find_path(tree, "policy.slurm.changes")) {
        lines.push_back(own->scalar);
        erase_path(tree, "policy.slurm.changes");
    }
    Problems problems;
    if (!site.reservations.empty()) {
        std::ranges::move(
            reservation_lines(
                site.reservations,
                dump_of("--reservations", site.reservations),
                zone_of(request),
                problems
            ),
            std::back_inserter(lines)
        );
        problems.throw_if_any();
    }
    put("changes", joined(lines, ";"));
    add_site(tree, problems);
    problems.throw_if_any();
}

/// REQUIRES: the request has a policy.
void add_policy_words(const SimulationRequest& request, Node& tree) {
    const bool is_mapping = request.policy.starts_with('{');  // its text is no path
    const SourcePosition at{.file = is_mapping ? "--policy" : "--policy " + request.policy};
    tree.entries.push_back(
        {"policy",
         at,
         is_mapping ? read_yaml(at.file, request.policy) : Node::text(request.policy, at)}
    );
    if (!is_mapping && registered_catalogues().find_policy(request.policy) == nullptr) {
        return;
    }
    for (const std::string& word : request.settings) {
        const Setting setting = split(word);
        if (is_of_workload(setting)) {
            continue;
        }
        if (is_mapping) {
            throw_problem(
                setting.at,
                "the policy is written with its parameters (this one would be ignored)",
                "Write it into --policy."
            );
        }
        expect_no_workload_key(request, setting);
        set(tree, fmt::format("policy.{}.{}", request.policy, setting.key), setting);
    }
}

/// The workload's part of a tree, with its model's name.
Node workload_words(const SimulationRequest& request) {
    const bool is_trace = !request.trace.empty();
    const SourcePosition at{
        .file = is_trace ? "--trace " + request.trace : "--model " + request.model};
    Node tree = Node::map(at);
    tree.entries.push_back({"workload", at, Node::map(at)});
    for (const std::string& word : request.reading) {
        set(tree, split(word).key, split(word));
    }
    for (const std::string& word : request.settings) {
        const Setting setting = split(word);
        if (setting.key == "workload.model") {
            throw_problem(
                setting.at, "--trace or --model says which workload it is", "Leave it out."
            );
        }
        if (is_of_workload(setting)) {
            set(tree, setting.key, setting);
        } else if (request.policy.empty() && request.site.conf.empty()) {
            throw_problem(
                setting.at,
                "no parameter of the workload (there is no policy here)",
                fmt::format("Did you mean '{}{}'?", workload_prefix, setting.key)
            );
        }
    }
    Node workload = tree.entries.front().value;
    set_default(workload, "model", is_trace ? "trace" : request.model);
    if (is_trace) {
        workload.erase("file");
        set_default(workload, "file", request.trace);
        set_default(workload, "resampling", "none");
    }
    return workload;
}

}  // namespace

void add_events(
    const SimulationRequest& request,
    const Node& cell,
    double clock,
    engine::SystemDescription& system
) {
    const std::string& file = request.site.events;
    if (file.empty()) {
        return;
    }
    const SourcePosition at{.file = "--events"};
    if (request.site.conf.empty()) {
        throw_problem(
            at, "which processors the nodes have is not known", "Write --slurm-conf FILE"
        );
    }
    if (clock == 0) {
        throw_problem(at, "the log does not say when its second 0 is", "Leave them out");
    }
    const std::string content = dump_of("--events", file);
    const std::string rows = content.substr(content.find('\n') + 1);  // behind the mark of the file
    if (!is_node_events(rows)) {
        throw_problem(at, file + " is not what sacctmgr -P show events prints");
    }
    Problems problems;
    add_node_events(
        {.places = places_of(site_of(cell, problems).settings.nodes),
         .begin = clock,
         .zone = zone_of(request)},
        file,
        rows,
        system,
        problems
    );
    problems.throw_if_any();
}

bool sets(const SimulationRequest& request, std::string_view key) {
    return std::any_of(
        request.settings.begin(),
        request.settings.end(),
        [key](const std::string& word) { return split(word).key == key; }
    );
}

bool sets_reading_alone(const SimulationRequest& request) {
    return std::all_of(
        request.settings.begin(),
        request.settings.end(),
        [](const std::string& word) {
            const std::string key = split(word).key;
            return key.starts_with(workload_prefix)
                   && models::trace::is_of_reading(
                       std::string_view(key).substr(workload_prefix.size())
                   );
        }
    );
}

NamedModel workload_of(const SimulationRequest& request, const Node& workload) {
    const std::string name = workload.find("model")->scalar;
    const engine::WorkloadModelDescription& model = model_named(name, workload.at);
    Node words = workload;
    words.erase("model");
    Problems problems;
    auto parameters =
        read_parameters(&words, model.alternative.parameters, workload.at, "workload", problems);
    problems.throw_if_any();
    if (request.trace.empty() && model.alternative.check) {
        const auto found = model.alternative.check(*parameters);
        add_parameter_problems(found, &workload, workload.at, "workload", problems);
        problems.throw_if_any();
    }
    return {&model, {name, std::move(*parameters)}};
}

NamedModel read_workload(const SimulationRequest& request) {
    return workload_of(request, workload_words(request));
}

models::trace::TraceSettings trace_settings(
    const SimulationRequest& request, const engine::Parameters& parameters
) {
    models::trace::TraceSettings settings(parameters);
    settings.reading.most_jobs = request.max_jobs;
    return settings;
}

std::string system_option(const SimulationRequest& request) {
    const bool has_several = request.clusters.find(',') != std::string::npos;
    return (has_several ? "--clusters " : "--processors ") + request.clusters;
}

/// What the request's log says of its machine.
std::optional<std::uint32_t> processors_of_header(const SimulationRequest& request) {
    if (request.trace.empty()) {
        return std::nullopt;
    }
    std::error_code error;
    if (std::filesystem::is_fifo(request.trace, error)) {
        throw_problem(
            {.file = "--processors"},
            "it is missing (the log is a pipe, which is read once: for its jobs)",
            "Write --processors with the machine's, such as --processors 64."
        );
    }
    const auto settings = trace_settings(request, read_workload(request).choice.parameters);
    const models::trace::Log log = models::trace::opened_log(request.trace, settings.reading);
    if (const auto* const line = log.header.unreadable_processors()) {
        throw_problem(
            {.file = fmt::format("{}:{}", log.name, line->line)},
            fmt::format(
                "the header says {} '{}' (no whole number of processors)",
                line->key,
                engine::without_controls(engine::valid_utf8(line->value))
            ),
            "Write --processors with the machine's, such as --processors 64."
        );
    }
    return log.header.processors();
}

engine::SystemDescription read_system(const SimulationRequest& request) {
    if (request.clusters.empty()) {
        if (const auto processors = processors_of_header(request)) {
            return {.clusters = {*processors}};
        }
        throw_problem(
            {.file = "--processors"},
            "it is missing (the size of the machine is not known)",
            "Write --processors with the machine's, such as --processors 64."
        );
    }
    const SourcePosition at{.file = system_option(request)};
    const std::size_t last = request.clusters.find_last_not_of(' ');
    // YAML takes the comma before a closing bracket for no separator; here an entry was forgotten.
    const bool lacks_last = last != std::string::npos && request.clusters[last] == ',';
    Problems problems;
    const auto clusters = read_value(
        read_word("[" + request.clusters + (lacks_last ? "~]" : "]"), at),
        section("system").row("clusters"),
        "processors",
        problems
    );
    problems.throw_if_any();
    engine::SystemDescription system;
    for (const engine::Value& size : clusters->as_list()) {
        system.clusters.push_back(static_cast<std::uint32_t>(size.as_integer()));
    }
    if (system.clusters.empty()) {
        throw_problem(at, "there is no cluster (jobs could not run)", "Write --processors 64.");
    }
    return system;
}

Node cell_tree(const SimulationRequest& given) {
    SimulationRequest request = given;
    if (request.policy.empty() && !request.site.conf.empty()) {
        request.policy = "slurm";
    }
    Node tree = Node::map({});
    if (!request.policy.empty()) {
        add_policy_words(request, tree);
    }
    Node workload = workload_words(request);
    const SourcePosition at = workload.at;
    tree.entries.push_back({"workload", at, std::move(workload)});
    if (!request.policy.empty()) {
        add_site_words(request, tree);
    }
    return tree;
}

void add_clusters(const SimulationRequest& request, Node& tree) {
    if (find_path(tree, "system.clusters") != nullptr) {
        return;  // of the site
    }
    const SourcePosition at{.file = system_option(request)};
    Node clusters = Node::list({}, at);
    for (const std::uint32_t size : read_system(request).clusters) {
        clusters.items.push_back(Node::text(std::to_string(size), at));
    }
    set_path(tree, "system.clusters", std::move(clusters), at);
}

}  // namespace schedfarm::app
