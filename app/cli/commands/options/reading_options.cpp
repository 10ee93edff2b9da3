#include "app/cli/commands/options/reading_options.hpp"

#include <array>
#include <string>
#include <utility>

namespace schedfarm::app {

void add_reading_options(CLI::App& command, CLI::Option* log, SimulationRequest& request) {
    constexpr std::array options{
        std::pair(
            "format",
            "Of the log: swf, sacct, csv, batsim, pbs, grid_engine, lsf or jobcomp. Default: by "
            "its content"
        ),
        std::pair(
            "columns",
            "Of a table, which column is what: a file, kestrel, pm100, adastra, fugaku, aurora, "
            "supercloud, helios, jobs, or {submit: NAME, ...}; without a header its columns' names"
        ),
        std::pair("zone", "Of times of a table that say none, as Europe/Paris. Default: UTC"),
        std::pair("fields", "Of SWF, what stands behind its 18 fields: nodes, gpus and so on"),
        std::pair("cluster", "Of a table of several, the cluster whose jobs are meant"),
        std::pair("partitions", "Of a table, whose jobs are meant: names with commas"),
        std::pair("accounts", "Likewise, of accounts")};
    for (const auto& [name, meaning] : options) {
        if (command.get_option_no_throw(std::string("--") + name) != nullptr) {
            continue;  // --format of `gantt` is of what it draws
        }
        command
            .add_option_function<std::string>(
                std::string("--") + name,
                [&request, prefix = std::string("workload.") + name + "="](const std::string& value
                ) { request.reading.push_back(prefix + value); },
                meaning
            )
            ->needs(log);
    }
}

}  // namespace schedfarm::app
