// The effective configuration names the logs that were planned with: read as a campaign it gives
// the same cells, and is refused once a log has other contents.
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <unistd.h>

#include "engine/foundation/hash.hpp"

#include "app/campaign/yaml/config_error.hpp"

#include "tests/app/campaign/campaign_text.hpp"

namespace schedfarm::app::tests {

namespace {

/// A log of four jobs over five weeks; another number makes another log.
std::string log_text(int number) {
    const std::string run = std::to_string(100 + number);
    return "; MaxProcs: 32\n1 0 0 " + run + " 4 -1 -1 4 200 -1 1 1 -1 -1 -1 -1 -1 -1\n2 50 0 " + run
           + " 8 -1 -1 8 200 -1 1 2 -1 -1 -1 -1 -1 -1\n3 900000 0 " + run
           + " 8 -1 -1 8 200 -1 1 2 -1 -1 -1 -1 -1 -1\n4 2900000 0 " + run
           + " 8 -1 -1 8 200 -1 1 2 -1 -1 -1 -1 -1 -1\n";
}

/// The logs one.swf and two.swf, in a folder of their own.
class TwoLogs {
  public:
    TwoLogs()
        : folder_(
            std::filesystem::temp_directory_path()
            / ("schedfarm-checksums-" + std::to_string(getpid()))
        ) {
        std::filesystem::create_directories(folder_);
        write("one", log_text(1));
        write("two", log_text(2));
    }
    ~TwoLogs() { std::filesystem::remove_all(folder_); }
    TwoLogs(const TwoLogs&) = delete;
    TwoLogs& operator=(const TwoLogs&) = delete;

    std::string path(const std::string& name) const { return (folder_ / (name + ".swf")).string(); }

    void write(const std::string& name, const std::string& text) const {
        std::ofstream(path(name), std::ios::binary) << text;
    }

    /// `text` with ONE and TWO as the paths of the logs.
    std::string filled(std::string text) const {
        for (const auto& [word, name] : {std::pair{"ONE", "one"}, std::pair{"TWO", "two"}}) {
            for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word)) {
                text.replace(at, 3, path(name));
            }
        }
        return text;
    }

    /// The other way round.
    std::string unfilled(std::string text) const {
        for (const auto& [word, name] : {std::pair{"ONE", "one"}, std::pair{"TWO", "two"}}) {
            const std::string whole = path(name);
            for (std::size_t at = text.find(whole); at != std::string::npos;
                 at = text.find(whole)) {
                text.replace(at, whole.size(), word);
            }
        }
        return text;
    }

  private:
    std::filesystem::path folder_;
};

Plan plan_over(const TwoLogs& logs, const Lines& changes) {
    Lines lines{
        {4, "experiment: trace"},
        {5, "system: {clusters: [128]}"},
        {6, "workload: {model: trace, resampling: none, file: ONE}"},
        {8, ""},
        {9, "horizon: {jobs: 2, warm_up: none}\nreplications: 1"}};
    for (const auto& [number, text] : changes) {
        lines[number] = text;
    }
    return make_plan(source_of(logs.filled(campaign_text(lines))));
}

std::size_t count_of(const std::string& word, const std::string& text) {
    std::size_t count = 0;
    for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
        ++count;
    }
    return count;
}

/// The effective configuration has the checksum of each log that is read once, and gives the same
/// plan, but none where either log was replaced.
void expect_checksummed(const Lines& changes, std::size_t ones, std::size_t twos) {
    const TwoLogs logs;
    const Plan plan = plan_over(logs, changes);
    CAPTURE(plan.effective);
    CHECK(plan.has_checksummed_inputs);
    CHECK(count_of(engine::sha256_hex(log_text(1)), plan.effective) == ones);
    CHECK(count_of(engine::sha256_hex(log_text(2)), plan.effective) == twos);
    const Plan again = make_plan(source_of(plan.effective));
    CHECK(again.effective == plan.effective);
    CHECK(again.plan_hash == plan.plan_hash);
    CHECK_FALSE(again.has_checksummed_inputs);
    logs.write(twos > 0 ? "two" : "one", log_text(3) + "; longer\n");
    CHECK_THROWS_WITH_AS(
        make_plan(source_of(plan.effective)),
        doctest::Contains("not the log that was asked for"),
        ConfigErrors
    );
}

const std::string both = "factors: {workload.file: [ONE, TWO], policy: [fcfs, easy]}";

}  // namespace

TEST_CASE("a log of all cells is named") {
    expect_checksummed({}, 1, 0);
    expect_checksummed({{7, ""}, {10, "factors: {policy: [fcfs, easy]}"}}, 1, 0);
    expect_checksummed(
        {{6, "workload: {model: reserved_version, jobs: {trace: {file: ONE, resampling: none}}}"},
         {7, "policy: easy"},
         {10, "factors: {workload.share: [0, 0.3]}"}},
        1,
        0
    );
    const std::string brief = "workload: {model: reserved_version, jobs: {trace: ONE}}";
    expect_checksummed({{6, brief}, {7, "policy: easy"}}, 1, 0);
}

