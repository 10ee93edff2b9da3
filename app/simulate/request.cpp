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

/// The interval of sizes that are kept ends at the machine. What is no interval is left to the
/// model's own check. REQUIRES: parameters of `trace`.
void leave_out_larger_jobs(
    const engine::SystemDescription& system, engine::Parameters& parameters
) {
    const std::vector<double> given = parameters.reals("sizes");
    const double most = system.processors();
    if (given.empty()) {
        parameters.set("sizes", engine::Value::List{1.0, most});
    } else if (given.size() == 2 && given[0] <= given[1]) {
        if (given[0] > most) {
            throw_problem(
                {.file = "--set workload.sizes"},
                fmt::format("no job of these sizes fits (the system has {} processors)", most),
                "Give smaller sizes or more processors."
            );
        }
        parameters.set("sizes", engine::Value::List{given[0], std::min(given[1], most)});
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

void expect_none(
    const engine::ParameterProblems& found, const std::string& section, const std::string& option
) {
    Problems problems;
    add_parameter_problems(found, nullptr, {.file = option}, section, problems);
    problems.throw_if_any();
}

std::string option_of(const NamedPolicy& policy) {
    return "--policy " + policy.choice.name;
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

/// What the site's files are to the policy slurm; other policies have the machine of slurm.conf.
void put_site(const SimulationRequest& request, Node& tree) {
    const SiteRequest& site = request.site;
    const Node& policy = *tree.find("policy");
    const bool is_slurm = policy.scalar == "slurm" || policy.find("slurm") != nullptr;
    if (!site.reservations.empty() && (!is_slurm || site.conf.empty())) {
        throw_problem(
            {.file = "--reservations"},
            "only Slurm's scheduler goes by them, on the nodes of a slurm.conf",
            "Write --slurm-conf FILE --policy slurm"
        );
    }
    if (site.conf.empty() || !is_slurm) {
        return;
    }
    const auto put = [&](const char* name, const std::string& value) {
        if (!value.empty()) {
            const SourcePosition at{.file = "--slurm-conf"};
            Node text = Node::text(value, at);
            text.style = Node::Style::quoted;
            set_path(tree, std::string("policy.slurm.") + name, std::move(text), at);
        }
    };
    put("conf", site.conf);
    put("associations", site.associations);
    put("qos", site.qos);
    put("accept", joined(site.accept, ";"));
    if (site.reservations.empty() && site.version.empty()) {
        return;
    }
    const Node* const changes = find_path(tree, "policy.slurm.changes");
    std::vector<std::string> lines;
    if (changes != nullptr && changes->is_scalar()) {
        lines.push_back(changes->scalar);
    }
    if (!site.version.empty()) {
        lines.push_back(policies::slurm::version_change(site.version));
    }
    if (!site.reservations.empty()) {
        Problems problems;
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
}

/// Of the policy that is read, so that what is wrong with its files has been said.
policies::slurm::Site site_of(const SimulationRequest& request) {
    policies::slurm::SiteFiles files{.accept = request.site.accept};
    try {
        files.conf = policies::slurm::site_conf(request.site.conf);
    } catch (const std::runtime_error& error) {
        throw_problem({.file = "--slurm-conf"}, error.what());
    }
    if (!request.site.qos.empty()) {
        files.qos = dump_of("--qos", request.site.qos);
    }
    auto site = policies::slurm::read_site(files);
    Problems problems;
    for (const auto& one : site.problems) {
        problems.add(
            {.file = "--slurm-conf"}, "", fmt::format("{}:{}: {}", one.file, one.line, one.message)
        );
    }
    problems.throw_if_any();
    return site;
}

}  // namespace

void add_events(const SimulationRequest& request, double clock, engine::SystemDescription& system) {
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
        {.places = places_of(site_of(request).settings.nodes),
         .begin = clock,
         .zone = zone_of(request)},
        file,
        rows,
        system,
        problems
    );
    problems.throw_if_any();
}

NamedPolicy read_policy(const SimulationRequest& given) {
    SimulationRequest request = given;
    if (request.policy.empty() && !request.site.conf.empty()) {
        request.policy = "slurm";
    }
    const Catalogues& catalogues = registered_catalogues();
    Problems problems;
    const bool is_mapping = request.policy.starts_with('{');  // its text is no path
    Node tree = Node::map({.file = is_mapping ? "--policy" : "--policy " + request.policy});
    tree.entries.push_back(
        {"policy",
         tree.at,
         is_mapping ? read_yaml(tree.at.file, request.policy) : Node::text(request.policy, tree.at)}
    );
    if (is_mapping || catalogues.find_policy(request.policy) != nullptr) {
        for (const std::string& word : request.settings) {
            const Setting setting = split(word);
            if (!is_of_workload(setting)) {
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
    }
    put_site(request, tree);
    auto choice = read_choice(
        *tree.find("policy"), catalogues.policy_alternatives, "policy", "policy", problems
    );
    problems.throw_if_any();
    return {catalogues.find_policy(choice->name), std::move(*choice)};
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

NamedModel read_workload(const SimulationRequest& request) {
    const bool is_trace = !request.trace.empty();
    const std::string name = is_trace ? "trace" : request.model;
    const SourcePosition at{.file = is_trace ? "--trace " + request.trace : "--model " + name};
    const engine::WorkloadModelDescription& model = model_named(name, at);
    Node tree = Node::map(at);
    tree.entries.push_back({"workload", at, Node::map(at)});
    for (const std::string& word : request.reading) {
        set(tree, split(word).key, split(word));
    }
    for (const std::string& word : request.settings) {
        const Setting setting = split(word);
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
    if (is_trace) {
        workload.erase("file");
        set_default(workload, "file", request.trace);
        set_default(workload, "resampling", "none");
    }
    Problems problems;
    auto parameters =
        read_parameters(&workload, model.alternative.parameters, at, "workload", problems);
    problems.throw_if_any();
    if (!is_trace && model.alternative.check) {
        const auto found = model.alternative.check(*parameters);
        add_parameter_problems(found, &workload, at, "workload", problems);
        problems.throw_if_any();
    }
    return {&model, {name, std::move(*parameters)}};
}

NamedModel read_workload(
    const SimulationRequest& request, const engine::SystemDescription& system
) {
    NamedModel model = read_workload(request);
    if (!request.trace.empty()) {
        leave_out_larger_jobs(system, model.choice.parameters);
    }
    return model;
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
    if (request.clusters.empty() && !request.site.conf.empty()) {
        std::uint32_t cpus = 0;
        for (const policies::slurm::Node& node : site_of(request).settings.nodes) {
            cpus += node.cpus;
        }
        return {.clusters = {cpus}};
    }
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

void check_system(const NamedModel& model, const engine::SystemDescription& system) {
    if (model.description->check_system) {
        const auto found = model.description->check_system(model.choice.parameters, system);
        expect_none(found, "workload", "--model " + model.choice.name);
    }
}

void check_system(const NamedPolicy& policy, const engine::SystemDescription& system) {
    if (policy.description->check_system) {
        const auto found = policy.description->check_system(policy.choice.parameters, system);
        expect_none(found, "policy", option_of(policy));
    }
}

void check_workload(
    const NamedPolicy& policy,
    const engine::SystemDescription& system,
    const engine::WorkloadTraits& workload
) {
    if (policy.description->check_workload) {
        const auto found =
            policy.description->check_workload(policy.choice.parameters, system, workload);
        expect_none(found, "policy", option_of(policy));
    }
}

}  // namespace schedfarm::app
