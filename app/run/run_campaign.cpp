#include "app/run/run_campaign.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "engine/farm/journal/journal.hpp"
#include "engine/farm/stopwatch.hpp"
#include "engine/foundation/message_text.hpp"

#include "models/trace/reading/log_error.hpp"
#include "policies/external/code.hpp"

#include "results_schema/result_io.hpp"
#include "results_schema/tables/typed_columns.hpp"

#include "app/campaign/plan/identity/cell_values.hpp"
#include "app/run/campaign_work.hpp"
#include "app/run/journal/campaign_journal.hpp"
#include "app/run/journal/gathering.hpp"
#include "app/run/journal/task_message.hpp"
#include "app/run/output_error.hpp"
#include "app/run/tables/result_tables.hpp"

namespace schedfarm::app {

namespace {

namespace fs = std::filesystem;

/// Computed replications of a result file; 0 where it cannot be read.
std::uint64_t replications_in(const fs::path& results) {
    try {
        const results_schema::ResultFile file = results_schema::read_results(results);
        const results_schema::Table* cells = file.find("cells");
        const auto& computed =
            results_schema::column_of<results_schema::Counts>(*cells, "replications_computed");
        return std::accumulate(computed.begin(), computed.end(), std::uint64_t{0});
    } catch (const results_schema::ResultError&) {
        return 0;
    }
}

/// Throws JournalError where the journal's own result file has more of the run than what can be
/// read of the journal.
void expect_nothing_lost(const fs::path& journal, std::uint64_t results, const fs::path& output) {
    fs::path own = journal;
    own.replace_extension();
    std::error_code error;
    const std::uint64_t present = fs::equivalent(own, output, error) ? replications_in(output) : 0;
    if (present > results) {
        throw engine::JournalError(fmt::format(
            "{}: it has {}, what can be read of the journal {} (the others would be lost). Name "
            "another file with --output, or remove this one",
            output.string(),
            engine::counted(present, "replication"),
            results
        ));
    }
}

/// Whether a failed replication is not tried again.
bool stands(const engine::TaskResult& failed, FormerFailures former) {
    return former == FormerFailures::keep
           || (former == FormerFailures::retry && failed.status == engine::TaskStatus::crashed);
}

/// Suspects that have been blamed too often, as outcomes. They are put aside.
std::vector<engine::TaskResult> quarantined(
    const std::vector<engine::Suspect>& suspects, std::uint32_t crashes
) {
    std::vector<engine::TaskResult> results;
    for (const engine::Suspect& suspect : suspects) {
        if (suspect.blames >= crashes) {
            engine::TaskResult result;
            result.id = suspect.id;
            result.status = engine::TaskStatus::crashed;
            result.message = fmt::format(
                "the run died {} times while this replication was under way, in the end alone",
                suspect.deaths
            );
            results.push_back(result);
        }
    }
    return results;
}

/// Those of the journal, and what crashed where that is to be tried again.
std::vector<engine::Suspect> suspects_of(const OpenedJournal& opened, const RunOptions& options) {
    std::map<engine::TaskId, engine::Suspect> by_id;
    for (const auto& [id, failed] : opened.failures) {
        if (options.former_failures == FormerFailures::retry_all
            && failed.status == engine::TaskStatus::crashed) {
            by_id[id] = {.id = id, .deaths = 1, .blames = 0};
        }
    }
    for (const engine::Suspect& suspect : opened.suspects) {
        by_id[suspect.id] = suspect;
    }
    std::vector<engine::Suspect> suspects;
    for (const auto& [id, suspect] : by_id) {
        suspects.push_back(suspect);
    }
    return suspects;
}

/// A job log is made by running its replication again. Code of the user's own that may not run
/// here, or answers otherwise, leaves its log out; the results are written. Refers to its
/// arguments.
void let_code_fail(
    const Plan& plan, results_schema::JobLogSource& logs, std::vector<std::string>& warnings
) {
    logs.make = [make = std::move(logs.make), &plan, &warnings](const results_schema::JobLogId& id
                ) -> std::optional<results_schema::StoredJobLog> {
        try {
            return make(id);
        } catch (const std::exception& error) {
            if (policies::external_codes(*plan.cells[id.cell].policy).empty()) {
                throw;
            }
            std::string warning = fmt::format(
                "the job log of cell {}, replication {} is left out: {}",
                id.cell,
                id.replication,
                error.what()
            );
            if (std::ranges::find(warnings, warning) == warnings.end()) {  // it is asked for again
                warnings.push_back(std::move(warning));
            }
            return std::nullopt;
        }
    };
}

/// Takes the plan and its progress, so that they are gone when the file is written.
RunSummary conclude(
    Plan& plan,
    std::unique_ptr<CampaignProgress> held_progress,
    const Provenance& provenance,
    const fs::path& output
) {
    CampaignProgress& progress = *held_progress;
    RunSummary summary;
    summary.cells = progress.cells().size();
    std::vector<CellSummary> cells = summaries_of(progress);
    for (const CellSummary& cell : cells) {
        summary.wasted += cell.computed - cell.used;
        summary.unstable_cells += cell.status == "unstable" ? 1U : 0U;
        summary.cells_not_bracketed += cell.status == "not_bracketed" ? 1U : 0U;
        summary.cells_not_stationary +=
            cell.status == "met_not_stationary" || cell.status == "not_stationary" ? 1U : 0U;
        summary.cells_short_of_target += cell.status.starts_with("not_met_") ? 1U : 0U;
    }
    for (const auto& cell : progress.cells()) {
        summary.undecided_cells += cell->decision().is_open() ? 1U : 0U;
        summary.failed += cell->failed();
    }
    results_schema::ResultFile results = build_results(plan, held_progress, cells, provenance);
    std::vector<CellSummary>().swap(cells);
    results_schema::JobLogSource logs;
    // A run that must stop has no time for logs; they come with the last one, or a rebuild.
    if (!provenance.farm.interrupted && held_progress != nullptr) {
        logs = job_logs(plan, progress);
        let_code_fail(plan, logs, summary.warnings);
        try {
            for (results_schema::Table& table : log_tables(plan, progress)) {
                results.tables.push_back(std::move(table));
            }
        } catch (const std::exception& error) {  // no reason to keep back what was computed
            summary.defects.push_back(
                {.problem = fmt::format("tables of job logs are left out ({})", error.what())}
            );
        }
    }
    if (logs.ids.empty()) {
        held_progress.reset();
        plan = {};
    }
    try {
        auto written = results_schema::write_results(
            output, std::move(results), logs, std::move(summary.defects)
        );
        summary.payload_hash = std::move(written.payload_hash);
        summary.defects = std::move(written.defects);
    } catch (const results_schema::ResultError& error) {
        throw OutputError(error.what());
    }
    summary.output = output;
    return summary;
}

/// Takes the failures that stand, and puts aside in the journal what has crashed too often.
void take_failures(OpenedJournal& opened, const RunOptions& options) {
    for (const auto& [id, failed] : opened.failures) {
        if (stands(failed, options.former_failures)) {
            opened.progress->take(failed);
        }
    }
    for (const engine::TaskResult& result : quarantined(opened.suspects, options.crashes)) {
        opened.journal->append_result(result);
        opened.progress->take(result);
    }
}

/// The cell of the last task: replications of one cell mostly come one after the other.
class LastCell {
  public:
    const Cell& cell(engine::Bytes bytes) {
        if (bytes != bytes_) {
            cell_ = decode_cell(bytes);
            bytes_ = std::move(bytes);
        }
        return cell_;
    }

