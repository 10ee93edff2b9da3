#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "results_schema/loaded_file.hpp"
#include "results_schema/result_io.hpp"

#include "app/report/diff/diff.hpp"
#include "app/report/result_view.hpp"

namespace schedfarm::app {

namespace {

using results_schema::Column;
using results_schema::JobLogId;
using results_schema::Table;

/// The first column in which a row differs; null: none.
const Column* differing_column(const Table& a, const Table& b, std::size_t row) {
    for (const Column& column : a.columns) {
        const Column* other = b.find(column.name);
        if (other != nullptr && !same_value(column, row, *other, row)) {
            return &column;
        }
    }
    return nullptr;
}

/// Appends a line where the two differ.
void compare(const Table& a, const Table& b, const char* rows, std::vector<std::string>& lines) {
    if (a.rows() != b.rows()) {
        lines.push_back(fmt::format("{}: {} {} in A, {} in B", a.name, a.rows(), rows, b.rows()));
        return;
    }
    std::size_t differing = 0;
    std::string first;
    for (std::size_t row = 0; row < a.rows(); ++row) {
        const Column* column = differing_column(a, b, row);
        if (column != nullptr && differing++ == 0) {
            first = fmt::format(
                "job {}: {} {} in A, {} in B",
                Row(a, row).count("job"),
                column->name,
                Row(a, row).shown(column->name),
                Row(b, row).shown(column->name)
            );
        }
    }
    if (differing > 0) {
        lines.push_back(
            fmt::format("{}: {} of {} {}, first {}", a.name, differing, a.rows(), rows, first)
        );
    }
}

}  // namespace

JobLogDiff diff_job_logs(const std::filesystem::path& a, const std::filesystem::path& b) {
    const std::vector<JobLogId> of_a = results_schema::job_logs_in(a);
    const std::vector<JobLogId> of_b = results_schema::job_logs_in(b);
    std::vector<JobLogId> common;
    std::set_intersection(
        of_a.begin(), of_a.end(), of_b.begin(), of_b.end(), std::back_inserter(common)
    );
    JobLogDiff diff;
    diff.logs = common.size();
    std::vector<std::string> remarks;
    for (const JobLogId& id : common) {
        const auto log_a = results_schema::load_job_log(a, id, remarks);
        const auto log_b = results_schema::load_job_log(b, id, remarks);
        compare(log_a.jobs, log_b.jobs, "jobs", diff.lines);
        compare(log_a.processors, log_b.processors, "ranges", diff.lines);
    }
    return diff;
}

}  // namespace schedfarm::app
