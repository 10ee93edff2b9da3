// Tables with other columns than sacct's, JSON of Batsim, and fields of SWF beyond the 18. The
// files in data/ are invented rows in the forms of public logs.
#include <algorithm>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "models/trace/reading/log_error.hpp"
#include "models/trace/reading/reader.hpp"
#include "models/trace/tables/column_map.hpp"

namespace schedfarm::models::trace {

namespace {

std::string data(const std::string& name) {
    std::ifstream in(std::string(SCHEDFARM_TRACE_DATA) + "/" + name, std::ios::binary);
    REQUIRE(in.good());
    return {std::istreambuf_iterator<char>(in), {}};
}

Log read(const std::string& text, const std::string& columns) {
    return read_log_text(text, "a.csv", {.columns = column_map(columns)});
}

std::string error_of(const std::string& text, const std::string& columns) {
    try {
        read(text, columns);
        return "";
    } catch (const LogError& error) {
        return error.what();
    }
}

std::uint64_t count(const Log& log, OddityKind kind) {
    for (const Oddity& oddity : log.oddities) {
        if (oddity.kind == kind) {
            return oddity.count;
        }
    }
    return 0;
}

std::string replaced(std::string text, char from, const std::string& to) {
    for (std::size_t at = text.find(from); at != std::string::npos;
         at = text.find(from, at + to.size())) {
        text.replace(at, 1, to);
    }
    return text;
}

const std::string map = "id=job; submit=submitted; run=took [min]; processors=cpus; user=who";
const std::string rows = "job,submitted,took,cpus,who,note\n1,0,2,4,ann,x\n2,30,1.5,2,bob,\n";

const std::string sacct_header =
    "JobIDRaw|Submit|Eligible|Start|End|ElapsedRaw|Suspended|TimelimitRaw|AllocNodes|ReqNodes|"
    "AllocCPUS|ReqCPUS|ReqMem|User\n";
const std::string sacct_row =
    "1|2026-11-27T09:00:00|2026-11-27T09:00:00|2026-11-27T09:01:00|2026-11-27T09:02:00|60|0|5|1|1|"
    "4|4|100M|ann\n";

/// Of a log that every form of `rows` is.
void check_rows(const Log& log) {
    REQUIRE(log.jobs() == 2);
    CHECK(log.run_time[0] == 120);
    CHECK(log.run_time[1] == 90);
    CHECK(log.submit_time[1] == 30);
    CHECK(log.allocated_processors[1] == 2);
    CHECK(log.name_of(Field::user, log.user[1]) == "bob");
    CHECK_FALSE(log.header.find("UnixStartTime").has_value());
}

}  // namespace

TEST_CASE("a cell of sacct that cannot be read is told with its column") {
    REQUIRE(read_log_text(sacct_header + sacct_row, "a.txt").jobs() == 1);
    std::size_t name_at = 0;
    std::size_t cell_at = 0;
    for (int column = 0; column < 13; ++column) {
        const std::size_t name_end = sacct_header.find('|', name_at);
        const std::size_t cell_end = sacct_row.find('|', cell_at);
        const std::string name = sacct_header.substr(name_at, name_end - name_at);
        std::string broken = sacct_row;
        broken.replace(cell_at, cell_end - cell_at, "1?");
        if (column > 0) {
            broken.front() = '2';
            const Log log = read_log_text(sacct_header + sacct_row + broken, "a.txt");
            CAPTURE(name);
            // A simulation can do without all but these, and the rest of the row tells run times.
            const bool is_lost = name == "Submit" || name == "AllocCPUS";
            REQUIRE(count(log, OddityKind::unreadable_row) == (is_lost ? 1 : 0));
            REQUIRE(count(log, OddityKind::unread_cell) == (is_lost ? 0 : 1));
            REQUIRE(log.jobs() == (is_lost ? 1 : 2));
            const bool is_told = std::ranges::any_of(log.oddities, [&name](const Oddity& oddity) {
                return oddity.first.starts_with("its " + name + " is '1?' (");
            });
            CHECK(is_told);
        }
        name_at = name_end + 1;
        cell_at = cell_end + 1;
    }
}

TEST_CASE("a table is the same whatever parts its columns and ends its lines") {
    for (const char* separator : {",", ";", "|", "\t"}) {
        CAPTURE(separator);
        check_rows(read(replaced(rows, ',', separator), map));
    }
    check_rows(read(replaced(rows, '\n', "\r\n"), map));
    check_rows(read("\xEF\xBB\xBF" + rows, map));
    check_rows(read(rows.substr(0, rows.size() - 1), map));
    check_rows(read(rows + rows.substr(rows.find('\n') + 1), map));  // doubled
    check_rows(read(rows + rows, map));
    check_rows(read(rows + "\n\n", map));
    check_rows(read(rows + "3,4\n", map));
    check_rows(read(rows + "3,4,soon,1,ann,\n", map));
}

TEST_CASE("quotes hold separators, quotes and ends of lines") {
    const Log log = read(
        "\"job\",submitted,took,cpus,who,note\n1,0,2,4,\"Doe, \"\"Ann\"\"\",\"two\nlines\"\n"
        "2,30,1,2,bob,x\n3,3,1,2,,\n4,bad,1,2,bob,x\n",
        map
    );
    REQUIRE(log.jobs() == 3);
    CHECK(log.name_of(Field::user, log.user[0]) == "Doe, \"Ann\"");
    CHECK(log.name_of(Field::user, log.user[1]) == "bob");
    CHECK(log.user[2] == -1);
    for (const Oddity& oddity : log.oddities) {
        CHECK((oddity.kind != OddityKind::unreadable_row || oddity.first_line == 6));
    }
    CHECK(count(log, OddityKind::unreadable_row) == 1);
}

TEST_CASE("a map that does not fit is refused with the columns there are") {
    CHECK(
        error_of(rows, "submit=submitted; run=wall").find("a.csv:1: there is no column 'wall'") == 0
    );
    CHECK(error_of(rows, "run=took").find("no column says when jobs were submitted") > 0);
    CHECK(error_of(rows, "submit=submitted").find("no column says when jobs ran") > 0);
    CHECK(error_of(rows, "sumbit=submitted").find("is no quantity of a job") > 0);
    CHECK(error_of("1 0 -1 10\n", map).find("it is no table with a header") > 0);
    CHECK(error_of(rows, "").find("this is a CSV table") > 0);
    CHECK(error_of("job,submitted,took,cpus,who\n", map).find("there is no job below") > 0);
    CHECK(error_of("job,submitted,took,cpus,who\n1,soon,1,1,a\n", map)
              .starts_with("a.csv:2: its submitted is 'soon' (submit cannot be read)"));
    CHECK(read(rows, "submit=submitted; run=duration; run=took").jobs() == 2);
}

TEST_CASE("public logs are read by maps of their columns") {
    const Log pm100 = read(
        data("pm100.csv"),
        "id=job_id; submit=submit_time; eligible=eligible_time; start=start_time; end=end_time; "
        "run=run_time; limit=time_limit [min]; nodes=num_nodes_alloc; processors=num_cores_alloc; "
        "gpus=num_gpus_alloc; memory=mem_alloc [GB]; user=user_id; partition=partition; "
        "state=job_state"
    );
    REQUIRE(pm100.jobs() == 10);
    CHECK(pm100.allocated_nodes[0] == 2500);
    CHECK(pm100.requested_time[0] == 1800);
    CHECK(pm100.wait_time[0] == 1046);
    CHECK(pm100.user[0] == 4);  // numbers are names of their own
    CHECK(pm100.requested_memory[1] == 474.0 * 1048576 / 256);
    CHECK(count(pm100, OddityKind::unsaid_zone) == 0);

    const Log supercloud = read(
        data("supercloud.csv"),
        "id=id_job; submit=time_submit; eligible=time_eligible; start=time_start; end=time_end; "
        "limit=timelimit [min]; nodes=nodes_alloc; requested_processors=cpus_req; "
        "memory=mem_req [MB]; gpus=tres_alloc [1002]; processors=tres_alloc [1]; user=id_user; "
        "state=state; node_list=nodelist"
    );
    REQUIRE(supercloud.jobs() == 10);
    CHECK(supercloud.gpus[0] == 5000);
    CHECK(supercloud.allocated_processors[1] == 80);
    CHECK(supercloud.requested_time[3] == 31536000);  // 4294967295
    CHECK(supercloud.state[3] == static_cast<int>(JobState::node_fail));
    CHECK(supercloud.requested_memory[0] == 4000.0 * 1024);  // 2^63 + 4000: MB per processor

    const Log helios = read(
        data("helios.csv"),
        "id=job_id; submit=submit_time; start=start_time; end=end_time; run=duration; "
        "nodes=node_num; processors=cpu_num; gpus=gpu_num; user=user; partition=vc; state=state"
    );
    REQUIRE(helios.jobs() == 10);
    CHECK(helios.job_number[0] == 1425001);
    CHECK(helios.name_of(Field::partition, helios.partition[1]) == "vcJ1");
    CHECK(count(helios, OddityKind::unsaid_zone) == 10);

    const Log aurora = read(
        data("aurora.csv"),
        "id=COBALT_JOBID; submit=QUEUED_TIMESTAMP; start=START_TIMESTAMP; end=END_TIMESTAMP; "
        "run=RUNTIME_SECONDS; limit=WALLTIME_SECONDS; nodes=NODES_USED; "
        "requested_nodes=NODES_REQUESTED; processors=CORES_USED; user=USERNAME_GENID; "
        "queue=QUEUE_NAME"
    );
    REQUIRE(aurora.jobs() == 10);
    CHECK(aurora.run_time[1] == 1759);
    CHECK(aurora.allocated_nodes[2] == 2500);
    CHECK(aurora.job_number[1] == 2);
}

TEST_CASE("jobs of Batsim are read, other JSON is refused") {
    const Log log = read_log_text(data("batsim.json"), "w.json");
    REQUIRE(log.jobs() == 10);
    CHECK(log.header.processors() == 2500);
    CHECK(log.submit_time[1] == 1471);
    CHECK(log.run_time[1] == 1759);
    CHECK(log.requested_time[1] == 1800);
    CHECK(log.allocated_processors[0] == 2500);
    CHECK(log.job_number[3] == 4);
    const Log others = read_log_text(
        R"({"jobs": [{"id": "w0!7", "subtime": 1, "res": 2, "profile": "a"},
                     {"id": 8, "subtime": 2, "res": 2, "profile": "b"}],
            "profiles": {"a": {"type": "DelayProfile", "delay": 5}, "b": {"type": "parallel"}}})",
        "w.json"
    );
    CHECK(others.job_number[0] == 7);
    CHECK(others.run_time[0] == 5);
    CHECK(others.requested_time[0] == -1);
    CHECK(others.run_time[1] == -1);
    CHECK(count(others, OddityKind::profile_without_length) == 1);
    try {
        read_log_text(data("philly.json"), "philly.json");
        FAIL("other JSON");
    } catch (const LogError& error) {
        CHECK(
            std::string(error.what()).find("philly.json:1: this is JSON other than Batsim's") == 0
        );
        CHECK(std::string(error.what()).ends_with("."));
    }
}

