#include "campaigns/run/run_campaign.hpp"

#include <chrono>

#include <fmt/format.h>

#include "engine/farm/journal.hpp"
#include "engine/farm/serialization.hpp"

#include "results_schema/result_io.hpp"

#include "campaigns/run/result_tables.hpp"
#include "campaigns/run/version.hpp"

namespace schedfarm::campaigns {

namespace {

namespace fs = std::filesystem;

std::string as_text(const engine::Bytes& bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

engine::Bytes as_bytes(const std::string& text) {
    const auto* first = reinterpret_cast<const std::byte*>(text.data());
    return {first, first + text.size()};
}

engine::JournalHeader header_of(const Plan& plan) {
    engine::JournalHeader header;
    header.program_version = program_version;
    header.campaign_name = plan.name;
    header.plan_hash = plan.plan_hash;
    header.campaign = as_text(plan.source.serialize());
    return header;
}

/// A journal of another campaign or another version of it is never appended to.
void expect_same_campaign(
    const fs::path& path, const engine::JournalHeader& found, const Plan& plan
) {
    if (found.plan_hash == plan.plan_hash) {
        return;
    }
    const std::string what =
        found.campaign_name == plan.name
            ? fmt::format("an earlier version of campaign '{}'", plan.name)
            : fmt::format("campaign '{}', not of '{}'", found.campaign_name, plan.name);
    throw engine::JournalError(fmt::format(
        "{}: this is the journal of {} (plan {:.12} against {:.12}). Choose another --output, or "
        "--fresh to begin anew",
        path.string(),
        what,
        found.plan_hash,
        plan.plan_hash
    ));
}

struct OpenedJournal {
    std::unique_ptr<engine::Journal> journal;
    std::vector<engine::TaskResult> results;
};

OpenedJournal open_journal(const fs::path& path, const Plan& plan, ExistingJournal existing) {
    const bool exists = fs::exists(path);
    if (!exists && existing == ExistingJournal::resume) {
        throw engine::JournalError(fmt::format(
            "{}: there is no journal to go on from. Is this the folder of the run? `schedfarm run` "
            "begins a new one",
            path.string()
        ));
    }
    if (exists && existing == ExistingJournal::refuse) {
        throw engine::JournalError(fmt::format(
            "{}: a journal is already there (it would be lost). Go on from it with `schedfarm "
            "resume`, begin anew with --fresh, or choose another --output",
            path.string()
        ));
    }
    if (exists && existing == ExistingJournal::resume) {
        engine::JournalContent content = engine::read_journal(path);
        expect_same_campaign(path, content.header, plan);
        return {engine::Journal::reopen(path, content), std::move(content.results)};
    }
    if (exists) {
        return {engine::Journal::replace(path, header_of(plan)), {}};
    }
    return {engine::Journal::create(path, header_of(plan)), {}};
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
        summary.cells_short_of_target += cells.back().status == CellStatus::not_met_cap ? 1U : 0U;
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

engine::TaskFunction replication_function(const Plan& plan, Kernel kernel) {
    return [&plan, kernel](const engine::Bytes& payload) {
        engine::ByteReader reader(payload);
        const ReplicationId id = ReplicationId::of({reader.u64()});
        return encode(run_replication(plan.cells.at(id.cell), {id.replication}, kernel));
    };
}

RunSummary run_campaign(const engine::World& world, const Plan& plan, const RunOptions& options) {
    Provenance provenance;
    provenance.started = utc_now();
    OpenedJournal opened =
        open_journal(journal_path(options.output), plan, options.existing_journal);
    CampaignProgress progress(plan);
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
    for (const engine::RankOverhead& rank : provenance.farm.ranks) {
        summary.replications += rank.tasks;
    }
    summary.interrupted = provenance.farm.interrupted;
    summary.wall_seconds = provenance.farm.wall_seconds;
    return summary;
}

RunSummary rebuild(const fs::path& journal, const fs::path& output) {
    const engine::JournalContent content = engine::read_journal(journal);
    const Plan plan = make_plan(CampaignSource::deserialize(as_bytes(content.header.campaign)));
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
