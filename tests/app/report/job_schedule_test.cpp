// Segments on processors: held against plain arrays of processors.
#include "app/report/schedule/job_schedule.hpp"

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "engine/foundation/hash.hpp"

using namespace schedfarm::app;  // NOLINT(google-build-using-namespace)

namespace {

/// `count` jobs with small integer times, some of length 0.
JobSchedule random_schedule(std::uint64_t seed, std::uint32_t count) {
    JobSchedule schedule;
    for (std::uint32_t i = 0; i < count; ++i) {
        const std::uint64_t word = schedfarm::engine::mix(1000 * seed + i + 1);
        ScheduledJob job;
        job.number = i;
        job.submit_s = static_cast<double>(word % 50);
        JobSegment segment;
        segment.job = i;
        segment.begin_s = job.submit_s + static_cast<double>((word >> 8) % 20);
        segment.end_s = segment.begin_s + static_cast<double>((word >> 16) % 12);
        segment.processors = static_cast<std::uint32_t>(1 + (word >> 24) % 9);
        schedule.jobs.push_back(job);
        schedule.segments.push_back(segment);
    }
    complete(schedule);
    schedule.processors = static_cast<std::uint32_t>(most_held(schedule));
    return schedule;
}

/// A processor in a unit of time.
using Cell = std::pair<int, std::uint32_t>;

std::vector<Cell> cells_of(const JobSegment& segment) {
    std::vector<Cell> cells;
    const int end = static_cast<int>(segment.end_s);
    for (int now = static_cast<int>(segment.begin_s); now < end; ++now) {
        for (const auto& range : segment.ranges) {
            for (std::uint32_t i = 0; i < range.count; ++i) {
                cells.emplace_back(now, range.first.value + i);
            }
        }
    }
    return cells;
}

/// Whether two segments have a cell in common. All times are integers.
bool overlaps(const JobSchedule& schedule) {
    std::set<Cell> taken;
    for (const JobSegment& segment : schedule.segments) {
        for (const Cell& cell : cells_of(segment)) {
            if (!taken.insert(cell).second) {
                return true;
            }
        }
    }
    return false;
}

}  // namespace

TEST_CASE("named processors never overlap and lie on the machine") {
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
        JobSchedule schedule = random_schedule(seed, 60);
        name_processors(schedule);
        CHECK_FALSE(overlaps(schedule));
        CHECK_FALSE(find_overlap(schedule));
        for (const JobSegment& segment : schedule.segments) {
            std::uint32_t count = 0;
            for (const auto& range : segment.ranges) {
                count += range.count;
                REQUIRE(range.first.value + range.count <= schedule.processors);
            }
            REQUIRE(count == segment.processors);
        }
    }
}

TEST_CASE("an overlap is found wherever a plain search finds one") {
    int found = 0;
    for (std::uint64_t seed = 1; seed <= 200; ++seed) {
        JobSchedule schedule = random_schedule(seed, 12);
        name_processors(schedule);
        // One segment is moved by a processor.
        auto& moved = schedule.segments[seed % schedule.segments.size()];
        moved.ranges.back().first.value += 1;
        const bool is_wrong = overlaps(schedule);
        CHECK(find_overlap(schedule).has_value() == is_wrong);
        found += is_wrong ? 1 : 0;
    }
    CHECK(found > 20);
    CHECK(found < 180);
}

TEST_CASE(
    "a job of several segments has the most processors of any and the machine no more than are "
    "there"
) {
    JobSchedule schedule;
    schedule.jobs.resize(1);
    for (const std::uint32_t processors : {1U, 3U, 2U}) {
        JobSegment& segment = schedule.segments.emplace_back();
        segment.job = 0;
        segment.begin_s = static_cast<double>(schedule.segments.size());
        segment.end_s = segment.begin_s + 1;
        segment.processors = processors;
    }
    complete(schedule);
    CHECK(schedule.jobs[0].processors == 3);
    CHECK(schedule.jobs[0].start_s == 1);
    CHECK(schedule.jobs[0].finish_s == 4);
    schedule.processors = 3;
    for (const std::uint32_t machine : {0U, 2U, 3U, 4U}) {
        schedule.machine = machine;
        CHECK(on_machine(schedule).processors == (machine == 2 ? 2 : 3));
    }
}

TEST_CASE("ranges are written and read as Batsim does") {
    const auto ranges = read_ranges("0-3 7 9-10");
    REQUIRE(ranges);
    CHECK(ranges->size() == 3);
    CHECK(ranges_text(*ranges) == "0-3 7 9-10");
    CHECK(read_ranges("")->empty());
    for (const char* wrong :
         {"a", "-1", "3-", "3-1", "1 1", "2 1", "1  2", "0-5 5", "99999999999"}) {
        CHECK_FALSE(read_ranges(wrong));
    }
    CHECK(read_ranges(std::to_string(most_processors - 1)));
    CHECK_FALSE(read_ranges(std::to_string(most_processors)));
}
