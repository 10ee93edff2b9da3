#include <memory>
#include <tuple>
#include <utility>

#include <CLI/CLI.hpp>

#include "app/cli/commands/options/reading_options.hpp"
#include "app/cli/commands/simulate_command.hpp"
#include "app/cli/number_options.hpp"
#include "app/cli/program.hpp"

namespace schedfarm::app {

namespace {

void add_workload_options(CLI::App& command, SimulationRequest& request) {
    CLI::Option_group* source = command.add_option_group("Jobs");
    CLI::Option* trace = source->add_option(
        "--trace",
        request.trace,
        "A log, SWF or a table such as that of sacct -P, plain or .gz: a path, a name in "
        "$SCHEDFARM_TRACES, or example"
    );
    CLI::Option* model =
        source->add_option("--model", request.model, "A workload model that makes the jobs");
    trace->excludes(model);
    command.add_option("--max-jobs", request.max_jobs, "Refuse a log with more jobs")
        ->needs(trace)
        ->transform(whole_number(1))
        ->capture_default_str();
    add_reading_options(command, trace, request);
    for (const auto& [name, help] :
         {std::pair("from", "Leave out jobs that were submitted before this date"),
          std::pair("before", "Leave out jobs that were submitted at this date or later")}) {
        command
            .add_option_function<std::string>(
                std::string("--") + name,
                [&request, prefix = std::string("workload.") + name + "="](const std::string& date
                ) { request.settings.push_back(prefix + date); },
                help
            )
            ->needs(trace);
    }
    source->require_option(1);
    command.add_option("--first", request.first, "Take only the first N jobs")
        ->transform(whole_number(1));
    add_model_options(command, model, request, "Seed of the random numbers");
}

/// Several sizes are several clusters, which nobody means who writes a comma in a number.
std::string size_problem(const std::string& size) {
    const bool has_several = size.find(',') != std::string::npos;
    return has_several
               ? "'" + size + "' is not one number. For several clusters write --clusters " + size
               : "";
}

void add_system_options(CLI::App& command, SimulationRequest& request) {
    CLI::Option_group* system = command.add_option_group("System");
    CLI::Option* processors =
        system
            ->add_option(
                "-p,--processors",
                request.clusters,
                "Processors of one cluster; by default what the log's header says"
            )
            ->check(size_problem);
    CLI::Option* clusters =
        system->add_option("--clusters", request.clusters, "Processors of several clusters: 8,8,8");
    processors->excludes(clusters);
    system->require_option(0, 1);  // a log may say it
    SiteRequest& site = request.site;
    CLI::Option* conf =
        command.add_option("--slurm-conf", site.conf, "The site's slurm.conf: machine and policy")
            ->excludes(processors)
            ->excludes(clusters);
    for (const auto& [name, to, help] :
         {std::tuple(
              "--associations", &site.associations, "`sacctmgr -P show assoc`, with ParentName"
          ),
          std::tuple("--qos", &site.qos, "`sacctmgr -P show qos`"),
          std::tuple(
              "--slurm-version",
              &site.version,
              "Release of Slurm whose rules hold, 22.05 to 26.05. Default: 22.05"
          ),
          std::tuple(
              "--events",
              &site.events,
              "`sacctmgr -P show events`: nodes that are drained or down are out from that second "
              "on"
          ),
          std::tuple(
              "--reservations",
              &site.reservations,
              "`scontrol show reservation`; a word Created=TIME says since when one is known"
          )}) {
        command.add_option(name, *to, help)->needs(conf);
    }
    command
        .add_option(
            "--accept",
            site.accept,
            "Ignore what this word of slurm.conf says, which is not modelled"
        )
        ->needs(conf)
        ->allow_extra_args(false);
}

}  // namespace

void add_simulate(CLI::App& app, std::function<ExitCode()>& selected) {
    auto options = std::make_shared<SimulateCommand>();
    SimulationRequest& request = options->request;
    CLI::App* command = add_command(app, "simulate");
    add_workload_options(*command, request);
    add_system_options(*command, request);
    command->add_option(
        "--policy",
        request.policy,
        "As `schedfarm list policies` names it, or with its parameters as in campaigns: "
        "'{easy: {order: sjf}}'. With --slurm-conf slurm by default"
    );
    command
        ->add_option(
            "--set",
            request.settings,
            "key=value: a parameter of the policy, or workload.key=value, as in campaigns"
        )
        ->allow_extra_args(false);
    CLI::Option* jobs = command->add_option(
        "--jobs", options->jobs, "Write job,submit,start,finish,processors as CSV; - prints it"
    );
    command
        ->add_flag_callback(
            "--ranges",
            [options] { options->columns = JobColumns::with_ranges; },
            "A further column of that table: which processors each job held, as 0-3 7; where jobs "
            "pause, a line is a stretch between pauses"
        )
        ->needs(jobs);
    command->add_flag_callback(
        "--waits",
        [options] { options->request.waits = models::trace::WaitGroups::of_every_kind; },
        "Set logged and simulated waits side by side by partition, queue, size and run time as well"
    );
    add_json(*command, options->format);
    CLI::Option* verify = command->add_flag_callback(
        "--verify",
        [options] { options->kernel = SimulatorChoice::verified; },
        "Check every scheduling action"
    );
    command
        ->add_flag_callback(
            "--general",
            [options] { options->kernel = SimulatorChoice::general; },
            "Use the general kernel"
        )
        ->excludes(verify);
    command->add_flag_callback(
        "--allow-code",
        [options] { options->code = CodeOf::anybody; },
        "Start the code of a policy also where it belongs to another user, or others can change it"
    );
    command->callback([&selected, options] {
        if (options->request.policy.empty() && options->request.site.conf.empty()) {
            throw CLI::RequiredError("--policy");
        }
        selected = [options] {
            return simulate_command(*options);
        };
    });
}

}  // namespace schedfarm::app
