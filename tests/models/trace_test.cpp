// The workload model `trace`: jobs of small logs, by hand.
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "engine/foundation/hash.hpp"

#include "models/trace/reading/clock.hpp"

#include "tests/models/trace_model.hpp"

namespace schedfarm::models {

namespace {

using engine::ExperimentKind;
using engine::JobBlock;
using engine::Parameters;
using engine::Value;
using namespace tests;  // NOLINT(google-build-using-namespace)

constexpr double week = trace::week_s;

}  // namespace

TEST_CASE("a trace without resampling gives the jobs of the log and then no more") {
    const LogFile file(small_log);
    const Parameters given = parameters(file.name(), {{"resampling", "none"}});
    CHECK(problem_of(given).empty());
    CHECK(jobs_of(given, 9) == "10 50 60 4 3; 20 60 60 2 4; 110 30 60 8 3; end");
    CHECK(jobs_of(given, 9, 5) == jobs_of(given, 9));
    const Parameters raised =
        parameters(file.name(), {{"resampling", "none"}, {"overrun", "request_raised"}});
    CHECK(jobs_of(raised, 9) == "10 50 60 4 3; 20 99 99 2 4; 110 30 60 8 3; end");
}

TEST_CASE("what a campaign keeps of a log is what runs") {
    const LogFile file(small_log);
    const auto kept = [&](const std::string& name, const Value& value) {
        return jobs_of(parameters(file.name(), {{"resampling", "none"}, {name, value}}), 9);
    };
    CHECK(kept("from", "20") == "20 60 60 2 4; 110 30 60 8 3; end");
    CHECK(kept("from", "2000-01-03 00:01") == "110 30 60 8 3; end");
    CHECK(kept("before", "2000-01-03 00:00:20") == "10 50 60 4 3; end");
    CHECK(kept("sizes", Value::List{2.0, 4.0}) == "10 50 60 4 3; 20 60 60 2 4; end");
    CHECK(kept("run_times", Value::List{60.0, 100.0}) == "20 60 60 2 4; end");
    CHECK(kept("statuses", Value::List{0}) == "110 30 60 8 3; end");
    CHECK(kept("cpu_times", Value::List{40.0, 45.0}) == "20 60 60 2 4; end");
}

TEST_CASE("a load factor and a utilization move submits towards the first") {
    const LogFile file(small_log);
    const Parameters twice =
        parameters(file.name(), {{"resampling", "none"}, {"load_factor", 2.0}});
    CHECK(jobs_of(twice, 9) == "10 50 60 4 3; 15 60 60 2 4; 60 30 60 8 3; end");
    // Area 4 · 50 + 2 · 60 + 8 · 30 = 560 in 100 s: 5.6 of 8 processors; 0.35 is half of that.
    const Parameters given =
        parameters(file.name(), {{"resampling", "none"}, {"load_factor", 2.0}});
    CHECK(jobs_of(given, 9, 0, 0.35) == "10 50 60 4 3; 30 60 60 2 4; 210 30 60 8 3; end");
}

TEST_CASE("resampled users come lap after lap") {
    // One user and one week: every lap is the log itself, a week later.
    std::string text = "; MaxProcs: 8\n";
    text += "1 10 0 50 4 -1 -1 4 60 -1 1 3 -1 -1 -1 -1 -1 -1\n";
    text += "2 " + std::to_string(10 + static_cast<long>(week))
            + " 0 50 4 -1 -1 4 60 -1 1 3 -1 -1 -1 -1 -1 -1\n";
    const LogFile file(text);
    const Parameters given = parameters(file.name(), {{"resampling", "users"}});
    // The second submit lies a whole circle behind the first: both fall on the same instant.
    const auto submit = [](int lap) {
        return std::to_string(10 + lap * static_cast<long>(week));
    };
    std::string expected;
    for (int lap = 0; lap < 3; ++lap) {
        expected += submit(lap) + " 50 60 4 0; " + submit(lap) + " 50 60 4 0; ";
    }
    CHECK(jobs_of(given, 6) == expected);
}

TEST_CASE("modelled estimates of a trace take the place of the requests and move nothing else") {
    const LogFile file(small_log);
    const auto jobs = [&](const char* model) {
        return jobs_of(
            parameters(file.name(), {{"resampling", "none"}, {"estimates", tests::choice(model)}}),
            9
        );
    };
    CHECK(jobs("user") == "10 50 60 4 3; 20 60 60 2 4; 110 30 60 8 3; end");
    CHECK(jobs("exact") == "10 50 50 4 3; 20 60 60 2 4; 110 30 30 8 3; end");
    const Parameters constant = parameters(
        file.name(),
        {{"resampling", "none"},
         {"estimates", tests::choice("f_model", {{"factor", 3}, {"form", "constant"}})}}
    );
    CHECK(jobs_of(constant, 9) == "10 50 150 4 3; 20 60 180 2 4; 110 30 90 8 3; end");
}

TEST_CASE("estimates of a trace are drawn by the number of the job in all laps") {
    const Parameters given =
        parameters("example", {{"estimates", tests::choice("f_model", {{"factor", 3.0}})}});
    const auto context = tests::context_of({64}, ExperimentKind::trace);
    const engine::Stream draws(context.seed, engine::Purpose::estimates, context.replication);
    const auto workload = model().make(given, context);
    JobBlock block;
    for (int i = 0; i < 10; ++i) {
        workload->next(block);
        for (std::size_t j = 0; j < block.count; ++j) {
            const engine::Job job = block.job(j);
            const double u = engine::unit_interval(draws.draw(job.index));
            CHECK(job.estimate == doctest::Approx(job.service_time * (1 + 2 * u)).epsilon(1e-14));
        }
    }
}

TEST_CASE("replications of a trace differ and each is reproducible") {
    for (const char* resampling : {"users", "weeks"}) {
        const Parameters given = parameters("example", {{"resampling", resampling}});
        CHECK(jobs_of(given, 5000, 1) == jobs_of(given, 5000, 1));
        CHECK(jobs_of(given, 5000, 1) != jobs_of(given, 5000, 2));
        // The second lap, some 2,000 jobs later, is drawn anew.
        CHECK(jobs_of(given, 5000, 1).find("end") == std::string::npos);
    }
    const Parameters still = parameters("example", {{"resampling", "none"}});
    const Parameters shaken = parameters("example", {{"resampling", "none"}, {"shake", 60}});
    CHECK(jobs_of(still, 3000, 1) == jobs_of(still, 3000, 2));
    CHECK(jobs_of(shaken, 3000, 1) != jobs_of(shaken, 3000, 2));
    CHECK(jobs_of(shaken, 3000, 1) != jobs_of(still, 3000, 1));
}

TEST_CASE("jobs of a log have its memory and queues and classes") {
    // Users 3 and 4; queues 7 and none; groups 5 and 2; memory requested 90 and used 40, or
    // used 60.
    const LogFile file(
        "; MaxProcs: 8\n"
        "1 10 0 50 4 -1 40 4 60 90 1 3 5 -1 7 -1 -1 -1\n"
        "2 20 0 50 1 -1 60 1 60 -1 1 4 2 -1 -1 -1 -1 -1\n"
        "3 30 0 50 8 -1 -1 8 60 -1 1 4 5 -1 7 -1 -1 -1\n"
    );
    struct Case {
        const char* name;
        const char* word;
        std::uint32_t classes;
        std::vector<std::uint32_t> of_jobs;
        std::vector<double> memory;
        std::vector<std::string> class_names = {};
    };
    for (const Case& wanted : std::vector<Case>{
             {"memory", "requested_else_used", 1, {0, 0, 0}, {90, 60, 0}},
             {"memory", "used_else_requested", 1, {0, 0, 0}, {40, 60, 0}},
             {"memory", "requested", 1, {0, 0, 0}, {90, 0, 0}},
             {"memory", "used", 1, {0, 0, 0}, {40, 60, 0}},
             {"classes", "queues", 2, {1, 0, 1}, {90, 60, 0}, {"queue not known", "queue 7"}},
             {"classes", "groups", 2, {1, 0, 1}, {90, 60, 0}, {"group 2", "group 5"}},
             {"classes",
              "sizes",
              4,
              {2, 0, 3},
              {90, 60, 0},
              {"1 processor", "2 processors", "3 to 4 processors", "5 to 8 processors"}}}) {
        CAPTURE(wanted.word);
        const Parameters given =
            parameters(file.name(), {{"resampling", "none"}, {wanted.name, wanted.word}});
        const auto workload = model().make(given, tests::context_of({8}, ExperimentKind::trace));
        CHECK(workload->traits().job_classes == wanted.classes);
        CHECK(workload->traits().class_names == wanted.class_names);
        JobBlock block;
        workload->next(block);
        REQUIRE(block.count == 3);
        for (std::size_t i = 0; i < 3; ++i) {
            CHECK(block.job(i).job_class == wanted.of_jobs[i]);
            CHECK(block.job(i).memory_per_processor == wanted.memory[i]);
            CHECK(block.job(i).queue == (i == 1 ? 0 : 7));
            CHECK(block.job(i).user == (i == 0 ? 3 : 4));
        }
    }
    const auto problems_with = [&](double memory) {
        return model().check_system(
            parameters(file.name(), {{"resampling", "users"}}),
            {.clusters = {8}, .memory_per_processor = memory}
        );
    };
    CHECK(problems_with(90).empty());
    REQUIRE(problems_with(89).size() == 1);
    CHECK(
        problems_with(89)[0].reason
        == "a job of the log needs 90 KB per processor (the system has 89: it could not run)"
    );
}

TEST_CASE("resampled jobs keep what their rows say") {
    for (const char* resampling : {"users", "weeks"}) {
        const Parameters given =
            parameters("example", {{"resampling", resampling}, {"classes", "queues"}});
        const auto workload = model().make(given, tests::context_of({64}, ExperimentKind::trace));
        JobBlock block;
        std::size_t longer = 0;
        for (int i = 0; i < 10; ++i) {
            workload->next(block);
            for (std::size_t j = 0; j < block.count; ++j) {
                const engine::Job job = block.job(j);
                CHECK(job.queue == (job.estimate <= 3600 ? 1 : 2));
                CHECK(job.job_class == job.queue - 1);
                longer += job.job_class;
            }
        }
        CHECK(longer > 100);
    }
}

TEST_CASE("laps drawn by weeks and laps drawn whole are the same jobs") {
    // Tsafrir's estimates belong to all jobs of a lap, so that it is drawn whole.
    for (const char* resampling : {"users", "weeks"}) {
        for (const double load_factor : {1.0, 1.3}) {
            const std::vector<std::pair<std::string, Value>> common{
                {"resampling", resampling}, {"load_factor", load_factor}};
            auto whole = common;
            whole.emplace_back("estimates", tests::choice("tsafrir"));
            const auto context = tests::context_of({64}, ExperimentKind::trace);
            const auto a = model().make(parameters("example", common), context);
            const auto b = model().make(parameters("example", whole), context);
            JobBlock of_a;
            JobBlock of_b;
            for (int i = 0; i < 20; ++i) {  // some five laps
                engine::draw_next(*a, of_a);
                engine::draw_next(*b, of_b);
                REQUIRE(of_a.count == JobBlock::capacity);
                CHECK(of_a.submit_time == of_b.submit_time);
                CHECK(of_a.service_time == of_b.service_time);
                CHECK(of_a.size == of_b.size);
                CHECK(of_a.user == of_b.user);
                CHECK(of_a.queue == of_b.queue);
            }
        }
    }
}

TEST_CASE("a log of which no job is left says why and how most of them are kept") {
    const auto left_out = [](const char* run, const char* request, const char* status) {
        const std::string job =
            fmt::format(" 0 0 {} 1 -1 -1 1 {} -1 {} 1 1 -1 1 -1 -1 -1\n", run, request, status);
        const LogFile other("1" + job + "2" + job);
        const std::string text = problem_of(parameters(other.name(), {}));
        return text.substr(text.find("left out: "));
    };
    CHECK(
        left_out("0", "9", "1")
        == "left out: 2 run time 0) | Give them one with 'zero_run_time: 1'."
    );
    CHECK(
        left_out("5", "-1", "1")
        == "left out: 2 no requested time) | Keep them with 'missing_request: run_time'."
    );
    CHECK(
        left_out("5", "9", "2")
        == "left out: 2 a partial execution) | Keep them with 'statuses: [2, 3, 4]'."
    );
}

TEST_CASE("logs that cannot serve are refused with a reason") {
    const LogFile file(small_log);
    CHECK(is_refused(parameters("no-such.swf", {}), "file: no-such.swf: there is no such log ("));
    CHECK(problem_of(
              parameters(
                  file.name(), {{"sha256", engine::sha256_hex(small_log)}, {"resampling", "none"}}
              )
    ).empty());
    CHECK(
        problem_of(parameters(file.name(), {{"sha256", "00"}}))
        == "file: " + file.name() + ": not the log that was asked for (its uncompressed text has the "
           "sha256 " + engine::sha256_hex(small_log) + ") | Give the version that was asked for."
    );
    CHECK(
        problem_of(parameters(file.name(), {{"from", "1996-13-01"}}))
        == "file: " + file.name()
               + ": '1996-13-01' is no instant of the log (no date) | Write 1996-08-01 or a second."
    );
    CHECK(
        problem_of(parameters(file.name(), {{"from", "500"}}))
        == "file: " + file.name()
               + ": no job is left (left out: 3 outside the dates) | Give fewer conditions."
    );
    const auto left_out = [&file](const char* name, const Value::List& given) {
        const std::string text = problem_of(parameters(file.name(), {{name, given}}));
        return text.substr(text.find("left out: "));
    };
    CHECK(left_out("statuses", {5}) == "left out: 3 status not kept) | Give fewer conditions.");
    CHECK(
        left_out("sizes", {900, 999}) == "left out: 3 outside the sizes) | Give fewer conditions."
    );
    CHECK(
        problem_of(parameters(file.name(), {{"sizes", Value::List{4.0, 2.0}}}))
        == "sizes: no interval (a smallest and a largest value are expected) | Write [low, high]."
    );
    CHECK(
        is_refused(parameters(file.name(), {{"resampling", "weeks"}}), "weeks cannot be resampled")
    );
    const auto system =
        model().check_system(parameters(file.name(), {{"resampling", "users"}}), {.clusters = {4}});
    REQUIRE(system.size() == 1);
    CHECK(system[0].reason.find("needs 8 processors (the system has 4") != std::string::npos);
    // Two jobs of nobody, one before and one behind the only whole week.
    const std::string rest = " 0 50 4 -1 -1 4 60 -1 1 -1 -1 -1 -1 -1 -1 -1\n";
    const LogFile apart("; UnixStartTime: 946857600\n1 10" + rest + "2 1209610" + rest);
    CHECK(is_refused(parameters(apart.name(), {{"resampling", "weeks"}}), "no job lies in a whole")
    );
    CHECK(is_refused(
        parameters(apart.name(), {{"resampling", "users"}}),
        "users cannot be resampled (the log names none)"
    ));
    // Neither is told to try the other, which would send back; where there is a week it is named.
    const std::string other_way = "| Write resampling: none with shake: 60.";
    CHECK(problem_of(parameters(apart.name(), {{"resampling", "users"}})).ends_with(other_way));
    CHECK(problem_of(parameters(apart.name(), {{"resampling", "weeks"}})).ends_with(other_way));
    const LogFile week(
        "; UnixStartTime: 946857600\n1 10" + rest + "2 704810" + rest + "3 1209610" + rest
    );
    CHECK(problem_of(parameters(week.name(), {{"resampling", "users"}})
    ).ends_with("| Write resampling: weeks."));
    CHECK(problem_of(parameters(week.name(), {{"resampling", "weeks"}})).empty());
    const LogFile broken("1 2 3\n");
    CHECK(is_refused(parameters(broken.name(), {}), ".swf:1: 3 fields (a job has 18)"));
}

TEST_CASE("a log whose file has changed is read again") {
    const LogFile file(small_log);
    const Parameters given = parameters(file.name(), {{"resampling", "none"}});
    CHECK(jobs_of(given, 9).find("10 50 60 4 3") == 0);
    std::ofstream(file.name(), std::ios::binary)
        << "1 7 0 50 4 -1 -1 4 60 -1 1 3 -1 -1 -1 -1 -1 -1\n";
    CHECK(jobs_of(given, 9) == "7 50 60 4 3; end");
}

}  // namespace schedfarm::models
