// The farm's benchmark: what its numbers mean, and how they are shown.
#include "bench/farm_bench.hpp"

#include <sstream>
#include <string>

#include <doctest/doctest.h>

#include "tests/support/within.hpp"

#include "bench/farm_page.hpp"
#include "bench/steady_work.hpp"

using namespace schedfarm;         // NOLINT(google-build-using-namespace)
using namespace schedfarm::bench;  // NOLINT(google-build-using-namespace)
using schedfarm::app::text_table;
using schedfarm::app::TextTable;

namespace {

FarmFigures some_figures() {
    TextTable table = text_table("Two levels", {">T", ">efficiency"}, 1);
    table.source = "one rank is all the sub-masters";
    table.rows = {{"10 ms", "0.987"}};
    table.notes = {"s is the time in which the top master does not wait."};
    return {acceptances({{0.01, 0.93, 0.9, 0.95}, {0.05, 0.94, 0.9, 0.99}}, 0.951, 0.01), {table}};
}

}  // namespace

// Alone, a task costs 2 (1 us + 0.3 us): 10^4 workers with tasks of 10 ms ask for 10^6 per second,
// and one master serves 1 / 2.6 us = 384615. Bundles of 5 cost 2 us + 5 * 0.6 us = 5 us, and 2 *
// 10^5 per second of them would be 1.0 of the master. Sub-masters take that off it: what is left
// are 0.6 us per task, 0.6 of its time, and messages of 256 results or more.
TEST_CASE("efficiency in virtual time is that of the formula") {
    const MasterCosts costs{1e-6, 3e-7};
    CHECK(costs.per_task_alone() == tests::within(1e-12, 2.6e-6));
    // Less what the first and the last tasks cost.
    const double one_master = virtual_efficiency({costs, 10000, 0.01});
    CHECK(one_master == tests::within(0.03, 0.3846));
    CHECK(one_master < 0.3846);
    CHECK(virtual_efficiency({costs, 1000, 0.01}) > 0.99);
    CHECK(virtual_efficiency({costs, 10000, 0.01, 0.01, 256, costs}) > 0.99);
    // Twice the ranks ask for 1.2 of the master above: at most 1 / 1.2.
    const double beyond = virtual_efficiency({costs, 20000, 0.01, 0.01, 256, costs});
    CHECK(beyond < 0.84);
    CHECK(beyond > 0.75);
}

TEST_CASE("a steady window opens after the warm-up and closes by the clock") {
    double now_s = 0;
    SteadyWork work({.warm_up_results = 3, .seconds = 0.5, .wave_results = 2, .payload = {}}, [&] {
        return now_s;
    });
    for (int i = 0; i < 8; ++i) {
        REQUIRE(work.next_task());
    }
    // Results at 1, 2, …: the third opens the window at 3; it may close from 3.5 on, and closes
    // after the second result in it, at 5.
    for (int i = 0; i < 5; ++i) {
        CHECK_FALSE(work.is_closed());
        now_s += 1;
        work.accept({});
    }
    CHECK(work.is_closed());
    CHECK(work.window().results == 2);
    CHECK(work.window().seconds == 2);
    CHECK_FALSE(work.next_task());
    CHECK_FALSE(work.finished());
    for (int i = 0; i < 3; ++i) {
        work.accept({});
    }
    CHECK(work.finished());
    CHECK(work.window().results == 2);
}

TEST_CASE("parts and their results survive as JSON") {
    const FarmPart part{
        .kind = FarmPartKind::groups,
        .ranks = 3,
        .per_rank = 50000,
        .group_workers = 250,
        .task_seconds = 0.01,
        .predicted_seconds = 1e-6,
        .seconds = 2.5,
        .iterations = 12345678901};
    const FarmPart back = farm_part_of(to_text(part));
    CHECK(to_text(back) == to_text(part));
    CHECK(back.kind == part.kind);
    CHECK(back.iterations == part.iterations);
    CHECK(back.group_workers == 250);
    CHECK(back.task_seconds == part.task_seconds);
    CHECK_THROWS(farm_part_of("emulated 3 5"));
    CHECK_THROWS(farm_part_of("{}"));
    const FarmPartResult result{1.5e5, 2e-6, 0.25, 33.5, 12.5, 1e-7};
    CHECK(farm_part_result_of(to_text(result)).cpu_seconds_per_task == 2e-6);
    CHECK(farm_part_result_of(to_text(result)).memory_mib == 33.5);
    CHECK(farm_part_result_of(to_text(result)).busy_workers == 12.5);
    CHECK(farm_part_result_of(to_text(result)).served_seconds_per_task == 1e-7);
    CHECK_THROWS(farm_part_result_of("1 2 3 4"));
}

TEST_CASE("acceptance says what is met and what is not") {
    const auto found = some_figures().acceptances;
    REQUIRE(found.size() == 4);
    CHECK(found[0].is_met);        // 0.93 >= 0.90
    CHECK_FALSE(found[1].is_met);  // 0.94 < 0.95
    CHECK(found[2].is_met);        // 0.951 >= 0.95
    CHECK(found[3].is_met);        // 0.01 < 0.05
}

TEST_CASE("text and page fit a terminal") {
    const FarmFigures figures = some_figures();
    for (const std::string& text :
         {farm_text(figures),
          farm_markdown({"schedfarm-bench --farm", "today", "program", "machine"}, figures)}) {
        std::istringstream lines(text);
        for (std::string line; std::getline(lines, line);) {
            const bool is_prose = line.find(". ") != std::string::npos;
            CAPTURE(line);
            CHECK((is_prose || line.size() <= 100));
        }
        CHECK(text.find("not met") != std::string::npos);
        CHECK(text.find("Two levels") != std::string::npos);
        CHECK(text.find("0.987") != std::string::npos);
        CHECK(text.find("s is the time") != std::string::npos);
    }
}
