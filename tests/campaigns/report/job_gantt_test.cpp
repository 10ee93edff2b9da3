// Drawings of schedules, worked out by hand.
#include "campaigns/report/job_gantt.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include <doctest/doctest.h>

#include "campaigns/report/axis.hpp"
#include "campaigns/report/job_gantt_parts.hpp"
#include "campaigns/report/job_sources.hpp"

#include "tests/campaigns/report/six_jobs.hpp"

using namespace schedfarm::campaigns;  // NOLINT(google-build-using-namespace)

namespace {

bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

/// On a panel of 460 × 80.
Drawing panel_of(const JobSchedule& schedule, const Window& window) {
    Drawing drawing;
    drawing.width = 600;
    drawing.height = 100;
    const Panel panel{.x = 100, .y = 10, .width = 460, .height = 80, .window = window};
    add_jobs(drawing, panel, schedule, job_colours(schedule, JobColouring::job));
    return drawing;
}

std::string drawn_on_panel(const JobSchedule& schedule, const Window& window) {
    return svg_text(panel_of(schedule, window));
}

}  // namespace

TEST_CASE("six jobs are the rectangles worked out by hand") {
    const JobSchedule schedule = schedule_of_table(six_jobs_table, "six", std::nullopt);
    const std::string text = drawn_on_panel(schedule, {0, 46});
    // Job 3 on processors 0–3 and 6–7 from 11 to 16 s: x = 100 + 110, 50 wide, of which a pixel at
    // the right and one at the top are white; four processors are 40 high and end at y = 90.
    CHECK(contains(text, "<rect x=\"210\" y=\"51\" width=\"49\" height=\"39\" fill=\"#aaaa00\""));
    CHECK(contains(text, "<rect x=\"210\" y=\"11\" width=\"49\" height=\"19\""));
    CHECK(contains(text, "<title>job 3: 6 processors, submit 1 s, runs 11 s to 16 s</title>"));
    CHECK(contains(text, "<rect x=\"100\" y=\"31\" width=\"199\" height=\"19\""));  // job 2, 4–5
    CHECK(contains(text, "<rect x=\"260\" y=\"71\" width=\"299\" height=\"19\""));  // job 5, 0–1
    CHECK(contains(text, "<rect x=\"260\" y=\"61\" width=\"39\" height=\"9\""));    // job 6, 2
    // The number of job 3 in the middle of its larger rectangle.
    CHECK(contains(text, "<text x=\"234.5\" y=\"74.5\" text-anchor=\"middle\" font-size=\"11\" "));
}

TEST_CASE("a window cuts rectangles at its ends") {
    const JobSchedule schedule = schedule_of_table(six_jobs_table, "six", std::nullopt);
    // [12, 14) at 230 pixels per second: job 2 and job 3 throughout, nobody else.
    const std::string text = drawn_on_panel(schedule, {12, 14});
    CHECK(contains(text, "<rect x=\"100\" y=\"31\" width=\"459\" height=\"19\""));
    CHECK(contains(text, "job 3:"));
    CHECK_FALSE(contains(text, "job 4:"));
    CHECK_FALSE(contains(text, "job 5:"));
}

TEST_CASE("of many jobs each cell shows who holds most of it") {
    // Processor 0 to 3999 one after the other for a second, each held by its own job: 4000
    // rectangles on 400 × 400 pixels. Ten jobs share a pixel's row; of their ten columns each has
    // a quarter and more of ten jobs in none but its own: a diagonal of 400 cells would be white
    // where less than a quarter is covered, so every job lasts as long as ten.
    JobSchedule schedule;
    for (std::uint32_t i = 0; i < 4000; ++i) {
        ScheduledJob job;
        job.number = 8;  // all of one colour
        JobSegment segment;
        segment.job = i;
        segment.begin_s = i - i % 10;
        segment.end_s = segment.begin_s + 10;
        segment.processors = 1;
        segment.ranges = {{.first = {i}, .count = 1}};
        schedule.jobs.push_back(job);
        schedule.segments.push_back(segment);
    }
    schedule.processors = 4000;
    complete(schedule);
    Drawing drawing;
    const Panel panel{.x = 0, .y = 0, .width = 400, .height = 400, .window = {0, 4000}};
    add_jobs(drawing, panel, schedule, job_colours(schedule, JobColouring::job));
    REQUIRE(drawing.boxes.size() == 400);
    for (std::size_t i = 0; i < 400; ++i) {
        CHECK(drawing.boxes[i].x == doctest::Approx(static_cast<double>(i)));
        CHECK(drawing.boxes[i].y == doctest::Approx(399 - static_cast<double>(i)));
        CHECK(drawing.boxes[i].width == doctest::Approx(1));
    }
}

