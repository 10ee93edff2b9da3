#include <algorithm>
#include <exception>
#include <map>
#include <optional>
#include <utility>

#include "engine/simulation/measurement/utilization_series.hpp"

#include "policies/catalogue.hpp"
#include "policies/external/code.hpp"

#include "results_schema/schema.hpp"
#include "results_schema/tables/table_filling.hpp"

#include "app/run/journal/replication_log.hpp"
#include "app/run/tables/result_tables.hpp"

namespace schedfarm::app {

namespace {

using engine::JobLog;
using results_schema::add_row;
using results_schema::JobLogId;
using results_schema::Table;

constexpr double default_threshold = 10;

/// The window of the cell's time averages; absent where a job log does not say when processors are
/// busy, or there is no window.
std::optional<engine::MeasurementWindow> window_of(const Cell& cell, const JobLog& log) {
    const engine::PolicyDescription* policy = policies::find_policy(cell.policy->name);
    if (cell.experiment.kind.keeps_backlog() || policy->traits(cell.policy->parameters).preemptive
        || cell.system.outages.cut_jobs()) {
        return std::nullopt;
    }
    engine::MeasurementWindow window;
    if (cell.experiment.kind.starts_with_all()) {
        window.end = *std::max_element(log.finish.begin(), log.finish.end());
    } else {
        window = {
            .begin = log.submit[cell.experiment.horizon.warm_up_jobs], .end = log.submit.back()};
    }
    return window.end > window.begin ? std::optional(window) : std::nullopt;
}

void add_series(
    const Cell& cell, const JobLogId& id, const JobLog& log, std::uint64_t parts, Table& table
) {
    const auto window = window_of(cell, log);
    if (!window || parts == 0) {
        return;
    }
    const engine::UtilizationSeries series(log, cell.system.processors(), *window, parts);
    for (std::uint64_t part = 0; part < parts; ++part) {
        add_row(
            table,
            {{"cell", id.cell},
             {"replication", id.replication},
             {"part", part},
             {"begin", series.edge(part)},
             {"end", series.edge(part + 1)},
             {"gross_utilization", series.utilization(part)}}
        );
    }
}

/// Sums over jobs.
struct UserSums {
    std::uint64_t users = 0;
    std::uint64_t jobs = 0;
    double processor_time = 0;
    double response = 0;
    double queueing = 0;
    double slowdown = 0;
    double requested = 0;

    void add(const UserSums& other) {
        users += other.users;
        jobs += other.jobs;
        processor_time += other.processor_time;
        response += other.response;
        queueing += other.queueing;
        slowdown += other.slowdown;
        requested += other.requested;
    }
};

double threshold_of(const Cell& cell) {
    for (const engine::ProbeRequest& request : cell.probes.requests) {
        if (request.metric == engine::Metric::bounded_slowdown) {
            return request.threshold;
        }
    }
    return default_threshold;
}

using SumsByUser = std::map<std::uint32_t, UserSums>;

void add_log_jobs(const Cell& cell, const ReplicationLog& replayed, SumsByUser& sums) {
    const JobLog& log = replayed.log;
    const double threshold = threshold_of(cell);
    for (std::size_t job = cell.experiment.horizon.warm_up_jobs; job < log.jobs(); ++job) {
        const double response = log.finish[job] - log.submit[job];
        UserSums& user = sums[replayed.user[job]];
        user.add(
            {.users = user.users == 0 ? 1U : 0U,
             .jobs = 1,
             .processor_time = log.size[job] * log.service[job],
             .response = response,
             .queueing = log.start[job] - log.submit[job],
             .slowdown = std::max(1.0, response / std::max(log.service[job], threshold)),
             .requested = log.size[job] * replayed.estimate[job]}
        );
    }
}

void add_user(std::uint32_t cell, std::int64_t user, const UserSums& sums, Table& table) {
    const auto jobs = static_cast<double>(sums.jobs);
    add_row(
        table,
        {{"cell", cell},
         {"user", user},
         {"users", sums.users},
         {"jobs", sums.jobs},
         {"processor_time", sums.processor_time},
         {"response_time", sums.response / jobs},
         {"wait", sums.queueing / jobs},
         {"bounded_slowdown", sums.slowdown / jobs},
         {"requested_processor_time", sums.requested}}
    );
}

/// The busiest users, then all others; nothing where the workload does not tell users apart.
void add_users(std::uint32_t cell, const SumsByUser& sums, std::uint64_t most, Table& table) {
    if (sums.size() < 2) {
        return;
    }
    std::vector<std::pair<std::uint32_t, UserSums>> users(sums.begin(), sums.end());
    std::stable_sort(users.begin(), users.end(), [](const auto& a, const auto& b) {
        return a.second.processor_time > b.second.processor_time;
    });
    UserSums others;
    for (std::size_t i = 0; i < users.size(); ++i) {
        if (i < most) {
            add_user(cell, users[i].first, users[i].second, table);
        } else {
            others.add(users[i].second);
        }
    }
    if (others.users > 0) {
        add_user(cell, -1, others, table);
    }
}

}  // namespace

std::vector<Table> log_tables(const Plan& plan, const CampaignProgress& progress) {
    if (plan.job_log.utilization_parts == 0 && plan.job_log.users == 0) {
        return {};
    }
    Table series = results_schema::make_table("utilization_series");
    Table users = results_schema::make_table("users");
    std::map<std::uint32_t, SumsByUser> by_cell;
    for (const JobLogId& id : logged_replications(plan, progress)) {
        const Cell& cell = progress.cells()[id.cell]->cell();
        try {
            const ReplicationLog replayed = replication_log(progress, id);
            add_series(cell, id, replayed.log, plan.job_log.utilization_parts, series);
            if (plan.job_log.users > 0 && !cell.experiment.kind.keeps_backlog()) {
                add_log_jobs(cell, replayed, by_cell[cell.index]);
            }
        } catch (const std::exception&) {
            if (policies::external_codes(*cell.policy).empty()) {
                throw;
            }
            // Code of the user's own failed: that is said where the log itself is left out.
        }
    }
    for (const auto& [cell, sums] : by_cell) {
        add_users(cell, sums, plan.job_log.users, users);
    }
    std::vector<Table> tables;
    for (Table* table : {&series, &users}) {
        if (table->rows() > 0) {
            tables.push_back(std::move(*table));
        }
    }
    return tables;
}

}  // namespace schedfarm::app
