// What jobs of a table asked for, by hand.
#include <string>

#include <doctest/doctest.h>

#include "models/trace/reading/reader.hpp"
#include "models/trace/row_columns.hpp"
#include "models/trace/selection.hpp"

namespace schedfarm::models::trace {

TEST_CASE("what jobs asked for is kept once for all that asked for the same") {
    const std::string table =
        "JobID|User|Account|Partition|QOS|Submit|Eligible|Start|End|ElapsedRaw|TimelimitRaw|State|"
        "ReqNodes|AllocNodes|ReqCPUS|AllocCPUS|ReqMem|ReqTRES|AllocTRES\n"
        "1|ann|phys|batch|high|999|1600|2000|2100|100|10|COMPLETED|2|2|4|8|4000M|cpu=4,mem=4000M,"
        "node=2|cpu=8,mem=4000M,node=2,gres/gpu=4\n"
        "2|bob|phys|batch|high|1000|1000|2000|2100|100|10|COMPLETED|1|1|1|1|100M|cpu=1|cpu=1\n"
        "3|bob|phys|batch|high|1010|1010|2000|2100|100|10|COMPLETED|1|1|1|1|100M|cpu=1|cpu=1\n"
        "4|bob|phys|batch|high|1010|1010|2000|2100|100|10|COMPLETED|1|5|12|12|12000M|cpu=12|cpu="
        "12\n";
    const Log log = read_log_text(table, "a.sacct");
    const JobList jobs = select(log, {}, {}).jobs;
    const RequestColumn column = request_column(log, jobs);
    REQUIRE(column.of_row.size() == 4);
    CHECK(column.requests.size() == 3);
    CHECK(column.of_row[1] == column.of_row[2]);
    const engine::SubmittedRequest& first = column.requests[column.of_row[0]];
    CHECK(first.held_s == 0);  // jobs come when they are eligible
    CHECK(first.submitted_before_s == 601);
    CHECK(first.nodes == 2);
    CHECK(first.cpus == 4);
    CHECK(first.gpus == 2);
    CHECK(first.memory_per_node == 2000);
    CHECK(first.user == "ann");
    CHECK(first.account == "phys");
    CHECK(first.partition == "batch");
    CHECK(first.quality == "high");
    // Job 4 asked for processors, on however many nodes.
    const engine::SubmittedRequest& last = column.requests[column.of_row[3]];
    CHECK(last.nodes == 1);
    CHECK(last.max_nodes == 0);
    CHECK(last.held_nodes == 5);
    CHECK(last.cpus == 12);
    CHECK(last.memory_per_node == 0);
    CHECK(last.memory_per_cpu == 1000);
}

// What it had: 3 nodes, 12 CPUs and 5 GPUs, of which it asked for 7 CPUs at most.
TEST_CASE("what a command line asks for counts, what a job had only where it asks for nothing") {
    const auto asked = [](const std::string& line, const char* memory = "700Mn") {
        const Log log = read_log_text(
            "JobID|Submit|Start|End|ElapsedRaw|TimelimitRaw|State|ReqNodes|AllocNodes|ReqCPUS|"
            "AllocCPUS|ReqMem|AllocTRES|SubmitLine\n"
            "1|1000|2000|2100|100|10|COMPLETED|3|3|7|12|"
                + std::string(memory) + "|gres/gpu=5|" + line + "\n",
            "a.sacct"
        );
        const JobList jobs = select(log, {}, {}).jobs;
        const RequestColumn column = request_column(log, jobs);
        return column.requests.at(column.of_row.at(0));
    };
    engine::SubmittedRequest got = asked("sbatch job.sh");
    CHECK(got.nodes == 3);
    CHECK(got.max_nodes == 3);
    CHECK(got.held_nodes == 3);
    CHECK(got.cpus == 7);
    CHECK(got.gpus == 2);
    CHECK(got.memory_per_node == 700);
    CHECK(asked("sbatch job.sh", "250Mc").memory_per_node == 1000);
    CHECK(asked("sbatch job.sh", "2700M").memory_per_node == 900);
    got = asked("sbatch -N2-4 -n 7 -c3 --mem=4G --gres=gpu:a100:6 --exclusive job.sh");
    CHECK(got.nodes == 2);
    CHECK(got.max_nodes == 4);
    CHECK(got.tasks == 7);
    CHECK(got.cpus_per_task == 3);
    CHECK(got.gpus == 6);
    CHECK(got.gpu_type == "a100");
    CHECK(got.memory_per_node == 4096);
    CHECK(got.is_exclusive);
    // Nothing else can have been asked for: nodes as its CPUs need them, memory as the site has it.
    got = asked("sbatch -n7 --wrap 'sleep 5'");
    CHECK(got.nodes == 3);
    CHECK(got.max_nodes == 0);
    CHECK(got.memory_per_node == 0);
    got = asked("sbatch --time-min=5 -t 1-02:30 --mem-per-cpu=300 job.sh");
    CHECK(got.least_limit_s == 300);
    CHECK(got.limit_s == 95400);
    CHECK(got.memory_per_cpu == 300);
    CHECK(asked("sbatch -t 17 job.sh").limit_s == 0);  // as the column says
}

TEST_CASE("a job does not run while it is suspended") {
    const Log log = read_log_text(
        "JobID|Submit|Start|End|Suspended|State|AllocCPUS\n"
        "1|1000|2000|2900|00:05:00|COMPLETED|4\n"
        "2|1000|2000|2900|00:00:00|COMPLETED|4\n",
        "a.sacct"
    );
    CHECK(log.run_time[0] == 600);
    CHECK(log.run_time[1] == 900);
}

// Of array 17 two tasks may run at once, as the row of those that wait says; task 1 was kept back
// by that from 1000 on. Array 20 says it in its command line. Array 30 has no limit.
TEST_CASE("tasks of an array have its number and its limit, and wait for that from the first on") {
    const std::string table =
        "JobID|JobIDRaw|Submit|Eligible|Start|End|ElapsedRaw|TimelimitRaw|AllocCPUS|State|"
        "SubmitLine\n"
        "17_0|18|1000|1000|1000|1100|100|9|1|COMPLETED|sbatch a -a\n"
        "17_1|17|1000|1300|1300|1400|100|9|1|COMPLETED|sbatch a\n"
        "20_7|20|1000|1000|1300|1400|100|9|1|COMPLETED|sbatch --array=7-9%3 a\n"
        "30_1|31|1000|1500|1500|1600|100|9|1|COMPLETED|sbatch --array=1-2 5%7\n"
        "40|40|1000|1000|1300|1400|100|9|1|COMPLETED|echo 1_[%8\n"
        "17_[2-4%2]|17|1000|Unknown|Unknown|Unknown|0|9|0|PENDING|sbatch a\n";
    const Log log = read_log_text(table, "a.sacct");
    const JobList jobs = select(log, {}, {.arrival = ArrivalRule::submit}).jobs;
    const RequestColumn column = request_column(log, jobs);
    REQUIRE(jobs.size() == 5);
    std::vector<std::vector<double>> found;
    for (const std::uint32_t row : jobs.row) {
        const engine::SubmittedRequest& one = column.requests[column.of_row[row]];
        found.push_back(
            {static_cast<double>(one.array), static_cast<double>(one.array_limit), one.held_s}
        );
    }
    CHECK(
        found
        == std::vector<
            std::vector<double>>{{17, 2, 0}, {17, 2, 0}, {20, 3, 0}, {30, 0, 500}, {0, 0, 0}}
    );
}

}  // namespace schedfarm::models::trace