  private:
    Cell cell_;
    engine::Bytes bytes_;
};

/// What the first of these tasks ask for, as far as they are of one cell and may be executed
/// together: no suspects, each of which is to show by itself what it does.
std::vector<ReplicationRequest> first_of_cell(std::span<const engine::Task> tasks) {
    std::vector<ReplicationRequest> requests;
    engine::Bytes cell;
    for (const engine::Task& task : tasks.first(std::min(tasks.size(), engine::most_together))) {
        ReceivedTask received = read_task_message(task.payload);
        if (received.task.is_suspect || (!requests.empty() && received.cell != cell)) {
            break;
        }
        requests.push_back({received.task.id.replication, received.task.utilization});
        cell = std::move(received.cell);
    }
    return requests;
}

/// They refer to their arguments.
engine::FarmOptions farm_options_of(
    const RunOptions& options,
    const CampaignProgress& progress,
    CampaignWork& work,
    engine::Journal& journal
) {
    engine::FarmOptions farm_options;
    farm_options.should_abandon = options.should_abandon;
    farm_options.on_overdue = options.on_overdue;
    farm_options.wait = options.wait;
    farm_options.on_lost = options.on_lost;
    farm_options.should_drain = [&options, &work] {
        const bool is_time = options.should_drain && options.should_drain();
        if (is_time) {
            work.acquit_under_way();
        }
        return is_time;
    };
    farm_options.on_tick =
        [&options, &progress, &journal, since_sync = engine::Stopwatch()]() mutable {
            constexpr double sync_interval_s = 0.8;
            if (since_sync.seconds() > sync_interval_s
                || (options.should_sync && options.should_sync())) {
                const std::string notice = journal.sync();
                if (!notice.empty() && options.warn) {
                    options.warn(notice);
                }
                since_sync = {};
            }
            if (options.on_progress) {
                options.on_progress(progress);
            }
        };
    return farm_options;
}

struct GivenJournal {
    fs::path path;
    engine::JournalContent content;
};

void expect_common_cell(const GivenJournal& first, const GivenJournal& other, const Plan& plan) {
    const engine::JournalHeader& a = first.content.header;
    const engine::JournalHeader& b = other.content.header;
    if (a.plan_hash == b.plan_hash || has_cell_of(b, plan)) {
        return;
    }
    throw engine::JournalError(fmt::format(
        "{} and {} have no replication in common: {} (plan {:.12} against {:.12}). Merge parts of "
        "one campaign file only",
        first.path.string(),
        other.path.string(),
        a.campaign_name == b.campaign_name
            ? fmt::format("two versions of campaign '{}', or of a log of it", a.campaign_name)
            : fmt::format("campaigns '{}' and '{}'", a.campaign_name, b.campaign_name),
        a.plan_hash,
        b.plan_hash
    ));
}

/// The result file of what the plan can use of these journals; with `joined` a journal of it too.
RunSummary results_of(
    const std::vector<GivenJournal>& journals,
    Plan& plan,
    const fs::path& output,
    engine::Journal* joined = nullptr
) {
    auto progress = std::make_unique<CampaignProgress>(plan);
    Gathering gathering(plan, *progress);
    const auto keep = [joined](const engine::TaskResult& result) {
        if (joined != nullptr) {
            joined->append_result(result);
        }
    };
    std::vector<std::string> damage;
    for (const auto& [path, content] : journals) {
        gathering.add(path, content, keep);
        if (content.is_damaged) {
            damage.push_back(damage_text(path, content, BehindDamage::is_missing));
        }
    }
    gathering.take_failures();
    for (const auto& [id, failed] : gathering.failures()) {
        keep(failed);
    }
    const std::uint64_t gathered = gathering.taken() + gathering.failures().size();
    fs::path own = joined != nullptr ? journal_of(output) : journals.front().path;
    expect_nothing_lost(own, gathered, output);
    if (joined != nullptr) {
        joined->sync();
    }
    Provenance provenance;
    provenance.started = provenance.finished = utc_now();
    provenance.results = own.replace_extension();  // drops ".journal"
    RunSummary summary = conclude(plan, std::move(progress), provenance, output);
    summary.reused = gathered;
    summary.left_out = gathering.left_out();
    std::ranges::move(damage, std::back_inserter(summary.warnings));
    return summary;
}

}  // namespace

fs::path journal_path(const fs::path& output) {
    return output.string() + ".journal";
}

fs::path default_output(const fs::path& campaign) {
    return campaign.stem().string() + ".h5";
}

fs::path journal_of(const fs::path& given) {
    return given.extension() == ".journal" ? given : journal_path(given);
}

engine::TaskExecutor replication_function(
    SimulatorChoice kernel, models::trace::WaitGroups groups
) {
    const auto last = std::make_shared<LastCell>();
    const auto one = [kernel, groups, last](const engine::Bytes& payload) {
        ReceivedTask received = read_task_message(payload);
        const Cell& cell = last->cell(std::move(received.cell));
        const ReplicationTask& task = received.task;
        try {
            const RunBesideLog run =
                run_beside_log(cell, {task.id.replication, task.utilization}, kernel, groups);
            return encode(run.observations, run.logged_waits, policies::take_versions());
        } catch (const models::trace::LogError& error) {
            throw LogMissing(error.what());
        } catch (const policies::ExternalCodeChanged& error) {
            throw engine::WorkerBroken(error.what());
        }
    };
    if (kernel != SimulatorChoice::automatic) {
        return one;
    }
    const auto several = [groups, last](std::span<const engine::Task> tasks) {
        const Cell& cell = last->cell(read_task_message(tasks.front().payload).cell);
        std::vector<engine::Bytes> results;
        if (replayed_log(cell, groups) == nullptr) {
            for (const auto& observed : run_side_by_side(cell, first_of_cell(tasks))) {
                results.push_back(encode(observed));
            }
        }
        return results;
    };
    return {one, several};
}

RunSummary run_campaign(const engine::World& world, Plan plan, const RunOptions& options) {
    Provenance provenance;
    provenance.started = utc_now();
    provenance.results = options.output;
    OpenedJournal opened =
        open_journal(journal_path(options.output), plan, options.existing_journal, options.share);
    if (options.warn && !opened.warning.empty()) {
        options.warn(opened.warning);
    }
    CampaignProgress& progress = *opened.progress;
    take_failures(opened, options);
    CampaignWork work(progress, *opened.journal, suspects_of(opened, options), options.crashes);
    engine::Workers workers = options.workers;
    if (workers.server == nullptr && !workers.execute) {
        workers.execute = replication_function(options.kernel);
    }
    try {
        provenance.farm = engine::run_master(
            world, work, workers, farm_options_of(options, progress, work, *opened.journal)
        );
        if (const std::string notice = opened.journal->sync(); !notice.empty() && options.warn) {
            options.warn(notice);
        }
    } catch (const engine::JournalError& error) {
        throw OutputError(error.what());
    }
    provenance.finished = utc_now();
    provenance.run_began_s = work.began_s();
    provenance.ranks = static_cast<std::uint32_t>(provenance.farm.ranks.size());
    if (options.expect_replaceable) {
        options.expect_replaceable();
    }
    RunSummary summary = conclude(plan, std::move(opened.progress), provenance, options.output);
    summary.reused = opened.reused;
    summary.left_out = opened.left_out;
    summary.suspects = opened.suspects.size();
    for (const engine::RankOverhead& rank : provenance.farm.ranks) {
        summary.replications += rank.tasks;
    }
    summary.wall_seconds = provenance.farm.wall_seconds;
    summary.has_lost_ranks = provenance.farm.has_lost_ranks;
    if (!summary.defects.empty()) {
        summary.end = engine::JournalEnd::defective;
    } else if (provenance.farm.interrupted) {
        summary.end = engine::JournalEnd::interrupted;
    } else if (summary.failed > 0 || summary.cells_not_bracketed > 0) {
        summary.end = engine::JournalEnd::finished_short;
    }
    try {
        opened.journal->append_end(summary.end);
    } catch (const engine::JournalError& error) {
        throw OutputError(error.what());
    }
    std::error_code ignored;  // a journal that is newer is read by every report
    fs::last_write_time(options.output, fs::file_time_type::clock::now(), ignored);
    return summary;
}

RunSummary rebuild(
    const fs::path& journal, const fs::path& output, const PlanCompletion& complete
) {
    auto [content, plan] = read_campaign_journal(journal);
    if (complete) {
        complete(plan);
    }
    return results_of({{journal, std::move(content)}}, plan, output);
}

RunSummary merge(
    const std::vector<fs::path>& paths, const fs::path& output, const PlanCompletion& complete
) {
    std::vector<GivenJournal> parts;
    for (const fs::path& path : paths) {
        parts.push_back({journal_of(path), engine::read_journal(journal_of(path))});
    }
    if (parts.empty()) {
        throw engine::JournalError("nothing to merge. Name the result files of the parts");
    }
    Plan plan = read_campaign_journal(parts.front().path).plan;
    if (complete) {
        complete(plan);
    }
    for (const GivenJournal& part : parts) {
        expect_common_cell(parts.front(), part, plan);
    }
    const fs::path target = journal_of(output);
    const auto journal = engine::Journal::create(target, parts.front().content.header);
    try {
        return results_of(parts, plan, output, journal.get());
    } catch (...) {
        std::error_code ignored;
        fs::remove(target, ignored);
        throw;
    }
}

}  // namespace schedfarm::app
