// What command lines say of jobs that wait for others, and of jobs that were held or left.
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "models/trace/dependencies.hpp"
#include "models/trace/reading/reader.hpp"
#include "models/trace/row_columns.hpp"
#include "models/trace/selection.hpp"

namespace schedfarm::models::trace {

namespace {

const std::string header =
    "JobIDRaw|JobID|User|Submit|Eligible|Start|End|ElapsedRaw|TimelimitRaw|AllocCPUS|ReqCPUS|State|"
    "Priority|SubmitLine\n";

/// A job of one processor that ran.
std::string ran(
    const std::string& id,
    const std::string& times,
    int run,
    const std::string& line,
    const std::string& user = "ann"
) {
    return id + "|" + user + "|" + times + "|" + std::to_string(run) + "|9|1|1|COMPLETED|77|sbatch "
           + line + " a.sh\n";
}

struct Found {
    std::uint32_t row;
    std::vector<std::uint32_t> before;
    bool operator==(const Found&) const = default;
};

std::vector<Found> found(const Log& log) {
    std::vector<Found> result;
    for (const RowDependency& one : log.row_dependencies) {
        if (result.empty() || result.back().row != one.row) {
            result.push_back({one.row, {}});
        }
        result.back().before.push_back(one.before);
    }
    return result;
}

}  // namespace

TEST_CASE("a row waits for the jobs, arrays, tasks and namesakes that its command line names") {
    const Log log = read_log_text(
        header + ran("11|11", "1000|1000|1000|1100", 100, "-J x")           // 0
            + ran("12|12_0", "1000|1000|1000|1150", 150, "-a 0-1")          // 1
            + ran("13|12_1", "1000|1000|1000|1170", 170, "-a 0-1")          // 2
            + ran("14|14", "1010|1170|1170|1200", 30, "-d afterany:11:12")  // 3
            + ran("15|15", "1010|1150|1160|1199", 39, "--dependency=afterok:12_0,afternotok:11")
            + ran("17|16_1", "1010|1170|1180|1190", 10, "-a 1 -d aftercorr:12")
            + ran("18|18", "1010|1100|1210|1220", 10, "-J x -d singleton")
            + ran("19|19", "1010|1010|1210|1220", 10, "-d afterany:11?afterany:12")
            + ran("20|20", "1010|1010|1210|1220", 10, "-d after:11")
            + ran("21|21", "1010|1010|1050|1220", 170, "-d 11")  // it did not wait
            + ran("22|22", "1230|1230|1230|1240", 10, "-J x -d singleton", "bob")
            + ran("23|23", "1230|1230|1230|1240", 10, "--depend afterok:14,singleton -J x"),
        "a.sacct"
    );
    CHECK(
        found(log)
        == std::vector<Found>{{3, {0, 1, 2}}, {4, {0, 1}}, {5, {2}}, {6, {0}}, {11, {0, 3, 6}}}
    );
}

// Row 1 was eligible with the end of row 0; row 2 was kept back longer, by --begin; row 3 waits for
// row 4, which is left out.
TEST_CASE("a job could come sooner where nothing but those that it waits for kept it back") {
    const Log log = read_log_text(
        header + ran("1|1", "1000|1000|1000|1100", 100, "")
            + ran("2|2", "1010|1101|1101|1120", 19, "-d afterok:1")
            + ran("3|3", "1020|1175|1180|1190", 10, "-d afterok:1 --begin=now+155")
            + ran("4|4", "1030|1140|1140|1150", 10, "-d afterok:5")
            + ran("5|5", "1000|1000|1000|1140", 140, "-t 1"),
        "a.sacct"
    );
    Selection selection;
    selection.run_time.high = 130;
    const JobList jobs = select(log, selection, {}).jobs;
    const Dependencies dependencies = dependencies_of(log, jobs);
    CHECK(dependencies.further.size() == 2);
    CHECK(dependencies.earlier == std::vector<double>{0, 91, 0, 0, 0});
    CHECK(dependencies.earlier_task.empty());
    const RequestColumn column = request_column(log, jobs);
    CHECK(column.requests[column.of_row[1]].submitted_before_s == 91);
    CHECK(column.requests[column.of_row[2]].submitted_before_s == 155);
    CHECK(column.requests[column.of_row[0]].submitted_before_s == 0);
}

// Of array 7 two tasks may run at once; the third was let go at 1090.
TEST_CASE("tasks over the limit of their array could come with its first") {
    const Log log = read_log_text(
        header + ran("8|7_0", "1000|1003|1003|1090", 87, "-a 0-2%2")
            + ran("9|7_1", "1000|1003|1003|1095", 92, "-a 0-2%2")
            + ran("7|7_2", "1000|1090|1090|1097", 7, "-a 0-2%2"),
        "a.sacct"
    );
    const JobList jobs = select(log, {}, {}).jobs;
    const Dependencies dependencies = dependencies_of(log, jobs);
    CHECK(dependencies.earlier_task == std::vector<double>{0, 0, 87});
    const RequestColumn column = request_column(log, jobs);
    CHECK(column.requests[column.of_row[2]].submitted_before_s == 90);
    CHECK(column.requests[column.of_row[2]].order == 7);
    CHECK(dependencies_of(log, jobs, ArrivalRule::submit).empty());
}

TEST_CASE("what left while it waited is kept apart, and who was held is known") {
    const std::string table =
        header + ran("1|1", "1000|1000|1000|1100", 100, "")
        + "2|2|ann|1010|1012|None|1077|0|3|0|2|CANCELLED by 0|55|sbatch a\n"
          "3|3|ann|1010|Unknown|None|1078|0|3|0|2|CANCELLED by 0|55|sbatch -d afterok:99 a\n"
          "4|4|ann|1010|1012|None|1079|0|3|0|2|CANCELLED by 0|0|sbatch a\n"
          "5|5|ann|1010|1012|None|Unknown|0|3|0|2|PENDING|55|sbatch a\n"
          "6|6|ann|1020|1090|1100|1105|5|3|2|2|COMPLETED|0|sbatch -H a\n"
          "7|7|ann|1010|1012|None|1077|0||0|2|CANCELLED by 0|55|sbatch a\n";
    const Log log = read_log_text(table, "a.sacct");
    SelectedJobs selected = select(log, {}, {});
    CHECK(selected.jobs.row == std::vector<std::uint32_t>{0, 5});
    CHECK(selected.left.row == std::vector<std::uint32_t>{1});
    CHECK(selected.left.submit == std::vector<double>{1012});
    CHECK(selected.left.run == std::vector<double>{65});
    CHECK(selected.left.request == std::vector<double>{180});
    CHECK(selected.left.processors == std::vector<std::uint32_t>{2});
    CHECK(selected.dropped[static_cast<std::size_t>(Dropped::no_run_time)] == 4);
    const RequestColumn column = request_column(log, selected.jobs, selected.left);
    CHECK(column.requests[column.of_row[5]].was_released);
    CHECK(column.requests[column.of_row[1]].has_left);
    CHECK_FALSE(column.requests[column.of_row[0]].was_released);
    CHECK_FALSE(column.requests[column.of_row[0]].has_left);
    CHECK(select(log, {}, {.left = LeftRule::dropped}).left.size() == 0);
}

TEST_CASE("an array that was held as a whole is known by its last task") {
    const std::string table =
        header + ran("1|1", "1000|1000|1000|1100", 100, "")
        + ran("8|7_1", "1003|1040|1050|1060", 10, "-H -a 1-2")
        + "7|7_2|ann|1003|1040|1070|1083|13|9|1|1|COMPLETED|0|sbatch -H -a 1-2 a.sh\n"
        + ran("9|9_1", "1005|1005|1090|1107", 17, "-a 1-1");
    const Log log = read_log_text(table, "a.sacct");
    const SelectedJobs selected = select(log, {}, {});
    const RequestColumn column = request_column(log, selected.jobs, selected.left);
    CHECK(column.requests[column.of_row[1]].was_released);
    CHECK(column.requests[column.of_row[2]].was_released);
    CHECK_FALSE(column.requests[column.of_row[0]].was_released);
    CHECK_FALSE(column.requests[column.of_row[3]].was_released);
}

TEST_CASE("a requeued run has the place of the job's submission") {
    // Job 5 is requeued twice, each run submitted as the one before it ends; number 6 comes again.
    const std::string table =
        header + ran("5|5", "1000|1000|1010|1040", 30, "")
        + ran("5|5", "1041|1162|1170|1185", 15, "") + ran("5|5", "1187|1308|1320|1327", 7, "")
        + ran("6|6", "1002|1002|1020|1031", 11, "") + ran("6|6", "1034|1036|1040|1059", 19, "");
    const Log log = read_log_text(table, "a.sacct");
    const JobList jobs = select(log, {}, {}).jobs;
    const RequestColumn column = request_column(log, jobs, {});
    std::vector<double> before;
    for (std::size_t i = 0; i < jobs.size(); ++i) {
        before.push_back(column.requests[column.of_row[jobs.row[i]]].submitted_before_s);
    }
    // In the order of their eligible seconds, 1000, 1002, 1036, 1162, 1308.
    CHECK(before == std::vector<double>{0, 0, 2, 162, 308});
}

TEST_CASE("in SWF what left while it waited is load where that is asked for") {
    const Log log = read_log_text(
        "; MaxProcs: 8\n"
        "1 0 0 50 2 -1 -1 2 60 -1 1 1 1 -1 -1 -1 -1 -1\n"
        "2 5 33 -1 -1 -1 -1 4 60 -1 5 1 1 -1 -1 -1 -1 -1\n"
        "3 6 9 4 2 -1 -1 2 60 -1 5 1 1 -1 -1 -1 -1 -1\n",
        "a.swf"
    );
    CHECK(select(log, {}, {}).left.size() == 0);
    const SelectedJobs selected = select(log, {}, {.left = LeftRule::replayed});
    CHECK(selected.left.row == std::vector<std::uint32_t>{1});
    CHECK(selected.left.run == std::vector<double>{33});
    CHECK(selected.jobs.size() == 2);
}

}  // namespace schedfarm::models::trace
