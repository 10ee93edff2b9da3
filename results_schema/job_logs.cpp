#include "results_schema/job_logs.hpp"

#include <fmt/format.h>

#include "results_schema/schema.hpp"
#include "results_schema/schema_columns.hpp"

namespace schedfarm::results_schema {

namespace {

using namespace columns;  // NOLINT(google-build-using-namespace)

ColumnSchema processors_count(std::string name, std::string meaning, std::string example) {
    ColumnSchema column = count(std::move(name), std::move(meaning), std::move(example));
    column.unit = "processors";
    return column;
}

TableSchema jobs_schema() {
    return outside_payload(TableSchema{
        "jobs",
        "one row per job of a replication that started: what became of it",
        Presence::optional,
        {"job"},
        RowOrder::strictly_increasing,
        {
            count("job", "index of the job in the order of submission, from 0", "17"),
            real("submit", "time", "when it was submitted; NaN in a saturated experiment", "12"),
            real("start", "time", "when it started, the first time where jobs may pause", "14.5"),
            real(
                "finish",
                "time",
                "when it finished, or (saturated, without pauses) would have finished",
                "20.5"
            ),
            real("service", "time", "its run time on its processors, without pauses", "6"),
            processors_count("processors", "processors that it held", "4"),
            real("estimate", "time", "run time that it requested, or else `service`", "10"),
            count("class", "job class of the workload; 0 where it has none", "0"),
            count("user", "user of the workload; 0 where it has none", "0"),
            integer(
                "job_number",
                "its number in the log that the workload was taken from, several times where jobs "
                "are resampled; -1: the workload is no log, or its log has no number",
                "-1"
            ),
            real(
                "offered",
                "time",
                "earliest start that was offered when it asked for another one and was refused; "
                "NaN: it was not, or the policy offers nothing",
                "30"
            ),
        }});
}

TableSchema processors_schema() {
    return outside_payload(TableSchema{
        "processors",
        "one row per range of processors that a job held: at each start, in the order of starts, "
        "the free ones with the lowest numbers",
        Presence::optional,
        {"job", "first"},
        RowOrder::strictly_increasing,
        {
            count("job", "the job, as in `jobs`", "17"),
            count("first", "lowest processor of the range, from 0", "3"),
            count("last", "highest processor of the range", "6"),
        }});
}

Table empty_table(const TableSchema& schema, const JobLogId& id) {
    Table table{fmt::format("{}/{}/{}", schema.name, id.cell, id.replication), schema.meaning, {}};
    for (const ColumnSchema& column : schema.columns) {
        table.columns.push_back(
            {column.name, column.unit, column.meaning, column.hashed, make_column_data(column.type)}
        );
    }
    return table;
}

}  // namespace

const std::vector<TableSchema>& job_log_schema() {
    static const std::vector<TableSchema> tables = {jobs_schema(), processors_schema()};
    return tables;
}

StoredJobLog make_job_log(const JobLogId& id) {
    return {id, empty_table(job_log_schema()[0], id), empty_table(job_log_schema()[1], id)};
}

}  // namespace schedfarm::results_schema
