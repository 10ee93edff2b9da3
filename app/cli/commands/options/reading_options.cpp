#include "app/cli/commands/options/reading_options.hpp"

#include <array>
#include <string>
#include <utility>

#include "app/cli/number_options.hpp"

namespace schedfarm::app {

void add_reading_options(CLI::App& command, CLI::Option* log, SimulationRequest& request) {
    constexpr std::array options{
        std::pair(
            "format",
            "Format of the log: swf, sacct, csv, batsim, pbs, grid_engine, lsf or jobcomp. "
            "Default: by "
            "its content"
        ),
        std::pair(
            "columns",
            "Which column of a table is what: a file, kestrel, pm100, adastra, fugaku, aurora, "
            "supercloud, helios, jobs, or {submit: NAME, ...}; without a header its columns' names"
        ),
        std::pair("zone", "Zone of times in a table that name none, as Europe/Paris. Default: UTC"),
        std::pair("fields", "Names of what SWF has behind its 18 fields: nodes, gpus and so on"),
        std::pair("cluster", "Take only the jobs of this cluster, where a table has several"),
        std::pair("partitions", "Take only the jobs of these partitions: names with commas"),
        std::pair("accounts", "Take only the jobs of these accounts: names with commas")};
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

void add_model_options(
    CLI::App& command, CLI::Option* model, SimulationRequest& request, const char* seed
) {
    command.add_option("--job-count", request.job_count, "Draw at most N jobs of the model")
        ->needs(model)
        ->transform(whole_number(1))
        ->capture_default_str();
    command.add_option("--seed", request.seed, seed)
        ->transform(whole_number())
        ->capture_default_str();
    command
        .add_option(
            "--utilization",
            request.utilization,
            "Load that the model offers, such as 0.7. Default: its own"
        )
        ->needs(model)
        ->transform(positive_number());
}

}  // namespace schedfarm::app
