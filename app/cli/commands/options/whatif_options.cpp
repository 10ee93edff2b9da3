#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "app/cli/commands/package.hpp"
#include "app/cli/number_options.hpp"
#include "app/cli/program.hpp"

namespace schedfarm::app {

namespace {

/// As the command line has them; empty: not given.
struct WhatifWords {
    std::string log;
    std::vector<std::string> vary;
    std::string slurm_conf;
    std::string associations;
    std::string qos;
    std::vector<std::string> accept;
    std::string policy;
    std::string processors;
    bool is_crossed = false;
    std::string replications = "20";
    std::string seed = "1";
    std::string workers;
    std::string output = "whatif.yaml";
};

ExitCode whatif_command(const WhatifWords& given) {
    Words words{"whatif"};
    const auto add = [&words](const char* option, const std::string& value) {
        if (!value.empty()) {
            words.push_back(fmt::format("{}={}", option, value));
        }
    };
    for (const std::string& each : given.vary) {
        add("--vary", each);
    }
    for (const std::string& each : given.accept) {
        add("--accept", each);
    }
    add("--slurm-conf", given.slurm_conf);
    add("--associations", given.associations);
    add("--qos", given.qos);
    add("--policy", given.policy);
    add("--processors", given.processors);
    add("--replications", given.replications);
    add("--seed", given.seed);
    add("--workers", given.workers);
    add("--output", given.output);
    if (given.is_crossed) {
        words.emplace_back("--cross");
    }
    words.insert(words.end(), {"--", given.log});
    return run_package(words);
}

}  // namespace

void add_whatif(CLI::App& app, std::function<ExitCode()>& selected) {
    auto given = std::make_shared<WhatifWords>();
    CLI::App* command = add_command(app, "whatif");
    command->add_option("log", given->log, "A log, as for `trace`")->required();
    command
        ->add_option(
            "--vary",
            given->vary,
            "K=V,V: what is varied, one value at a time, as often as needed: a word of "
            "SchedulerParameters or a key of slurm.conf, where x2 doubles what is there; "
            "partition.NAME.KEY; nodes=PARTITION+N; window=DATE+12h; policy, or a parameter of it"
        )
        ->required()
        ->allow_extra_args(false);
    command->add_flag("--cross", given->is_crossed, "Every combination of the variations");
    command->add_option("--slurm-conf", given->slurm_conf, "The site's slurm.conf");
    command->add_option("--associations", given->associations, "`sacctmgr -P show assoc`");
    command->add_option("--qos", given->qos, "`sacctmgr -P show qos`");
    command
        ->add_option(
            "--accept",
            given->accept,
            "A word for what slurm.conf has that is not modelled, and is ignored all the same"
        )
        ->allow_extra_args(false);
    command->add_option(
        "--policy", given->policy, "Without slurm.conf: that of today. Default: easy"
    );
    command->add_option(
        "-p,--processors",
        given->processors,
        "Without slurm.conf: of the machine, where the log does not say it"
    );
    command
        ->add_option(
            "--replications", given->replications, "Draws from the log, of every configuration"
        )
        ->capture_default_str();
    command->add_option("--seed", given->seed, "Of the draws")->capture_default_str();
    command->add_option("-w,--workers", given->workers, "As for `run`");
    command
        ->add_option(
            "-o,--output",
            given->output,
            "Campaign to write; what it gives lies beside it: .h5, -log.yaml, -log.h5 and .html"
        )
        ->capture_default_str();
    select(*command, selected, [given] { return whatif_command(*given); });
}

}  // namespace schedfarm::app
