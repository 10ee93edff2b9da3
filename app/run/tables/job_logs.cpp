#include <algorithm>
#include <utility>
#include <vector>

#include "engine/simulation/kernel/processor_ranges.hpp"

#include "policies/catalogue.hpp"

#include "results_schema/absent.hpp"

#include "app/run/journal/replication_log.hpp"
#include "app/run/tables/result_tables.hpp"

namespace schedfarm::app {

namespace {

using engine::JobLog;
using results_schema::JobLogId;
using results_schema::StoredJobLog;
using results_schema::Table;

using Integers = std::vector<std::int64_t>;
using Counts = std::vector<std::uint64_t>;
using Reals = std::vector<double>;

/// The values of a column, to be filled.
template <typename T>
T& column(Table& table, const char* name) {
    const auto found = std::find_if(table.columns.begin(), table.columns.end(), [&](const auto& c) {
        return c.name == name;
    });
    return std::get<T>(found->data);
}

/// Where nobody names processors, the log of one cluster without pauses has a placement that fits.
bool fits_lowest_free(const Cell& cell) {
    const engine::PolicyDescription* policy = policies::find_policy(cell.policy->name);
    return cell.system.clusters.size() == 1 && !policy->traits(cell.policy->parameters).preemptive;
}

void add_jobs(const ReplicationLog& replayed, Table& table) {
    const JobLog& log = replayed.log;
    for (std::size_t job = 0; job < log.jobs(); ++job) {
        if (!log.has(job)) {
            continue;
        }
        column<Counts>(table, "job").push_back(job);
        column<Reals>(table, "submit").push_back(log.submit[job]);
        column<Reals>(table, "start").push_back(log.start[job]);
        column<Reals>(table, "finish").push_back(log.finish[job]);
        column<Reals>(table, "service").push_back(log.service[job]);
        column<Counts>(table, "processors").push_back(log.size[job]);
        column<Reals>(table, "estimate").push_back(replayed.estimate[job]);
        column<Counts>(table, "class").push_back(log.class_of(job));
        column<Counts>(table, "user").push_back(replayed.user[job]);
        column<Integers>(table, "job_number").push_back(replayed.job_number[job]);
        column<Reals>(table, "offered").push_back(log.offer(job));
        const bool is_logged = !replayed.logged_wait.empty() && replayed.logged_wait[job] >= 0;
        column<Reals>(table, "logged_wait")
            .push_back(is_logged ? replayed.logged_wait[job] : results_schema::absent);
    }
}

void add_processors(const JobLog& log, const engine::JobProcessors& held, Table& table) {
    for (std::size_t job = 0; job < log.jobs(); ++job) {
        if (!log.has(job)) {
            continue;
        }
        for (const engine::ProcessorRange& range : held.of(job)) {
            const std::uint64_t first = range.first.value;
            column<Counts>(table, "job").push_back(job);
            column<Counts>(table, "first").push_back(first);
            column<Counts>(table, "last").push_back(first + range.count - 1);
        }
    }
}

/// Takes the pieces of jobs that are in the log.
void add_pieces(const JobLog& log, std::vector<engine::RunSegment> pieces, Table& table) {
    std::ranges::stable_sort(pieces, {}, &engine::RunSegment::job);
    std::uint64_t index = 0;
    for (std::size_t i = 0; i < pieces.size(); ++i) {
        engine::RunSegment& piece = pieces[i];
        index = i > 0 && pieces[i - 1].job == piece.job ? index + 1 : 0;
        if (piece.job >= log.jobs() || !log.has(piece.job)) {
            continue;
        }
        std::ranges::sort(piece.processors, {}, [](const auto& range) {
            return range.first.value;
        });
        for (const engine::ProcessorRange& range : piece.processors) {
            const std::uint64_t first = range.first.value;
            column<Counts>(table, "job").push_back(piece.job);
            column<Counts>(table, "piece").push_back(index);
            column<Reals>(table, "begin").push_back(piece.begin);
            column<Reals>(table, "end").push_back(piece.end);
            column<Counts>(table, "first").push_back(first);
            column<Counts>(table, "last").push_back(first + range.count - 1);
        }
    }
}

StoredJobLog stored_log(const CampaignProgress& progress, const JobLogId& id) {
    ReplicationLog replayed = replication_log(progress, id);
    const Cell& cell = progress.cells()[id.cell]->cell();
    StoredJobLog stored = results_schema::make_job_log(id);
    add_jobs(replayed, stored.jobs);
    if (!replayed.pieces.empty()) {
        add_pieces(replayed.log, std::move(replayed.pieces), stored.pieces);
    } else if (!replayed.held.ranges.empty()) {
        add_processors(replayed.log, replayed.held, stored.processors);
    } else if (fits_lowest_free(cell)) {
        const auto fitting = engine::lowest_free_processors(replayed.log, cell.system.processors());
        add_processors(replayed.log, fitting, stored.processors);
    }
    return stored;
}

}  // namespace

results_schema::JobLogSource job_logs(const Plan& plan, const CampaignProgress& progress) {
    return {logged_replications(plan, progress), [&progress](const JobLogId& id) {
                return stored_log(progress, id);
            }};
}

}  // namespace schedfarm::app
