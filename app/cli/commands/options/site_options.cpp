// `schedfarm site`, which --help does not show: a site's files as one JSON, for the package, which
// has no reader of its own.
#include <cstdio>
#include <memory>
#include <stdexcept>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "policies/slurm/site/site.hpp"

#include "app/campaign/plan/node_events.hpp"
#include "app/campaign/yaml/config_error.hpp"
#include "app/cli/commands/simulate_command.hpp"
#include "app/cli/program.hpp"
#include "app/report/json.hpp"

namespace schedfarm::app {

namespace {

struct SiteCommand {
    std::string conf;
    std::string associations;
    std::string qos;
    std::string reservations;
    std::string zone;
    std::vector<std::string> changes;
    std::vector<std::string> accept;
};

Json json_of(const policies::slurm::Site& site) {
    Json json{
        {"nodes", Json::array()},
        {"partitions", site.partitions},
        {"limits_s", Json::object()},
        {"qos", Json::array()},
        {"keys", site.keys},
        {"rules", policies::slurm::rules_note(site.settings)},
        {"parameters", site.parameters},
        {"problems", Json::array()}};
    for (const policies::slurm::Node& node : site.settings.nodes) {
        json["nodes"].push_back({{"name", node.name}, {"cpus", node.cpus}});
    }
    for (const policies::slurm::Partition& partition : site.settings.partitions) {
        const bool is_unlimited = partition.max_time == policies::slurm::year_s;
        json["limits_s"][partition.name] = is_unlimited ? Json() : Json(partition.max_time);
    }
    for (const policies::slurm::Qos& qos : site.settings.qos) {
        json["qos"].push_back(qos.name);
    }
    for (const policies::slurm::SiteProblem& one : site.problems) {
        json["problems"].push_back(fmt::format("{}:{}: {}", one.file, one.line, one.message));
    }
    return json;
}

ExitCode site_command(const SiteCommand& options) {
    using policies::slurm::site_dump;
    try {
        const policies::slurm::SiteFiles files{
            .conf = policies::slurm::site_conf(options.conf),
            .associations = options.associations.empty() ? "" : site_dump(options.associations),
            .qos = options.qos.empty() ? "" : site_dump(options.qos),
            .changes = options.changes,
            .accept = options.accept};
        Json json = json_of(policies::slurm::read_site(files));
        if (!options.reservations.empty()) {
            Problems problems;
            const std::string& file = options.reservations;
            json["reservations"] = reservation_lines(file, site_dump(file), options.zone, problems);
            problems.throw_if_any();
        }
        const std::string text = json_text(json);
        std::fwrite(text.data(), 1, text.size(), stdout);
    } catch (const ConfigErrors&) {
        throw;
    } catch (const std::runtime_error& error) {
        throw_problem({}, error.what());
    }
    return ExitCode::done;
}

}  // namespace

void add_site_command(CLI::App& app, std::function<ExitCode()>& selected) {
    auto options = std::make_shared<SiteCommand>();
    CLI::App* command = app.add_subcommand("site", "A site's files as JSON")->group("");
    command->add_option("conf", options->conf)->required();
    command->add_option("--associations", options->associations);
    command->add_option("--qos", options->qos);
    command->add_option("--reservations", options->reservations);
    command->add_option("--zone", options->zone);
    command->add_option("--change", options->changes)->allow_extra_args(false);
    command->add_option("--accept", options->accept)->allow_extra_args(false);
    select(*command, selected, [options] { return site_command(*options); });
}

}  // namespace schedfarm::app