namespace {

/// The boxes of jobs of one colour that each hold one processor for a second, on 400 × 400 pixels.
std::vector<Box> grid_of(
    const std::vector<std::pair<std::uint32_t, double>>& held,
    std::uint32_t processors,
    double end_s = 4
) {
    JobSchedule schedule;
    schedule.processors = processors;
    schedule.jobs.resize(1);
    for (const auto& [processor, begin_s] : held) {
        JobSegment& segment = schedule.segments.emplace_back();
        segment.begin_s = begin_s;
        segment.end_s = begin_s + 1;
        segment.processors = 1;
        segment.ranges = {{.first = {processor}, .count = 1}};
    }
    Drawing drawing;
    const Panel panel{.x = 0, .y = 0, .width = 400, .height = 400, .window = {0, end_s}};
    add_jobs(drawing, panel, schedule, job_colours(schedule, JobColouring::job));
    return drawing.boxes;
}

}  // namespace

TEST_CASE("equal cells of a grid are one box, whatever holes lie between them") {
    std::vector<std::pair<std::uint32_t, double>> held;
    for (std::uint32_t processor = 0; processor < 2000; ++processor) {
        held.emplace_back(processor, 0);
        held.emplace_back(processor, 2);
    }
    const std::vector<Box> boxes = grid_of(held, 4000);  // the lower half
    REQUIRE(boxes.size() == 2);
    for (std::size_t i = 0; i < 2; ++i) {
        CHECK(boxes[i].x == doctest::Approx(200 * static_cast<double>(i)));
        CHECK(boxes[i].width == doctest::Approx(100));
        CHECK(boxes[i].y == doctest::Approx(200));
        CHECK(boxes[i].height == doctest::Approx(200));
    }
}

TEST_CASE("a cell of a grid is white where less than a quarter of its processors are held") {
    // Rows of 100 processors, of which the last ten are held, or the last thirty.
    for (const std::uint32_t share : {10U, 30U}) {
        std::vector<std::pair<std::uint32_t, double>> held;
        for (std::uint32_t processor = 0; processor < 40000; ++processor) {
            if (processor % 100 >= 100 - share) {
                held.emplace_back(processor, 1);
            }
        }
        CHECK(grid_of(held, 40000).size() == (share == 30 ? 1 : 0));
    }
}

TEST_CASE("a grid that would make too large a file has larger cells") {
    // 400 columns of a pixel, every second one of each row, shifted from row to row.
    std::vector<std::pair<std::uint32_t, double>> held;
    for (std::uint32_t row = 0; row < 400; ++row) {
        for (std::uint32_t column = row % 2; column < 400; column += 2) {
            held.emplace_back(row, column);
        }
    }
    CHECK(grid_of(held, 400, 400).size() == 1);  // cells of 2 × 2 are half held, every one
}

TEST_CASE("a wait is drawn once, from its submission where the window shows it") {
    // Job 1 waits from 0 to 20 and runs in two segments; job 2 is narrow: 0.1 s on 10 pixels per s.
    const JobSchedule schedule = schedule_of_table(
        "job,submit,start,finish,processors\n1,0,20,30,2\n1,0,35,40,2\n2,40,40,40.1,2\n",
        "t",
        std::nullopt
    );
    for (const bool is_submit_shown : {true, false}) {
        const Drawing drawing = panel_of(schedule, {is_submit_shown ? 0.0 : 10.0, 46});
        const auto boxes = [&drawing](double height) {
            return std::count_if(
                drawing.boxes.begin(),
                drawing.boxes.end(),
                [height](const Box& box) { return box.height == height; }
            );
        };
        CHECK(boxes(1) == 1);
        CHECK(boxes(7) == (is_submit_shown ? 1 : 0));
        REQUIRE(drawing.labels.size() == 2);  // there is no room for that of job 2
        CHECK(drawing.labels[0].text == "1");
        CHECK(drawing.labels[1].text == "1");
    }
}

TEST_CASE("loading is paler than running") {
    const JobSchedule schedule = schedule_of_table(
        "job,submit,start,finish,processors,ranges,kind\n8,0,0,2,1,0,loading\n8,0,2,4,1,0,"
        "running\n",
        "t",
        std::nullopt
    );
    const JobColours colours = job_colours(schedule, JobColouring::job);
    CHECK(colours.palette[colours.of(schedule.segments[1])] == Colour{0x77, 0xaa, 0xdd});
    CHECK(colours.palette[colours.of(schedule.segments[0])] == Colour{0xd1, 0xe2, 0xf3});
}

TEST_CASE("colours of sizes and waits are classes") {
    const JobSchedule schedule = schedule_of_table(six_jobs_table, "six", std::nullopt);
    const JobColours sizes = job_colours(schedule, JobColouring::size);
    // Sizes 4 2 6 2 2 1 of at most 6: classes 1, 2-3, 4-6; jobs in the order of their lines.
    CHECK(sizes.meaning == std::vector<std::string>{"1 processor", "2-3", "4-6"});
    CHECK(sizes.of_job == std::vector<std::uint8_t>{2, 1, 2, 1, 1, 0});
    // Waits 0 0 10 0 14 13 s.
    const JobColours waits = job_colours(schedule, JobColouring::wait);
    CHECK(waits.of_job == std::vector<std::uint8_t>{0, 0, 1, 0, 1, 1});
}

