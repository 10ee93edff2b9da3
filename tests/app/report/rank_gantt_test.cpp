// Gantt charts of the ranks of a made-up campaign.
#include "app/report/schedule/rank_gantt.hpp"

#include <limits>

#include <doctest/doctest.h>

#include "results_schema/result_io.hpp"
#include "results_schema/schema.hpp"
#include "results_schema/tables/table_filling.hpp"

#include "tests/results_schema/fillable_results.hpp"

using namespace schedfarm;       // NOLINT(google-build-using-namespace)
using namespace schedfarm::app;  // NOLINT(google-build-using-namespace)

namespace {

using results_schema::add_row;

struct Timing {
    std::uint64_t run = 0;
    std::uint64_t rank = 0;
    double began = 0;
    double seconds = 0;
};

/// Replications 0, 1, 2 … of cell 3 with these timings; the farm of run 2 with ranks 0 and 1.
results_schema::ResultFile results_of(const std::vector<Timing>& timings) {
    results_schema::ResultFile results = tests::make_results();
    results_schema::set_attribute(results, "campaign_name", std::string("a < b"));
    std::uint64_t replication = 0;
    for (const Timing& timing : timings) {
        add_row(
            tests::table_to_fill(results, "timings"),
            {{"cell", 3},
             {"replication", replication++},
             {"seconds", timing.seconds},
             {"rank", timing.rank},
             {"run", timing.run},
             {"began", timing.began}}
        );
    }
    for (const std::uint64_t rank : {0U, 1U}) {
        add_row(
            tests::table_to_fill(results, "farm"),
            {{"rank", rank},
             {"host", "node017"},
             {"tasks", 2},
             {"busy", rank == 0 ? 0.0 : 5.0},
             {"idle", 1.25},
             {"dispatch", 0.5},
             {"io", rank == 0 ? 0.75 : 0.0},
             {"run", 2}}
        );
    }
    return results;
}

/// Two runs: the first on ranks 1 and 2, the second on rank 1 from 0 to 2 and from 5 to 8, and one
/// replication that nothing is known of.
results_schema::ResultFile two_runs() {
    return results_of(
        {{2, 1, 5, 3},
         {1, 2, 0, 10},
         {2, 1, 0, 2},
         {1, 1, 4, 4},
         {0, 1, std::numeric_limits<double>::quiet_NaN(), 1}}
    );
}

std::string error_of(const results_schema::ResultFile& results, std::optional<std::uint64_t> run) {
    try {
        rank_gantt(results, run);
    } catch (const results_schema::ResultError& error) {
        return error.what();
    }
    return "no error";
}

bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("the last run is drawn unless another is chosen") {
    const RankGantt last = rank_gantt(two_runs(), std::nullopt);
    CHECK(last.run == 2);
    CHECK(last.runs == 2);
    CHECK(last.end_s == 8);
    CHECK(last.undated == 1);
    REQUIRE(last.rows.size() == 2);  // the master has no replication, but overheads
    CHECK(last.rows[0].stays.empty());
    REQUIRE(last.rows[1].stays.size() == 2);
    CHECK(last.rows[1].stays[0].replication == 2);  // in order of time
    CHECK(last.rows[1].busy_s() == 5);
    CHECK(last.rows[0].overheads->io_s == 0.75);

    const RankGantt first = rank_gantt(two_runs(), 1);
    REQUIRE(first.rows.size() == 2);
    CHECK(first.rows[0].rank == 1);
    CHECK(first.rows[1].rank == 2);
    CHECK(first.end_s == 10);
    CHECK_FALSE(first.rows[0].overheads);  // the file tells those of the last run
}

TEST_CASE("a run that is not there and a file without dates are refused") {
    CHECK(contains(error_of(two_runs(), 3), "there is no run 3 (the campaign was computed by 2"));
    CHECK(contains(error_of(two_runs(), 0), "Choose one of 1 to 2"));
    CHECK(contains(error_of(results_of({}), std::nullopt), "does not say when"));
    const double nan = std::numeric_limits<double>::quiet_NaN();
    CHECK(contains(error_of(results_of({{0, 1, nan, 1}}), 1), "does not say when"));
}

TEST_CASE("busy shares are the parts of the time that stays cover") {
    // [1, 3] and [3, 3.5] of 8 in four parts of 2: half of the first, three quarters of the second.
    const RankRow row{1, {{0, 0, 1, 3}, {0, 1, 3, 3.5}}, {}};
    CHECK(busy_shares(row, 8, 4) == std::vector<double>{0.5, 0.75, 0, 0});
    // A clock that is behind the master's: what lies before 0 is not shown.
    CHECK(busy_shares({1, {{0, 0, -1, 4}}, {}}, 8, 4) == std::vector<double>{1, 1, 0, 0});
    CHECK(busy_shares(row, 0, 2) == std::vector<double>{0, 0});
    CHECK(busy_shares({1, {}, {}}, 8, 2) == std::vector<double>{0, 0});
}

TEST_CASE("the text has a bar of 62 characters per rank and fits 80 columns") {
    const std::string text = gantt_text(rank_gantt(two_runs(), std::nullopt));
    CHECK(contains(text, "a < b: run 2 of 2, 2 replications on 2 ranks in 8 s"));
    // 62 parts of 8/62 s: [0, 2] is 15.5 parts; [5, 8] begins at 38.75 and fills 23.25.
    std::string bar;
    for (int i = 0; i < 15; ++i) {
        bar += "█";
    }
    bar += "▄" + std::string(22, ' ') + "▂";
    for (int i = 0; i < 23; ++i) {
        bar += "█";
    }
    CHECK(contains(text, "\n" + std::string(75, ' ') + "busy\nrank    0 "));  // over the shares
    CHECK(contains(text, "rank    1 " + bar + "   62 %\n"));
    CHECK(contains(text, "rank    0 " + std::string(62, ' ') + "    0 %\n"));
    CHECK(contains(text, "1 replication of the file are not shown") == false);
    CHECK(contains(text, "1 replication of the file is not shown"));
    std::size_t width = 0;
    for (const char character : text) {
        const bool is_continued = (static_cast<unsigned char>(character) & 0xC0U) == 0x80U;
        width = character == '\n' ? 0 : width + (is_continued ? 0U : 1U);
        REQUIRE(width <= 80);
    }
    CHECK(contains(gantt_text(rank_gantt(two_runs(), 1)), "was not written by this run"));
}

TEST_CASE("the table has a line per replication") {
    CHECK(
        gantt_csv(rank_gantt(two_runs(), 1))
        == "run,rank,cell,replication,began_s,ended_s\n"
           "1,1,3,3,4.000000,8.000000\n"
           "1,2,3,1,0.000000,10.000000\n"
    );
}
