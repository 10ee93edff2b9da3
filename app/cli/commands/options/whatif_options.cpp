#include <cstdint>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "app/cli/commands/package.hpp"
#include "app/cli/number_options.hpp"
#include "app/cli/program.hpp"

namespace schedfarm::app {

namespace {

enum class Kind : std::uint8_t { text, texts, number, flag };

/// The package has the defaults.
struct WhatifOption {
    const char* names;
    Kind kind;
    const char* help;
};

const std::vector<WhatifOption> whatif_options = {
    {"--vary",
     Kind::texts,
     "K=V,V: what is varied, one value at a time, as often as needed: a word of "
     "SchedulerParameters or a key of slurm.conf, where x2 doubles what is there; "
     "partition.NAME.KEY; nodes=PARTITION+N; window=DATE+12h; policy, or a parameter of it"},
    {"--cross", Kind::flag, "Every combination of the variations"},
    {"--slurm-conf", Kind::text, "The site's slurm.conf"},
    {"--associations", Kind::text, "`sacctmgr -P show assoc`, with ParentName"},
    {"--qos", Kind::text, "`sacctmgr -P show qos`"},
    {"--slurm-version",
     Kind::text,
     "Release of Slurm whose rules hold, 22.05 to 26.05. Default: 22.05"},
    {"--accept", Kind::texts, "Ignore what this word of slurm.conf says, which is not modelled"},
    {"--events", Kind::text, "`sacctmgr -P show events`: when nodes were drained or down"},
    {"--reservations",
     Kind::text,
     "`scontrol show reservation`; a word Created=TIME says since when one is known"},
    {"--zone", Kind::text, "Zone of times that name none, as for `trace`"},
    {"--columns", Kind::text, "Columns of the log, as for `trace`"},
    {"--from", Kind::text, "Leave out jobs that were submitted before this date"},
    {"--before", Kind::text, "Leave out jobs that were submitted at this date or later"},
    {"--policy", Kind::text, "Policy of today, where there is no slurm.conf. Default: easy"},
    {"-p,--processors",
     Kind::number,
     "Processors of the machine, where neither slurm.conf nor the log says it"},
    {"--replications", Kind::number, "Draws from the log under every configuration. Default: 20"},
    {"--seed", Kind::number, "Seed of the draws. Default: 1"},
    {"-w,--workers", Kind::number, "As for `run`"},
    {"--fresh", Kind::flag, "Begin anew, where the runs of this --output would go on"},
    {"-f,--format", Kind::text, "Output format, text or json. Default: text"},
    {"--json", Kind::flag, "As JSON, with every digit"},
    {"-o,--output",
     Kind::text,
     "Campaign to write; what it gives lies beside it: .h5, -log.yaml, -log.h5 and .html. Default: "
     "whatif.yaml"}};

void add_whatif_option(CLI::App& command, const WhatifOption& option) {
    if (option.kind == Kind::flag) {
        command.add_flag(option.names, option.help);
        return;
    }
    CLI::Option* added = command.add_option(option.names, option.help)->type_name("TEXT");
    if (option.kind == Kind::texts) {
        added->take_all()->allow_extra_args(false);
    }
    if (option.kind == Kind::number) {
        added->type_name("UINT")->transform(whole_number());
    }
}

}  // namespace

Words package_words(const CLI::App& command) {
    Words words{command.get_name()};
    Words files{"--"};
    for (const CLI::Option* option : command.get_options()) {
        for (const std::string& value : option->results()) {
            if (option->get_positional()) {
                files.push_back(value);
                continue;
            }
            const std::string name = "--" + option->get_lnames().front();
            words.push_back(
                option->get_items_expected_max() == 0 ? name : fmt::format("{}={}", name, value)
            );
        }
    }
    words.insert(words.end(), files.begin(), files.end());
    return words;
}

void add_whatif(CLI::App& app, std::function<ExitCode()>& selected) {
    CLI::App* command = add_command(app, "whatif");
    command->add_option("log", "A log, as for `trace`")->required();
    for (const WhatifOption& option : whatif_options) {
        add_whatif_option(*command, option);
    }
    command->get_option("--vary")->required();
    select(*command, selected, [command] { return run_package(package_words(*command)); });
}

}  // namespace schedfarm::app
