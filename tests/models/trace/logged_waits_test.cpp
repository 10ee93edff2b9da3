// The groups of a log's jobs and their waits, by hand.
#include "models/trace/logged_waits.hpp"

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "models/trace/prepared_log.hpp"
#include "models/trace/summary/summary.hpp"
#include "models/trace/summary/summary_text.hpp"
#include "models/trace/trace_settings.hpp"

#include "tests/models/trace/log_texts.hpp"

namespace schedfarm::models::trace::tests {

namespace {

// Fields: number submit wait run allocated … status user group executable queue partition …
const std::string five_jobs =
    "; MaxProcs: 8\n"
    "; Queue: 1 night (long jobs)\n"
    "1   0    0    5 1 -1 -1 1 100 -1 1 3 -1 -1 1 -1 -1 -1\n"
    "2  10  100   50 2 -1 -1 2 100 -1 1 3 -1 -1 1 -1 -1 -1\n"
    "3  20 1000  500 3 -1 -1 3 900 -1 1 7 -1 -1 2 -1 -1 -1\n"
    "4  30 5000   70 4 -1 -1 4 900 -1 1 4 -1 -1 2 -1 -1 -1\n"
    "5  40   -1 9000 4 -1 -1 4 9e3 -1 1 4 -1 -1 1 -1 -1 -1\n";

PreparedLog prepared_of(const std::string& text) {
    const Log log = log_of(text);
    PreparedLog prepared;
    prepared.jobs = select(log).jobs;
    prepared.logged = logged_waits(log, prepared.jobs);
    return prepared;
}

/// "by/group n logged simulated within"
std::string text_of(const std::vector<engine::GroupAgreement>& groups) {
    std::string text;
    for (const engine::GroupAgreement& group : groups) {
        text += fmt::format(
            "{}/{} {} {:g} {:g} {:g}\n",
            group.kind,
            group.name,
            group.values.n,
            group.values.recorded_mean,
            group.values.modelled_mean,
            group.values.share_within
        );
    }
    return text;
}

engine::Parameters settings_of(const std::string& key = "", const engine::Value& value = 0.0) {
    engine::Parameters given;
    given.set("file", "example");
    given.set("resampling", "none");
    if (!key.empty()) {
        given.set(key, value);
    }
    return engine::with_defaults(trace_parameters(), given);
}

}  // namespace

TEST_CASE("waits beside logged ones, by groups, of jobs whose wait is known") {
    const PreparedLog log = prepared_of(five_jobs);
    REQUIRE(log.jobs.size() == 5);
    // Simulated waits 60, 161, 1100, 4499 and, of the job without a logged one, 7: as in
    // "agreement of hand-computed waits", half of the four is within 10 % or 60 s.
    const std::vector<double> start{60, 171, 1120, 4529, 47};
    const auto groups = compared_waits(log, log.jobs.submit, start);
    CHECK(
        text_of(groups)
        == "all/all jobs 4 1525 1455 0.5\n"
           "queue/queue 1 (night) 2 50 110.5 0.5\n"
           "queue/queue 2 2 3000 2799.5 0.5\n"
           "size/1 processor 1 0 60 1\n"
           "size/2 processors 1 100 161 0\n"
           "size/3 to 4 processors 2 3000 2799.5 0.5\n"
           "run time/below 10 s 1 0 60 1\n"
           "run time/10 s to 1 min 1 100 161 0\n"
           "run time/1 min to 10 min 2 3000 2799.5 0.5\n"
    );
    CHECK(groups.front().values.rank_agreement == doctest::Approx(1));
    CHECK(std::isnan(groups[3].values.rank_agreement));  // one job has no order
}

TEST_CASE("a log without waits is one group of nobody") {
    std::string text = five_jobs;
    for (const char* wait : {"    0    5", "  100   50", " 1000  500", " 5000   70"}) {
        text.replace(text.find(wait), 5, "   -1");
    }
    const PreparedLog log = prepared_of(text);
    const auto groups = compared_waits(log, log.jobs.submit, log.jobs.submit);
    CHECK(text_of(groups) == "all/all jobs 0 nan nan nan\n");
    CHECK(summary_text(summarise(log_of(text))).find("\nno logged waits\n") != std::string::npos);
}

TEST_CASE("of many queues the smallest are one group") {
    std::string text = "; MaxProcs: 8\n";
    for (int job = 1; job <= 47; ++job) {
        // Queue q of 1 … 23 has two jobs, 24 one; two of those with two jobs find no room.
        text += fmt::format(
            "{} {} 1 5 1 -1 -1 1 9 -1 1 3 -1 -1 {} -1 -1 -1\n", job, job, (job + 1) / 2
        );
    }
    const PreparedLog log = prepared_of(text);
    const auto groups = job_groups(log.jobs, log.logged);
    std::vector<std::pair<std::string, std::size_t>> queues;
    for (const JobGroup& group : groups) {
        if (group.kind == "queue") {
            queues.emplace_back(group.name, group.jobs.size());
        }
    }
    REQUIRE(queues.size() == 21);
    CHECK(queues.front() == std::pair<std::string, std::size_t>("queue 1", 2));
    CHECK(queues[19] == std::pair<std::string, std::size_t>("queue 20", 2));
    CHECK(queues.back() == std::pair<std::string, std::size_t>("4 others", 7));
}

TEST_CASE("jobs that are cut at their request stay in the group of their logged run time") {
    std::string text = five_jobs;
    text.replace(text.find(" 500 3 -1 -1 3 900"), 18, "9000 3 -1 -1 3 900");
    const Log log = log_of(text);
    const auto by_run_time = [&](OverrunRule overrun) {
        PreparedLog prepared;
        prepared.jobs = select(log, {}, {.overrun = overrun}).jobs;
        prepared.logged = logged_waits(log, prepared.jobs);
        std::vector<std::size_t> sizes;
        for (const JobGroup& group : job_groups(prepared.jobs, prepared.logged)) {
            if (group.kind == "run time") {
                sizes.push_back(group.jobs.size());
            }
        }
        return sizes;
    };
    CHECK(by_run_time(OverrunRule::killed) == by_run_time(OverrunRule::runs_on));
}

TEST_CASE("a summary has the logged waits by group") {
    const LogSummary summary = summarise(log_of(five_jobs));
    REQUIRE(summary.waits.size() == 9);
    CHECK(summary.waits[0].wait.jobs == 4);
    CHECK(summary.waits[0].wait.mean == 1525);
    CHECK(summary.waits[1].name == "queue 1 (night)");
    const std::string text = summary_text(summary);
    CHECK(
        text.find("all jobs                           4      1525       100      5000\n")
        != std::string::npos
    );
    CHECK(text.find("\nby queue\nqueue 1 (night)") != std::string::npos);
    LogSummary started = summary;
    started.waits[1].kind = "started by";
    CHECK(summary_text(started).find("\nstarted by\nqueue 1 (night)") != std::string::npos);
    std::string long_name = five_jobs;
    long_name.replace(long_name.find("night"), 5, std::string(100, 'x'));
    const std::string lines = summary_text(summarise(log_of(long_name)));
    for (std::size_t at = 0; at < lines.size(); at = lines.find('\n', at) + 1) {
        CHECK(lines.find('\n', at) - at <= 80);
    }
    CHECK(
        lines.find(")\n                                   2        50         0       100\n")
        != std::string::npos
    );
}

TEST_CASE("what is changed of a log, its load or its machine is no replay of its own") {
    PreparedLog log;
    const auto is_own = [&](const engine::Parameters& parameters, std::uint32_t processors = 64) {
        return is_own_replay(TraceSettings(parameters), log, processors);
    };
    using List = engine::Value::List;
    CHECK(is_own(settings_of()));
    CHECK(is_own(settings_of("sizes", List{1.0, 64.0})));
    CHECK(is_own(settings_of("missing_request", "run_time")));
    CHECK_FALSE(is_own(settings_of("resampling", "weeks")));
    CHECK_FALSE(is_own(settings_of("shake", 1)));
    CHECK_FALSE(is_own(settings_of("load_factor", 1.1)));
    CHECK_FALSE(is_own(settings_of("from", "0")));
    CHECK_FALSE(is_own(settings_of("before", "1000")));
    engine::Parameters dense = settings_of("period", "dense");
    dense.set("from", "1000");
    CHECK(is_own(dense));
    CHECK_FALSE(is_own(settings_of("sizes", List{1.0, 63.0})));
    CHECK_FALSE(is_own(settings_of("sizes", List{2.0, 64.0})));
    CHECK_FALSE(is_own(settings_of("run_times", List{1.0, 9.0})));
    CHECK_FALSE(is_own(settings_of("cpu_times", List{1.0, 9.0})));
    CHECK_FALSE(is_own(settings_of("statuses", List{1})));
    log.machine = 64;
    CHECK(is_own(settings_of()));
    CHECK_FALSE(is_own(settings_of(), 65));
}

}  // namespace schedfarm::models::trace::tests