TEST_CASE("the logs of homes are named") {
    const std::string managed = "policy: {managers: {inner: {calendar: {}}, managers: []}}";
    const auto expect = [&managed](const std::string& homes, std::size_t ones, std::size_t twos) {
        expect_checksummed(
            {{5, "system: {clusters: [128, 128]}"},
             {6, "workload: {model: federation, homes: " + homes + "}"},
             {7, managed}},
            ones,
            twos
        );
    };
    expect("{trace: {file: ONE, resampling: none}}", 1, 0);
    expect("[{trace: {file: ONE, resampling: none}}]", 1, 0);
    expect(
        "[{trace: {file: ONE, resampling: none}}, {trace: {file: TWO, resampling: none}}]", 1, 1
    );
}

TEST_CASE("logs that a factor varies are named, each once") {
    const std::string none = "workload: {model: trace, resampling: none}";
    expect_checksummed({{6, none}, {7, ""}, {10, both}}, 1, 1);
    expect_checksummed(
        {{6, none},
         {5, ""},
         {10,
          "factors: {log: {zip: {workload.file: [ONE, TWO], system.clusters: [[128], "
          "[256]]}, labels: [\"1\", b]}}"}},
        1,
        1
    );
    expect_checksummed(
        {{7, ""},
         {10, "factors: {policy: [fcfs, easy, sjf]}"},
         {11, "overrides: [{when: {policy: sjf}, set: {workload.file: TWO}}]"}},
        1,
        1
    );
    expect_checksummed(
        {{6, "workload: {resampling: none}"},
         {10,
          "factors: {w: {zip: {workload.model: [trace, trace], workload.file: [ONE, "
          "TWO]}}}"}},
        1,
        1
    );
    expect_checksummed(
        {{6, "workload: {model: reserved_version, jobs: {trace: {resampling: none}}}"},
         {7, "policy: easy"},
         {10, "factors: {workload.jobs.trace.file: [ONE, TWO]}"}},
        1,
        1
    );
}

TEST_CASE("logs in the levels of a factor are named and the cells keep their labels") {
    expect_checksummed(
        {{6, ""},
         {7, ""},
         {10,
          "factors: {workload: [{model: trace, file: ONE, resampling: users}, {model: trace, file: "
          "TWO, "
          "resampling: none}], policy: [fcfs, easy]}"}},
        1,
        1
    );
    expect_checksummed(
        {{6, ""},
         {10,
          "factors: {w: {zip: {workload: [{model: trace, file: ONE, resampling: users}, {model: "
          "lublin_feitelson}]}, labels: [log, model]}}"}},
        1,
        0
    );
    expect_checksummed(
        {{6, "workload: {model: reserved_version}"},
         {7, "policy: easy"},
         {10,
          "factors: {workload.jobs: [{trace: {file: ONE, resampling: users}}, {trace: {file: TWO, "
          "resampling: users}}]}"}},
        1,
        1
    );
}

TEST_CASE("a campaign that names its log is left as it is") {
    const TwoLogs logs;
    const std::string sum = engine::sha256_hex(log_text(1));
    const Plan named = plan_over(
        logs, {{6, "workload: {model: trace, resampling: none, file: ONE, sha256: " + sum + "}"}}
    );
    const Plan checksummed = plan_over(logs, {});
    CHECK(named.effective.find("inputs") == std::string::npos);
    CHECK(named.plan_hash == checksummed.plan_hash);
    CHECK_FALSE(named.has_checksummed_inputs);
    CHECK_FALSE(plan_of({}).has_checksummed_inputs);
}

TEST_CASE("inputs name files that workloads read, with their checksums") {
    const TwoLogs logs;
    const auto errors_with = [&logs](const std::string& inputs) {
        try {
            plan_over(logs, {{10, "inputs: " + inputs}});
        } catch (const ConfigErrors& errors) {
            return logs.unfilled(errors.what());
        }
        return std::string();
    };
    const std::string one = engine::sha256_hex(log_text(1));
    CHECK(errors_with("{ONE: \"" + one + "\"}").empty());
    CHECK(
        errors_with("{ONE: \"0f1e\"}")
        == fmt::format(
            "a.yaml:11:{}: ONE: not the log that was asked for (its uncompressed text has the "
            "sha256 {}). Give the version that was asked for, or write this sha256.",
            12 + logs.path("one").size(),
            one
        )
    );
    CHECK(
        errors_with("{TWO: \"0f1e\"}")
        == "a.yaml:11:10: nothing reads 'TWO' without a sha256 of its own. Remove it."
    );
    CHECK(
        errors_with("[ONE]")
        == "a.yaml:11:9: 'inputs' must be a mapping, not a list. Write {log.swf: \"0f1e…\"}."
    );
}

}  // namespace schedfarm::app::tests
