// What replications of a resampled log are drawn from, on a log of four users and four whole weeks,
// and of which logs the plan warns.
#include "app/campaign/plan/log_blocks.hpp"

#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <unistd.h>

#include "app/campaign/plan/plan_warnings.hpp"

#include "tests/app/campaign/campaign_text.hpp"

namespace schedfarm::app::tests {

namespace {

/// A job comes every so many days from second 0 on.
struct Jobs {
    int count = 16;
    int days = 2;
    std::function<int(int)> user = [](int job) {
        return 1 + job % 4;
    };
    std::function<int(int)> run_s = [](int /*job*/) {
        return 100;
    };
};

/// By default the last job comes on day 30: four whole weeks, days 0 to 27.
class Log {
  public:
    explicit Log(const Jobs& jobs = {})
        : path_(
            std::filesystem::temp_directory_path()
            / ("schedfarm-blocks-" + std::to_string(getpid()) + ".swf")
        ) {
        std::ofstream file(path_);
        file << "; MaxProcs: 32\n";
        for (int job = 0; job < jobs.count; ++job) {
            file << fmt::format(
                "{} {} 0 {} 4 -1 -1 4 20000 -1 1 {} -1 -1 -1 -1 -1 -1\n",
                job + 1,
                jobs.days * 86400 * job,
                jobs.run_s(job),
                jobs.user(job)
            );
        }
    }
    ~Log() { std::filesystem::remove(path_); }
    Log(const Log&) = delete;
    Log& operator=(const Log&) = delete;

    Plan plan(const std::string& workload, int jobs) const {
        std::string text = workload;
        for (std::size_t at = text.find("LOG"); at != std::string::npos; at = text.find("LOG")) {
            text.replace(at, 3, path_.string());
        }
        return make_plan(source_of(campaign_text(
            {{4, "experiment: trace"},
             {5,
              text.find("federation") == std::string::npos ? "system: {clusters: [128]}"
                                                           : "system: {clusters: [64, 64]}"},
             {6, "workload: " + text},
             {7,
              text.find("federation") == std::string::npos
                  ? "policy: easy"
                  : "policy: {partitions: {inner: easy, clusters: [1, 1], route: origin}}"},
             {8, ""},
             {9, fmt::format("horizon: {{jobs: {}, warm_up: none}}\nreplications: 1", jobs)}}
        )));
    }

    std::optional<engine::LogBlocks> blocks(const std::string& workload, int jobs) const {
        return plan(workload, jobs).cells.front().log_blocks;
    }

  private:
    std::filesystem::path path_;
};

}  // namespace

TEST_CASE("users are counted and replications shorter than the log are not scaled") {
    const Log log;
    for (const std::string workload :
         {"{model: trace, file: LOG, resampling: users}",
          "{model: reserved_version, jobs: {trace: {file: LOG, resampling: users}}, share: 0.5}"}) {
        for (const auto& [jobs, ratio] : {std::pair{4, 1.0}, std::pair{16, 1.0}, {40, 2.5}}) {
            const auto blocks = log.blocks(workload, jobs);
            REQUIRE(blocks);
            CHECK(blocks->count == 4);
            CHECK(blocks->variance_ratio == ratio);
        }
    }
}

TEST_CASE("weeks are counted and replications are scaled to their jobs but not below a week") {
    // Four whole weeks, days 0 to 27, with 14 jobs.
    const Log log;
    const std::string workload = "{model: trace, file: LOG, resampling: weeks}";
    for (const auto& [jobs, ratio] : {std::pair{1, 0.25}, std::pair{7, 0.5}, {28, 2.0}}) {
        const auto blocks = log.blocks(workload, jobs);
        REQUIRE(blocks);
        CHECK(blocks->count == 4);
        CHECK(blocks->variance_ratio == ratio);
    }
}

TEST_CASE("of a federation all homes count in any order") {
    // A replication has as many jobs of each log as the log has in the time: the 16 of LOG in 30
    // days against those of the example.
    const Log log;
    const std::vector<std::pair<std::string, std::optional<engine::BlockUnit>>> homes{
        {"{trace: {file: LOG, resampling: users}}", engine::BlockUnit::users},
        {"{trace: {file: LOG, resampling: weeks}}", engine::BlockUnit::weeks},
        {"{trace: {file: example, resampling: users}}", engine::BlockUnit::users},
        {"{trace: {file: example, resampling: weeks}}", engine::BlockUnit::weeks},
        {"{reserved_version: {jobs: {trace: {file: LOG, resampling: users}}, share: 0.5}}",
         engine::BlockUnit::users}};
    const auto of = [&](const std::string& first, const std::string& second) {
        return log.blocks(fmt::format("{{model: federation, homes: [{}, {}]}}", first, second), 30);
    };
    for (std::size_t i = 0; i < homes.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j) {
            const auto& [first, unit] = homes[i];
            const auto& [second, other_unit] = homes[j];
            CAPTURE(first);
            CAPTURE(second);
            const auto one = of(first, second);
            const auto other = of(second, first);
            REQUIRE(one.has_value() == (unit || other_unit));
            REQUIRE(other.has_value() == one.has_value());
            if (one) {
                CHECK(one->count == other->count);
                CHECK(one->unit == other->unit);
                CHECK(one->variance_ratio == doctest::Approx(other->variance_ratio));
            }
        }
    }
    const auto both = of(homes[0].first, homes[3].first);
    CHECK(both->count == 4);
    CHECK(both->unit == engine::BlockUnit::users);
    // 16 jobs in 30 days by users, 14 in 28 by weeks: of 30 jobs 30 · .5 / (.5 + 16 / 30) of
    // the 14.
    CHECK(
        of(homes[0].first, homes[1].first)->variance_ratio == doctest::Approx(30 * 15.0 / 31 / 14)
    );
    // A log that two homes have is one log, of which each replication has its jobs twice.
    CHECK(of(homes[0].first, homes[0].first)->variance_ratio == 30 / 16.);
    CHECK(of(homes[0].first, homes[0].first)->count == 4);
}

