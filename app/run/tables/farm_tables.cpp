#include <algorithm>
#include <cmath>
#include <compare>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "engine/foundation/message_text.hpp"

#include "results_schema/absent.hpp"
#include "results_schema/schema.hpp"
#include "results_schema/tables/table_filling.hpp"
#include "results_schema/tables/typed_columns.hpp"

#include "app/run/rules/load_search_rule.hpp"
#include "app/run/run_campaign.hpp"
#include "app/run/tables/analysis_tables.hpp"

namespace schedfarm::app {

namespace {

using results_schema::add_row;
using results_schema::column_of;
using results_schema::Table;

using results_schema::absent;
/// Less than the schema allows for the resolution of clocks.
constexpr double clock_resolution_s = 5e-6;

/// An outcome and the run that it belongs to.
struct Timing : ReplicationTiming {
    std::uint32_t cell = 0;
    std::uint32_t replication = 0;
    std::uint32_t run = 0;  ///< 0: not known
};

bool is_dated(const ReplicationTiming& outcome) {
    return outcome.began_s > 0 && std::isfinite(outcome.began_s) && outcome.run_began_s > 0
           && std::isfinite(outcome.run_began_s);
}

/// In (cell, replication) order.
std::vector<Timing> timings_of(const CampaignProgress& progress) {
    std::uint64_t computed = 0;
    for (const auto& cell : progress.cells()) {
        computed += cell->computed();
    }
    std::vector<Timing> timings;
    timings.reserve(computed);
    for (const auto& cell : progress.cells()) {
        for (const IndexedOutcome& indexed : cell->all_outcomes()) {
            timings.push_back({indexed.timing, cell->cell().index, indexed.replication, 0});
        }
    }
    return timings;
}

/// A dated outcome: by run, rank and time, else in the order of the list that it is in.
struct PlaceInTime {
    double run_began_s;
    std::uint32_t rank;
    double began_s;
    std::size_t index;

    friend auto operator<=>(const PlaceInTime&, const PlaceInTime&) = default;
};

/// Numbers the runs of all timings that are dated without contradiction; returns the numbers by
/// begin.
std::map<double, std::uint32_t> number_runs(std::vector<Timing>& timings) {
    std::vector<PlaceInTime> dated;
    dated.reserve(timings.size());
    for (std::size_t i = 0; i < timings.size(); ++i) {
        if (is_dated(timings[i])) {
            dated.push_back({timings[i].run_began_s, timings[i].rank, timings[i].began_s, i});
        }
    }
    std::sort(dated.begin(), dated.end());
    std::map<double, std::uint32_t> number_of_run;
    const Timing* before = nullptr;
    for (const PlaceInTime& place : dated) {
        Timing& timing = timings[place.index];
        const bool is_at_once =
            before != nullptr && before->run_began_s == timing.run_began_s
            && before->rank == timing.rank
            && timing.began_s + clock_resolution_s < before->began_s + before->seconds;
        if (!is_at_once) {
            const auto next = static_cast<std::uint32_t>(number_of_run.size() + 1);
            timing.run = number_of_run.emplace(timing.run_began_s, next).first->second;
            before = &timing;
        }
    }
    return number_of_run;
}

/// By columns, for there may be millions of rows.
Table timings_table(const std::vector<Timing>& timings) {
    Table table = results_schema::make_table("timings");
    results_schema::reserve_rows(table, timings.size());
    const auto fill = [&]<typename T>(const char* name, T /*type*/, auto value_of) {
        auto& values = column_of<std::vector<T>>(table, name);
        for (const Timing& timing : timings) {
            values.push_back(value_of(timing));
        }
    };
    constexpr std::uint64_t count = 0;
    constexpr double real = 0;
    fill("cell", count, [](const Timing& timing) { return timing.cell; });
    fill("replication", count, [](const Timing& timing) { return timing.replication; });
    fill("seconds", real, [](const Timing& timing) { return timing.seconds; });
    fill("rank", count, [](const Timing& timing) { return timing.rank; });
    fill("run", count, [](const Timing& timing) { return timing.run; });
    fill("began", real, [](const Timing& timing) {
        return timing.run == 0 ? absent : timing.began_s - timing.run_began_s;
    });
    return table;
}

Table farm_table(const engine::FarmReport& farm, std::uint64_t run) {
    Table table = results_schema::make_table("farm");
    for (const engine::RankOverhead& rank : farm.ranks) {
        add_row(
            table,
            {{"rank", rank.rank},
             {"host", rank.host},
             {"tasks", rank.tasks},
             {"busy", rank.busy_seconds},
             {"idle", rank.idle_seconds},
             {"dispatch", rank.dispatch_seconds},
             {"io", rank.io_seconds},
             {"run", run}}
        );
    }
    return table;
}

namespace fs = std::filesystem;

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

std::vector<Table> farm_tables(const CampaignProgress& progress, const Provenance& provenance) {
    std::vector<Timing> timings = timings_of(progress);
    const auto number_of_run = number_runs(timings);
    const auto own = number_of_run.find(provenance.run_began_s);
    const std::uint64_t run = own == number_of_run.end() ? 0 : own->second;
    std::vector<Table> tables;
    tables.push_back(timings_table(timings));
    tables.push_back(farm_table(provenance.farm, run));
    return tables;
}

Table failures_table(const Plan& plan, const CampaignProgress& progress, const fs::path& results) {
    Table table = results_schema::make_table("failures");
    for (const auto& cell : progress.cells()) {
        if (cell->failed() == 0) {
            continue;
        }
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
