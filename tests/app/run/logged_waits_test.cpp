// The waits that a log records, from a replication through the journal into the table, by hand.
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <unistd.h>

#include "app/run/journal/outcome_codec.hpp"
#include "app/run/tables/analysis_tables.hpp"

#include "tests/app/run/small_campaign.hpp"

using namespace schedfarm;       // NOLINT(google-build-using-namespace)
using namespace schedfarm::app;  // NOLINT(google-build-using-namespace)

namespace {

namespace fs = std::filesystem;

std::vector<std::string> texts_in(const results_schema::Table& table, const char* name) {
    const auto& texts = std::get<results_schema::Texts>(table.at(name).data);
    std::vector<std::string> found;
    for (std::size_t i = 0; i < texts.size(); ++i) {
        found.emplace_back(texts[i]);
    }
    return found;
}

/// A log of three jobs on 2 processors, as a file that is gone with the object.
class SmallLog {
  public:
    explicit SmallLog(const std::string& last_wait) {
        std::ofstream out(path_);
        out << "; MaxProcs: 2\n"
               "1  0   0 100 2 -1 -1 2 100 -1 1 1 -1 -1 -1 -1 -1 -1\n"
               "2 10 900 100 2 -1 -1 2 100 -1 1 1 -1 -1 -1 -1 -1 -1\n"
               "3 20 "
            << last_wait << " 100 1 -1 -1 1 100 -1 1 1 -1 -1 -1 -1 -1 -1\n";
    }
    SmallLog(const SmallLog&) = delete;
    SmallLog& operator=(const SmallLog&) = delete;
    ~SmallLog() { fs::remove(path_); }

    Plan plan(const std::string& more = "", const char* machine = "2") const {
        return tests::plan_of(
            std::string("campaign_format: 1\nname: waits\nseed: 1\nexperiment: trace\n")
            + "system: {clusters: [" + machine + "]}\nworkload: {model: trace, file: '"
            + path_.string() + "', resampling: none" + more
            + "}\nhorizon: {jobs: all, warm_up: none}\npolicy: fcfs\nreplications: 1\n"
        );
    }

  private:
    fs::path path_ =
        fs::temp_directory_path() / ("schedfarm-waits-" + std::to_string(::getpid()) + ".swf");
};

/// With waits by groups of jobs (run --waits).
engine::TaskResult done_with_groups(const Plan& plan) {
    return tests::result_of({{0, 0}, {}}, plan, models::trace::WaitGroups::of_every_kind);
}

results_schema::Table table_of(const Plan& plan) {
    CampaignProgress progress(plan);
    progress.take(done_with_groups(plan));
    return logged_waits_table(progress);
}

}  // namespace

TEST_CASE("a replay of a whole log has its waits beside the logged ones") {
    const SmallLog log("170");
    const results_schema::Table table = table_of(log.plan());
    // Starts 0, 100, 200: waits 0, 90, 180 beside 0, 900, 170; the second is 810 > 90 away.
    REQUIRE(table.rows() == 4);
    CHECK(texts_in(table, "by") == std::vector<std::string>{"all", "size", "size", "run time"});
    CHECK(texts_in(table, "group").at(1) == "1 processor");
    CHECK(tests::column_in<std::uint64_t>(table, "jobs") == std::vector<std::uint64_t>{3, 1, 2, 3});
    CHECK(
        tests::column_in<double>(table, "logged")
        == std::vector<double>{1070.0 / 3, 170, 450, 1070.0 / 3}
    );
    CHECK(tests::column_in<double>(table, "simulated") == std::vector<double>{90, 180, 45, 90});
    CHECK(
        tests::column_in<double>(table, "within") == std::vector<double>{2.0 / 3, 1, 0.5, 2.0 / 3}
    );
    // Of the three pairs (0, 0) (900, 90) (170, 180) one is the other way round.
    CHECK(tests::column_in<double>(table, "rank_agreement").at(0) == doctest::Approx(1.0 / 3));
    CHECK(std::isnan(tests::column_in<double>(table, "rank_agreement").at(1)));
}

TEST_CASE("what is no replay of a whole log has no logged waits") {
    const SmallLog log("170");
    CHECK(table_of(log.plan(", load_factor: 2")).rows() == 0);
    CHECK(table_of(log.plan(", sizes: [1, 1]")).rows() == 0);
    CHECK(table_of(log.plan("", "4")).rows() == 0);
    CHECK(table_of(tests::plan()).rows() == 0);
}

TEST_CASE("waits survive the journal, and outcomes without them are as they were") {
    const SmallLog log("-1");
    const Plan plan = log.plan();
    const engine::TaskResult result = done_with_groups(plan);
    const ReplicationOutcome outcome = outcome_of(result);
    REQUIRE(outcome.logged_waits.size() == 3);  // the job of 1 processor has no wait
    CHECK(outcome.logged_waits[0].values.n == 2);
    CHECK(encode(*outcome.observations, outcome.logged_waits) == result.payload);
    const engine::Bytes without = encode(*outcome.observations);
    CHECK(encode(decode_observations(result.payload)) == without);  // of equal NaN too
    CHECK(without.size() < result.payload.size());
    engine::Bytes cut = result.payload;
    cut.pop_back();
    CHECK_THROWS(decode_observations(cut));
}