TEST_CASE("of a log that tells too little of others the plan says why and of others nothing") {
    const auto users = [](int count) {
        return [count](int job) {
            return 1 + job % count;
        };
    };
    const auto equal = [](int /*job*/) {
        return 100;
    };
    const auto growing = [](int job) {
        return 100 + 10 * job;
    };
    const auto one_large = [](int job) {
        return job % 10 == 0 ? 9000 : 100;
    };
    const auto nobody = [](int /*job*/) {
        return -1;
    };
    const auto in_turn = [](int less) {
        return [less](int job) {
            return job / 7 % 2 == 0 ? 300 : less;
        };
    };
    struct Case {
        Jobs jobs;
        std::string by_weeks;
        std::string by_users;
    };
    const std::vector<Case> cases{
        {{71, 1, users(10), equal}, "", ""},
        {{71, 1, users(6), equal}, "", ""},
        {{71, 1, users(5), equal}, "its users is as that of 5.0", "its 5 users is as that of 5.0"},
        {{71, 1, users(10), growing}, "from week to week in one direction (p = 8.3e-05)", ""},
        {{71, 1, users(10), one_large}, "its users is as that of 1.2", "one user brings 92 %"},
        {{71, 1, users(10), in_turn(30)}, "its 10 weeks scatters more than chance", ""},
        {{71, 1, users(10), in_turn(100)}, "", ""},  // as seven jobs a week do by chance
        {{71, 1, nobody, equal}, "", "-"},
    };
    for (const Case& shown : cases) {
        const Log log(shown.jobs);
        for (const auto& [resampling, said] :
             {std::pair{"weeks", shown.by_weeks}, std::pair{"users", shown.by_users}}) {
            if (said == "-") {
                continue;  // nothing to draw
            }
            CAPTURE(said);
            const Plan plan = log.plan(
                fmt::format("{{model: trace, file: LOG, resampling: {}}}", resampling), 71
            );
            CHECK(has_alike_blocks_in(*plan.cells.front().workload) == said.empty());
            std::string found;
            for (const std::string& warning : plan_warnings(plan)) {
                found += warning.find(".swf: ") == std::string::npos ? "" : warning;
            }
            CHECK_MESSAGE((said.empty() ? found.empty() : found.find(said) < found.size()), found);
        }
    }
}

TEST_CASE("a log that is not resampled has no blocks and other workloads neither") {
    const Log log;
    CHECK(!log.blocks("{model: trace, file: LOG, resampling: none}", 16));
    CHECK(!make_plan(source_of(campaign_text({}))).cells.front().log_blocks);
}

TEST_CASE("of two logs the fewer blocks and the larger ratio count") {
    const auto both = in_common(engine::LogBlocks{10, 0.5}, engine::LogBlocks{300, 2});
    CHECK(both->count == 10);
    CHECK(both->variance_ratio == 2);
    const engine::LogBlocks users{.count = 4, .unit = engine::BlockUnit::users};
    const engine::LogBlocks weeks{.count = 4, .unit = engine::BlockUnit::weeks};
    CHECK(in_common(users, weeks)->unit == in_common(weeks, users)->unit);
    CHECK(in_common(std::nullopt, engine::LogBlocks{300, 2})->count == 300);
    CHECK(in_common(engine::LogBlocks{300, 2}, std::nullopt)->count == 300);
    CHECK(!in_common(std::nullopt, std::nullopt));
}

}  // namespace schedfarm::app::tests
