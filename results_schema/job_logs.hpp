// The logs of single replications, which lie in groups of a result file beside its tables: what
// became of each job (/jobs/<cell>/<replication>), and which processors it held, all its time
// (/processors/<cell>/<replication>) or, where some job went on elsewhere, in each piece of it
// (/pieces/<cell>/<replication>). They are outside the payload; the fingerprints in it are
// those of their jobs, and whoever makes a log
// checks them. Pure.
#pragma once

#include <compare>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "results_schema/schema.hpp"
#include "results_schema/tables/table.hpp"

namespace schedfarm::results_schema {

/// A replication that has a log.
struct JobLogId {
    std::uint64_t cell = 0;
    std::uint64_t replication = 0;
    // NOLINTNEXTLINE(modernize-use-nullptr): its error
    friend auto operator<=>(const JobLogId&, const JobLogId&) = default;
};

struct StoredJobLog {
    JobLogId id;
    Table jobs;        ///< one row per job that started
    Table processors;  ///< one row per range of processors; none where they are not known
    Table pieces;      ///< one row per range of a piece of a job's time; then no `processors`
};

/// Logs that are made when they are asked for, one after the other.
struct JobLogSource {
    std::vector<JobLogId> ids;                                         ///< ascending
    std::function<std::optional<StoredJobLog>(const JobLogId&)> make;  ///< absent: it is left out
};

/// The tables of a log, in the order of StoredJobLog, under the names of its members.
const std::vector<TableSchema>& job_log_schema();

/// What in the structure of its tables is not that of the schema.
std::vector<std::string> structural_problems(const StoredJobLog& log);

/// The log of a replication, without rows.
StoredJobLog make_job_log(const JobLogId& id);

}  // namespace schedfarm::results_schema
