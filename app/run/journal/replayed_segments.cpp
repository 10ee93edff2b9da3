#include "app/run/journal/replayed_segments.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "results_schema/result_io.hpp"
#include "results_schema/tables/typed_columns.hpp"

#include "app/campaign/plan/plan.hpp"
#include "app/campaign/yaml/config_error.hpp"
#include "app/campaign/yaml/numbers.hpp"
#include "app/campaign/yaml/reader.hpp"
#include "app/campaign/yaml/value_node.hpp"
#include "app/run/replication.hpp"

namespace schedfarm::app {

namespace {

using results_schema::column_of;
using results_schema::Counts;
using results_schema::JobLogId;
using results_schema::Reals;
using results_schema::ResultError;
using results_schema::ResultFile;
using results_schema::Table;
using results_schema::Texts;

[[noreturn]] void fail(const std::filesystem::path& path, const JobLogId& id, const char* reason) {
    throw ResultError(fmt::format(
        "{}: when the jobs of cell {}, replication {} ran, and where, is not all in the file, and "
        "computed again it cannot be ({}). Use the program that wrote the file.",
        path.string(),
        id.cell,
        id.replication,
        reason
    ));
}

/// The campaign of the results without the values of a paper, which lie in a file of their own and
/// change no replication.
std::string campaign_text(const ResultFile& results) {
    const auto* attribute = results.attribute("effective_configuration");
    const auto* text = attribute == nullptr ? nullptr : std::get_if<std::string>(&attribute->value);
    if (text == nullptr) {
        return "";
    }
    Node campaign = read_yaml("campaign.yaml", *text);
    campaign.erase("reference");
    return json_lines(campaign);
}

/// Made as if the campaign lay beside its results, as it mostly does: a log may be there, too.
std::optional<Cell> cell_of(
    const ResultFile& results, const JobLogId& id, const std::filesystem::path& path
) {
    CampaignSource source;
    source.main_file = (path.parent_path() / "campaign.yaml").generic_string();
    try {
        source.files[source.main_file] = campaign_text(results);
        const Plan plan = make_plan(std::move(source));
        const Texts& values = column_of<Texts>(*results.find("cells"), "resolved");
        if (id.cell < std::min(plan.cells.size(), values.size())) {
            Cell cell = plan.cells[id.cell];
            const Node resolved = read_yaml("", values[id.cell]);
            const Node* text = find_path(resolved, "random_numbers.seed");
            const auto seed = text == nullptr ? std::nullopt : parse_natural(text->scalar);
            if (!seed) {
                return std::nullopt;
            }
            cell.random.seed = *seed;
            return cell;
        }
    } catch (const ConfigErrors&) {  // NOLINT(bugprone-empty-catch): it was one for its program
    }
    return std::nullopt;
}

/// Where the program found the load of a cell: that of the round to which the replication belongs,
/// or of the cell.
std::optional<double> found_load(const ResultFile& results, const Cell& cell, const JobLogId& id) {
    const Table* steps = results.find("search_steps");
    if (cell.load_search && steps != nullptr) {
        const auto& of = column_of<Counts>(*steps, "cell");
        const auto& first = column_of<Counts>(*steps, "first_replication");
        const auto& count = column_of<Counts>(*steps, "replications");
        for (std::size_t row = 0; row < steps->rows(); ++row) {
            if (of[row] == id.cell && first[row] <= id.replication
                && id.replication < first[row] + count[row]) {
                return column_of<Reals>(*steps, "utilization")[row];
            }
        }
    }
    return cell.placed_load
               ? std::optional(column_of<Reals>(*results.find("cells"), "utilization")[id.cell])
               : std::nullopt;
}

std::uint64_t fingerprint_of(
    const ResultFile& results, const JobLogId& id, const std::filesystem::path& path
) {
    const Table& table = *results.find("replications");
    const auto& cell = column_of<Counts>(table, "cell");
    const auto& replication = column_of<Counts>(table, "replication");
    std::size_t row = 0;
    while (row < table.rows() && (cell[row] != id.cell || replication[row] != id.replication)) {
        ++row;
    }
    if (row == table.rows()) {
        fail(path, id, "the file has no such replication");
    }
    return column_of<Counts>(table, "fingerprint")[row];
}

/// Simulates it once more before the observer; returns the cell.
Cell replay(
    const ResultFile& results,
    const JobLogId& id,
    const std::filesystem::path& path,
    engine::ScheduleVerifier& observer
) {
    std::optional<Cell> cell = cell_of(results, id, path);
    if (!cell) {
        fail(path, id, "the campaign in it is none for this program");
    }
    const ReplicationRequest request{
        static_cast<std::uint32_t>(id.replication), found_load(results, *cell, id)};
    if ((cell->load_search || cell->placed_load) && !request.utilization) {
        fail(path, id, "the file does not tell its load");
    }
    cell->probes = {};
    if (run_replication(*cell, request, SimulatorChoice::general, &observer).fingerprint
        != fingerprint_of(results, id, path)) {
        fail(path, id, "it gives another schedule, by its fingerprint");
    }
    return *std::move(cell);
}

/// Without what happened to jobs that are not counted.
template <typename Part>
std::vector<Part> counted(std::vector<Part> parts, const Cell& cell) {
    if (cell.experiment.kind.is_open()) {
        std::erase_if(parts, [&](const Part& part) {
            return part.job >= cell.experiment.horizon.jobs;
        });
    }
    return parts;
}

}  // namespace

ReplayedSchedule replayed_schedule(
    const ResultFile& results, const JobLogId& id, const std::filesystem::path& path
) {
    engine::SegmentLog log;
    const Cell cell = replay(results, id, path, log);
    return {counted(log.segments(), cell), log.outages().spans(), cell.system.clusters};
}

ReplayedNodes replayed_nodes(
    const ResultFile& results, const JobLogId& id, const std::filesystem::path& path
) {
    engine::NodeLog log;
    const Cell cell = replay(results, id, path, log);
    return {counted(log.spans(), cell), log.outages().spans()};
}

}  // namespace schedfarm::app
