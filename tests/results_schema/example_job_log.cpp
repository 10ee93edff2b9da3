#include "tests/results_schema/example_job_log.hpp"

#include <limits>
#include <utility>

#include "engine/foundation/hash.hpp"

#include "results_schema/tables/table_filling.hpp"

#include "tests/results_schema/example_results.hpp"
#include "tests/results_schema/fillable_results.hpp"

namespace schedfarm::tests {

using namespace results_schema;  // NOLINT(google-build-using-namespace)

void add_logged_job(StoredJobLog& log, const LoggedJob& job) {
    add_row(
        log.jobs,
        {{"job", job.job},
         {"submit", job.submit},
         {"start", job.start},
         {"finish", job.finish},
         {"service", job.service},
         {"processors", job.processors},
         {"estimate", 8.0},
         {"class", job.job_class},
         {"user", std::uint64_t{42}},
         {"job_number", static_cast<std::int64_t>(100 + job.job)},
         {"offered", job.job == 1 ? 3.5 : std::numeric_limits<double>::quiet_NaN()},
         {"logged_wait", job.job == 1 ? 3.0 : std::numeric_limits<double>::quiet_NaN()}}
    );
}

void add_range(StoredJobLog& log, std::uint64_t job, std::uint64_t first, std::uint64_t last) {
    add_row(log.processors, {{"job", job}, {"first", first}, {"last", last}});
}

StoredJobLog example_job_log() {
    StoredJobLog log = make_job_log({1, 1});
    add_logged_job(log, {0, 0, 0, 4, 4, 2, 1});
    add_logged_job(log, {1, 0.5, 4, 10.5, 6.5, 3, 1});
    add_logged_job(log, {3, std::numeric_limits<double>::quiet_NaN(), 4, 4, 0, 4, 1});
    add_range(log, 0, 0, 0);
    add_range(log, 0, 2, 2);
    add_range(log, 1, 0, 2);
    add_range(log, 3, 0, 3);
    return log;
}

ResultFile logged_results() {
    ResultFile results = example_results();
    for (Column& column : table_to_fill(results, "replications").columns) {
        if (column.name == "fingerprint") {
            std::get<std::vector<std::uint64_t>>(column.data).back() =
                engine::schedule_hash(0, 0, 4) + engine::schedule_hash(1, 4, 10.5)
                + engine::schedule_hash(3, 4, 4);
        } else if (column.name == "jobs") {
            std::get<std::vector<std::uint64_t>>(column.data).back() = 3;
        }
    }
    return results;
}

JobLogSource source_of(std::vector<StoredJobLog> logs) {
    JobLogSource source;
    for (const StoredJobLog& log : logs) {
        source.ids.push_back(log.id);
    }
    source.make = [logs = std::move(logs)](const JobLogId& id) {
        for (const StoredJobLog& log : logs) {
            if (log.id == id) {
                return log;
            }
        }
        return make_job_log(id);
    };
    return source;
}

}  // namespace schedfarm::tests
