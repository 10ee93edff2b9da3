// The farm's benchmark: what its numbers mean, and how they are shown.
#include "bench/farm_bench.hpp"

#include <sstream>
#include <string>

#include <doctest/doctest.h>

#include "bench/farm_page.hpp"
#include "bench/steady_work.hpp"

using namespace schedfarm;         // NOLINT(google-build-using-namespace)
using namespace schedfarm::bench;  // NOLINT(google-build-using-namespace)
using schedfarm::app::text_table;
using schedfarm::app::TextTable;

namespace {

FarmFigures some_figures() {
    TextTable table = text_table("Dispatch", {">T", ">efficiency"}, 1);
    table.source = "empty tasks";
    table.rows = {{"10 ms", "0.987"}};
    table.notes = {"s is the time of the master."};
    return {
        acceptances(
            {{"2 children", 0.01, 0.93, 0.9, 0.95}, {"3 ranks", 0.05, 0.94, 0.9, 0.99}}, 0.24, 0.01
        ),
        {table}};
}

}  // namespace

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
        .kind = FarmPartKind::busy,
        .ranks = 3,
        .children = 7,
        .task_seconds = 0.01,
        .predicted_seconds = 1e-6,
        .seconds = 2.5,
        .iterations = 12345678901};
    const FarmPart back = farm_part_of(to_text(part));
    CHECK(to_text(back) == to_text(part));
    CHECK(back.kind == part.kind);
    CHECK(back.iterations == part.iterations);
    CHECK(back.children == 7);
    CHECK(back.task_seconds == part.task_seconds);
    CHECK_THROWS(farm_part_of("busy 3 5"));
    CHECK_THROWS(farm_part_of("{}"));
    const FarmPartResult result{1.5e5, 2e-6, 0.25};
    CHECK(farm_part_result_of(to_text(result)).cpu_seconds_per_task == 2e-6);
    CHECK(farm_part_result_of(to_text(result)).cpu_share == 0.25);
    CHECK_THROWS(farm_part_result_of("1 2 3 4"));
}

TEST_CASE("acceptance says what is met and what is not") {
    const auto found = some_figures().acceptances;
    REQUIRE(found.size() == 4);
    CHECK(found[0].is_met);        // 0.93 >= 0.90
    CHECK_FALSE(found[1].is_met);  // 0.94 < 0.95
    CHECK(found[2].is_met);        // 0.24 <= 0.25
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
        CHECK(text.find("Dispatch") != std::string::npos);
        CHECK(text.find("0.987") != std::string::npos);
        CHECK(text.find("s is the time") != std::string::npos);
    }
}