TEST_CASE("sizes of Frontier's jobs are the nodes in the last field") {
    const Log log = read_log_text(data("frontier21.swf"), "f.swf");
    REQUIRE(log.jobs() == 10);
    const std::vector<std::int32_t> nodes{2500, 2, 2500, 128, 1, 1, 16, 128, 2, 2500};
    for (std::size_t row = 0; row < 10; ++row) {
        CHECK(log.allocated_processors[row] == nodes[row]);
        CHECK(log.requested_processors[row] == nodes[row]);
        CHECK(log.allocated_nodes[row] == nodes[row]);
    }
    CHECK(log.gpus[0] == 20000);
    CHECK(log.header.processors() == 9408);
    CHECK(count(log, OddityKind::nodes_of_descriptor) == 10);
    CHECK(count(log, OddityKind::further_fields) == 0);
    CHECK(count(log, OddityKind::more_than_machine) == 0);
}

TEST_CASE("further fields of SWF are what their names say") {
    const std::string text =
        "; MaxProcs: 8\n; MaxNodes: 2\n"
        "1 0 -1 60 4 -1 -1 4 60 -1 1 1 1 1 1 1 -1 -1 2 x 7\n";
    const Log log = read_log_text(text, "a.swf", {.fields = {"nodes", "note", "gpus"}});
    CHECK(log.allocated_nodes[0] == 2);
    CHECK(log.gpus[0] == 7);
    CHECK(log.allocated_processors[0] == 4);
    CHECK(log.header.processors() == 8);
    CHECK_THROWS_WITH_AS(
        read_log_text(text, "a.swf", {.fields = {"nodes"}}),
        "a.swf:3: 21 fields (18 and the 1 that 'fields' names are expected). Name other 'fields'.",
        LogError
    );
}

}  // namespace schedfarm::models::trace
