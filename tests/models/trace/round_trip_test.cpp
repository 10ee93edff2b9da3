// Logs that are written and read again, in every format that is written: random ones give the same
// table, and the same text once more.
#include <sstream>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "models/trace/reading/reader.hpp"
#include "models/trace/writing/anonymous.hpp"
#include "models/trace/writing/swf_writer.hpp"
#include "models/trace/writing/table_writer.hpp"

#include "tests/support/dice.hpp"

namespace schedfarm::models::trace::tests {

namespace {

/// Jobs as tables of sacct have them: every value may be missing that may be.
Log random_table(schedfarm::tests::Dice& dice) {
    const std::size_t jobs = 1 + dice.below(30);
    const auto rarely = [&] {
        return dice.below(6) == 0;
    };
    std::vector<std::int64_t> number, user, group, partition, quality;
    std::vector<double> submit, eligible, wait, run, limit, memory;
    std::vector<std::int32_t> requested, allocated, nodes, requested_nodes, gpus, status, list;
    std::vector<std::int8_t> state, starter;
    double now = 0;
    for (std::size_t i = 0; i < jobs; ++i) {
        const bool has_run = !rarely();
        number.push_back(static_cast<std::int64_t>(100 + 3 * i));
        submit.push_back(now);
        eligible.push_back(now + static_cast<double>(dice.below(3) * 40));
        wait.push_back(has_run ? eligible.back() - now + static_cast<double>(dice.below(900)) : -1);
        run.push_back(has_run ? static_cast<double>(dice.below(9000)) : -1);
        limit.push_back(rarely() ? -1 : static_cast<double>(60 * (1 + dice.below(3000))));
        memory.push_back(rarely() ? -1 : static_cast<double>(1024 * (1 + dice.below(4000))));
        requested.push_back(static_cast<std::int32_t>(1 + dice.below(64)));
        allocated.push_back(has_run ? requested.back() : 0);
        requested_nodes.push_back(static_cast<std::int32_t>(1 + dice.below(8)));
        nodes.push_back(has_run ? requested_nodes.back() : 0);
        gpus.push_back(rarely() ? static_cast<std::int32_t>(1 + dice.below(8)) : -1);
        const bool is_good = dice.below(2) == 0;
        state.push_back(static_cast<std::int8_t>(
            !has_run  ? JobState::cancelled
            : is_good ? JobState::completed
                      : JobState::out_of_memory
        ));
        status.push_back(!has_run ? 5 : is_good ? 1 : 0);
        starter.push_back(has_run ? static_cast<std::int8_t>(dice.below(2)) : -1);
        list.push_back(has_run ? static_cast<std::int32_t>(i % 2) : -1);
        user.push_back(static_cast<std::int64_t>(1 + dice.below(2)));
        group.push_back(static_cast<std::int64_t>(1 + dice.below(2)));
        partition.push_back(static_cast<std::int64_t>(1 + dice.below(2)));
        quality.push_back(1);
        now += static_cast<double>(dice.below(500));
    }
    Log log;
    log.name = "random";
    log.header.lines = {{.key = "UnixStartTime", .value = "1772409600"}};
    log.job_number = Log::Names(number);
    log.submit_time = Log::Reals(submit);
    log.eligible_time = Log::Reals(eligible);
    log.wait_time = Log::Reals(wait);
    log.run_time = Log::Reals(run);
    log.requested_time = Log::Reals(limit);
    log.requested_memory = Log::Reals(memory);
    log.requested_processors = Log::Integers(requested);
    log.allocated_processors = Log::Integers(allocated);
    log.requested_nodes = Log::Integers(requested_nodes);
    log.allocated_nodes = Log::Integers(nodes);
    log.gpus = Log::Integers(gpus);
    log.status = Log::Integers(status);
    log.state = Log::Small(state);
    log.started_by = Log::Small(starter);
    log.node_list = Log::Integers(list);
    log.node_lists = {"n[1-3,8]", "gpu01"};
    log.user = Log::Names(user);
    log.group = Log::Names(group);
    log.partition = Log::Names(partition);
    log.quality = Log::Names(quality);
    log.names = {
        {Field::user, {"ann", "bob"}},
        {Field::group, {"chemistry", "physics, theory"}},
        {Field::partition, {"cpu", "gpu \"new\""}},
        {Field::quality, {"normal"}}};
    return log;
}

template <typename Values>
bool are_equal(const Values& a, const Values& b) {
    bool result = a.size() == b.size();
    for (std::size_t i = 0; result && i < a.size(); ++i) {
        result = a[i] == b[i];
    }
    return result;
}

/// The names of columns that differ; texts of names are compared, not their numbers.
std::string difference(const Log& a, const Log& b) {
    std::string text;
    const auto compare = [&](const char* name, bool is_equal) {
        text += is_equal ? "" : std::string(name) + " ";
    };
    compare("number", are_equal(a.job_number, b.job_number));
    compare("submit", are_equal(a.submit_time, b.submit_time));
    compare("eligible", are_equal(a.eligible_time, b.eligible_time));
    compare("wait", are_equal(a.wait_time, b.wait_time));
    compare("run", are_equal(a.run_time, b.run_time));
    compare("limit", are_equal(a.requested_time, b.requested_time));
    compare("requested", are_equal(a.requested_processors, b.requested_processors));
    compare("nodes", are_equal(a.requested_nodes, b.requested_nodes));
    compare("state", are_equal(a.state, b.state));
    compare("status", are_equal(a.status, b.status));
    for (std::size_t i = 0; i < a.jobs() && i < b.jobs(); ++i) {
        compare("gpus", a.gpus[i] == b.gpus[i]);
        compare("starter", a.started_by[i] == b.started_by[i]);
        compare(
            "allocated",
            std::max(a.allocated_processors[i], 0) == std::max(b.allocated_processors[i], 0)
        );
        compare("memory", std::abs(a.requested_memory[i] - b.requested_memory[i]) < 1e-6);
        for (const auto& [field, column] :
             {std::pair(Field::user, &Log::user),
              std::pair(Field::group, &Log::group),
              std::pair(Field::partition, &Log::partition),
              std::pair(Field::quality, &Log::quality)}) {
            compare("name", a.name_of(field, (a.*column)[i]) == b.name_of(field, (b.*column)[i]));
        }
    }
    return text;
}

}  // namespace

TEST_CASE("random tables written and read again are the same tables") {
    schedfarm::tests::Dice dice(5);
    for (int log = 0; log < 300; ++log) {
        const Log written = random_table(dice);
        for (const TableForm form : {TableForm::sacct, TableForm::csv}) {
            const std::string text = table_text(written, form);
            const Log read = read_log_text(text, "x");
            CAPTURE(text);
            REQUIRE(difference(written, read) == "");
            REQUIRE(table_text(read, form) == text);
        }
    }
}

TEST_CASE("an anonymous random table is a table of as many jobs, users and seconds") {
    schedfarm::tests::Dice dice(6);
    for (int i = 0; i < 100; ++i) {
        const Log written = random_table(dice);
        Log log = written;
        make_anonymous(log);
        const std::string text = table_text(log, TableForm::sacct);
        const Log read = read_log_text(text, "x");
        CAPTURE(text);
        REQUIRE(table_text(read, TableForm::sacct) == text);
        REQUIRE(are_equal(read.submit_time, written.submit_time));
        REQUIRE(are_equal(read.run_time, written.run_time));
        for (std::size_t a = 0; a < read.jobs(); ++a) {
            REQUIRE((read.user[a] == read.user[0]) == (written.user[a] == written.user[0]));
        }
        for (const char* secret : {"ann", "bob", "chem", "phys", "cpu", "gpu01", "normal"}) {
            REQUIRE(text.find(secret) == std::string::npos);
        }
    }
}

TEST_CASE("random tables as SWF have the jobs from when they were eligible") {
    schedfarm::tests::Dice dice(7);
    for (int i = 0; i < 100; ++i) {
        const Log written = random_table(dice);
        std::ostringstream out;
        write_log(out, written);
        const Log read = read_log_text(out.str(), "x");
        REQUIRE(read.jobs() == written.jobs());
        for (std::size_t row = 0; row < read.jobs(); ++row) {
            REQUIRE(read.submit_time[row] == written.eligible(row));
            REQUIRE(read.start(row) == written.start(row));
            REQUIRE(read.run_time[row] == written.run_time[row]);
            REQUIRE(
                read.name_of(Field::partition, read.partition[row])
                == written.name_of(Field::partition, written.partition[row])
            );
        }
    }
}

}  // namespace schedfarm::models::trace::tests
