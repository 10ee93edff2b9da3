// Which run computed what, and when, from outcomes with known times.
#include <cmath>

#include <doctest/doctest.h>

#include "app/run/tables/analysis_tables.hpp"

#include "tests/app/run/made_up_campaign.hpp"

using namespace schedfarm;       // NOLINT(google-build-using-namespace)
using namespace schedfarm::app;  // NOLINT(google-build-using-namespace)

namespace {

using results_schema::Table;

template <typename T>
const std::vector<T>& column(const Table& table, const char* name) {
    return std::get<std::vector<T>>(table.at(name).data);
}

struct Place {
    std::uint32_t rank = 0;
    double run_began_s = 0;
    double began_s = 0;
    double seconds = 0;
};

/// The tables after replications 0, 1, 2 … of one cell ran at these places, then a run that began
/// at 2000.
std::vector<Table> tables_of(const std::vector<Place>& places) {
    Plan plan;
    plan.cells = {tests::open_cell(0, 20, 20)};
    CampaignProgress progress(plan);
    for (std::uint32_t i = 0; i < places.size(); ++i) {
        engine::TaskResult result;
        result.id = ReplicationId{0, i}.task_id();
        result.status = engine::TaskStatus::failed;
        result.rank = places[i].rank;
        result.run_began_s = places[i].run_began_s;
        result.began_s = places[i].began_s;
        result.seconds = places[i].seconds;
        progress.take(result);
    }
    Provenance provenance;
    provenance.run_began_s = 2000;
    provenance.farm.ranks = {
        {.rank = 1,
         .host = "a",
         .tasks = 3,
         .busy_seconds = 1,
         .idle_seconds = 2,
         .dispatch_seconds = 3,
         .io_seconds = 4}};
    return farm_tables(progress, provenance);
}

}  // namespace

TEST_CASE("runs are numbered in the order of their begin whatever the order of results") {
    const auto tables = tables_of({{1, 2000, 2000.5, 1}, {1, 1000, 1003, 1}, {2, 1000, 1000, 4}});
    CHECK(column<std::uint64_t>(tables[0], "run") == std::vector<std::uint64_t>{2, 1, 1});
    CHECK(column<double>(tables[0], "began") == std::vector<double>{0.5, 3, 0});
    CHECK(column<std::uint64_t>(tables[0], "rank") == std::vector<std::uint64_t>{1, 1, 2});
    CHECK(column<std::uint64_t>(tables[1], "run")[0] == 2);
    CHECK(column<double>(tables[1], "dispatch")[0] == 3);
    CHECK(column<double>(tables[1], "io")[0] == 4);
}

TEST_CASE("results without dates belong to no known run") {
    const auto tables = tables_of({{1, 0, 0, 1}, {1, 1000, 0, 1}, {1, NAN, 5, 1}});
    CHECK(column<std::uint64_t>(tables[0], "run") == std::vector<std::uint64_t>{0, 0, 0});
    for (const double began : column<double>(tables[0], "began")) {
        CHECK(std::isnan(began));
    }
    CHECK(column<std::uint64_t>(tables[1], "run")[0] == 0);  // it has computed nothing
}

TEST_CASE("of two replications that a rank cannot have run at once the later is not dated") {
    // Rank 1 is busy from 1000 to 1004; what begins at 1003 contradicts that, what begins at 1004
    // does not, nor what another rank or another run does.
    const auto tables = tables_of(
        {{1, 1000, 1000, 4},
         {1, 1000, 1003, 5},
         {1, 1000, 1004, 1},
         {2, 1000, 1003, 1},
         {1, 1001, 1003, 1}}
    );
    CHECK(column<std::uint64_t>(tables[0], "run") == std::vector<std::uint64_t>{1, 0, 1, 1, 2});
}
