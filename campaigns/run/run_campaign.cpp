#include "campaigns/run/run_campaign.hpp"

#include <chrono>

#include <fmt/format.h>

#include "engine/farm/journal.hpp"

#include "results_schema/result_io.hpp"

#include "campaigns/run/campaign_work.hpp"
#include "campaigns/run/result_tables.hpp"

namespace schedfarm::campaigns {

namespace {

namespace fs = std::filesystem;

bool is_short_of_target(CellStatus status) {
    return status == CellStatus::not_met_cap || status == CellStatus::not_met_budget;
}

RunSummary conclude(
    const Plan& plan,
    const CampaignProgress& progress,
    const Provenance& provenance,
    const fs::path& output
) {
    RunSummary summary;
    std::vector<CellSummary> cells;
    for (const auto& cell : progress.cells()) {
        cells.push_back(summarize(*cell));
        summary.wasted += cells.back().computed - cells.back().used;
        summary.unstable_cells += cells.back().status == CellStatus::unstable ? 1U : 0U;
        summary.cells_short_of_target += is_short_of_target(cells.back().status) ? 1U : 0U;
        for (const auto& outcome : cell->outcomes()) {
            summary.failed += outcome && !outcome->observations ? 1U : 0U;
        }
    }
    const results_schema::ResultFile results = build_results(plan, progress, cells, provenance);
    try {
        results_schema::write_results(output, results);
    } catch (const results_schema::ResultError& error) {
        throw OutputError(error.what());
    }
    summary.payload_hash = results_schema::payload_hash(results);
    summary.output = output;
    return summary;
}

}  // namespace

fs::path journal_path(const fs::path& output) {
    return output.string() + ".journal";
}

fs::path journal_of(const fs::path& given) {
    return given.extension() == ".journal" ? given : journal_path(given);
}

engine::TaskFunction replication_function(const Plan& plan, Kernel kernel) {
    return [&plan, kernel](const engine::Bytes& payload) {
        const ReplicationTask task = decode_task(payload);
        return encode(run_replication(
            plan.cells.at(task.id.cell), {task.id.replication, task.utilization}, kernel
        ));
    };
}

RunSummary run_campaign(const engine::World& world, const Plan& plan, const RunOptions& options) {
    Provenance provenance;
    provenance.started = utc_now();
    OpenedJournal opened =
        open_journal(journal_path(options.output), plan, options.existing_journal);
    CampaignProgress progress(plan, options.share);
    std::uint64_t reused = 0;
    for (const engine::TaskResult& result : opened.results) {
        if (result.status == engine::TaskStatus::done) {  // failed ones are tried again
            progress.take(result);
            ++reused;
        }
    }
    CampaignWork work(progress, *opened.journal);
    auto last_sync = std::chrono::steady_clock::now();
    engine::FarmOptions farm_options;
    farm_options.should_drain = options.should_drain;
    farm_options.on_tick = [&] {
        if (std::chrono::steady_clock::now() - last_sync > std::chrono::milliseconds(800)) {
            opened.journal->sync();
            last_sync = std::chrono::steady_clock::now();
        }
        if (options.on_progress) {
            options.on_progress(progress);
        }
    };
    try {
        provenance.farm = engine::run_master(
            world, work, replication_function(plan, options.kernel), farm_options
        );
        opened.journal->sync();
    } catch (const engine::JournalError& error) {
        throw OutputError(error.what());
    }
    provenance.finished = utc_now();
    provenance.ranks = world.size();
    RunSummary summary = conclude(plan, progress, provenance, options.output);
    summary.reused = reused;
    summary.left_out = opened.left_out;
    for (const engine::RankOverhead& rank : provenance.farm.ranks) {
        summary.replications += rank.tasks;
    }
    summary.interrupted = provenance.farm.interrupted;
    summary.wall_seconds = provenance.farm.wall_seconds;
    return summary;
}

RunSummary rebuild(const fs::path& journal, const fs::path& output) {
    const engine::JournalContent content = engine::read_journal(journal);
    const Plan plan = plan_of(content.header);
    CampaignProgress progress(plan);
    for (const engine::TaskResult& result : content.results) {
        progress.take(result);
    }
    Provenance provenance;
    provenance.started = provenance.finished = utc_now();
    RunSummary summary = conclude(plan, progress, provenance, output);
    summary.reused = content.results.size();
    return summary;
}

}  // namespace schedfarm::campaigns
