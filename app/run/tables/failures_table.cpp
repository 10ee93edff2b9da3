#include "app/run/tables/failures_table.hpp"

#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "engine/foundation/message_text.hpp"

#include "results_schema/schema.hpp"
#include "results_schema/tables/table_filling.hpp"

#include "app/run/rules/load_search_rule.hpp"
#include "app/run/run_campaign.hpp"

namespace schedfarm::app {

namespace {

namespace fs = std::filesystem;

using results_schema::add_row;
using results_schema::Table;

/// The option by which a replay is held to the logs that the run was begun with, where they are
/// known from its journal alone and the replay would not find that by itself.
void add_output(
    const Plan& plan, const fs::path& results, std::vector<engine::CommandWord>& words
) {
    if (plan.has_checksummed_inputs
        && results.lexically_normal() != default_output(plan.source.main_file)) {
        words.insert(words.end(), {"--output", results});
    }
}

std::string replay_command(
    const Plan& plan,
    const CellProgress& cell,
    std::size_t replication,
    const LoadSearchRule* search,
    const fs::path& results
) {
    std::vector<engine::CommandWord> words{
        "replay",
        fs::path(plan.source.main_file),
        "--cell",
        std::to_string(cell.cell().index),
        "--replication",
        std::to_string(replication)};
    std::optional<double> utilization;
    if (search != nullptr) {
        utilization = search->utilization(static_cast<std::uint32_t>(replication));
    } else if (cell.cell().placed_load) {
        utilization = cell.utilization();
    }
    if (utilization) {
        words.insert(words.end(), {"--utilization", fmt::format("{}", *utilization)});
    }
    add_output(plan, results, words);
    return engine::program_command(words);
}

}  // namespace

Table failures_table(const Plan& plan, const CampaignProgress& progress, const fs::path& results) {
    Table table = results_schema::make_table("failures");
    for (const auto& cell : progress.cells()) {
        for (const auto& [i, timing, failure] : cell->all_outcomes()) {
            if (failure == nullptr) {
                continue;
            }
            add_row(
                table,
                {{"cell", cell->cell().index},
                 {"replication", i},
                 {"status", failure->status},
                 {"message", failure->message},
                 {"replay",
                  replay_command(plan, *cell, i, progress.search(cell->cell().index), results)}}
            );
        }
    }
    return table;
}

}  // namespace schedfarm::app