TEST_CASE("axes have a few ticks and a unit that suits them") {
    CHECK(tick_step(46) == 10);
    CHECK(tick_step(1) == 0.2);
    CHECK(tick_step(35) == 5);
    CHECK(ticks(3, 46, 10) == std::vector<double>{10, 20, 30, 40});
    CHECK(ticks(1e15, 1e15 + 1e-3, 1e-4).size() <= 11);
    CHECK(std::string(time_axis(7200, TimeUnit::seconds).unit) == "s");
    CHECK(time_axis(8 * 3600, TimeUnit::seconds).step_s == 3600);
    CHECK(time_axis(3 * 86400, TimeUnit::seconds).step_s == 12 * 3600);
    CHECK(std::string(time_axis(30 * 86400, TimeUnit::seconds).unit) == "d");
    CHECK(tick_text(-0.0) == "0");
}

TEST_CASE("times that are no seconds are told in the workload's own unit") {
    CHECK(time_axis(1e6, TimeUnit::of_workload).step_s == 1e5);
    JobSchedule schedule = schedule_of_table(six_jobs_table, "six", std::nullopt);
    CHECK(contains(job_gantt_text(schedule, {}), " 46 s\n"));
    schedule.time_unit = TimeUnit::of_workload;
    const std::string text = job_gantt_text(schedule, {});
    CHECK(contains(text, "          0 time units "));
    CHECK(contains(text, " 46 time units\n"));
    GanttView view;
    view.colouring = JobColouring::wait;
    const std::string picture = svg_text(job_gantt(schedule, view));
    CHECK(contains(picture, ">time (time units of the workload)<"));
    CHECK(contains(picture, "runs 16 time units to 46 time units<"));
    CHECK(!contains(picture, "min"));
    CHECK(!contains(picture, " s<"));
    // Waits 0 0 10 0 14 13.
    const JobColours waits = job_colours(schedule, JobColouring::wait);
    CHECK(waits.of_job == std::vector<std::uint8_t>{0, 0, 3, 0, 4, 4});
}

TEST_CASE("the text has a row per processor and fits 80 columns") {
    const JobSchedule schedule = schedule_of_table(six_jobs_table, "six", std::nullopt);
    const std::string text = job_gantt_text(schedule, {});
    CHECK(contains(text, "six: 6 jobs on 8 processors\n"));
    // 40 + 40 + 18 + 30 + 60 + 4 = 192 of 8 · 46 = 368 processor seconds.
    CHECK(contains(text, " 52.2 %\n"));
    CHECK(contains(text, "max 3\n"));  // jobs 3, 5 and 6 from 3 to 11
    std::size_t width = 0;
    for (const char character : text) {
        const bool is_continued = (static_cast<unsigned char>(character) & 0xC0U) == 0x80U;
        width = character == '\n' ? 0 : width + (is_continued ? 0U : 1U);
        REQUIRE(width <= 80);
    }
}

TEST_CASE("a schedule that takes no time has a drawing") {
    const JobSchedule schedule = schedule_of_table(
        "job,submit,start,finish,processors\n1,5,5,5,1\n", "instant", std::nullopt
    );
    CHECK(contains(svg_text(job_gantt(schedule, {})), "instant: 0 of 1 job on 1 processor<"));
    CHECK(png_bytes(job_gantt(schedule, {})).substr(1, 3) == "PNG");
}

TEST_CASE("trees are marked where they meet, the largest first") {
    // 6 = 4 + 2 processors: A on 0–3, B on 4–5. The panel of the jobs is 800 − 62 − (40 + 2 · (800
    // / 14 + 14)) = 555.714 high and ends at 738: the trees meet at 738 − 555.714 · 4 / 6 =
    // 367.524, their middles are 552.762 and 274.905, and a label hangs 4 below.
    const JobSchedule schedule =
        schedule_of_table("job,submit,start,finish,processors\n1,0,0,10,4\n", "one", 6);
    const auto labels_of = [&](GanttMarks marks) {
        GanttView view;
        view.marks = marks;
        std::vector<Label> labels;
        for (const Label& label : job_gantt(schedule, view).labels) {
            if (label.text == "A" || label.text == "B" || label.text == "C") {
                labels.push_back(label);
            }
        }
        return labels;
    };
    CHECK(labels_of(GanttMarks::none).empty());
    const std::vector<Label> labels = labels_of(GanttMarks::trees);
    REQUIRE(labels.size() == 2);
    CHECK(labels[0].text == "A");
    CHECK(labels[0].y == doctest::Approx(556.762).epsilon(1e-5));
    CHECK(labels[1].y == doctest::Approx(278.905).epsilon(1e-5));
    GanttView view;
    view.marks = GanttMarks::trees;
    const Drawing drawing = job_gantt(schedule, view);
    CHECK(std::any_of(drawing.boxes.begin(), drawing.boxes.end(), [](const Box& box) {
        return std::abs(box.y - 367.524) < 0.01 && box.width > 1000 && box.height == 1;
    }));
}
