// What single cells of tables say, in all the forms that sacct and public logs have.
#include "models/trace/tables/cells.hpp"

#include <string>

#include <doctest/doctest.h>

namespace schedfarm::models::trace {

TEST_CASE("cells that say nothing say nothing") {
    for (const char* cell :
         {"", "Unknown", "None", "None assigned", "N/A", "INVALID", "null", "NaN"}) {
        CAPTURE(cell);
        CHECK(says_nothing(cell));
        CHECK(count_of(cell) == not_said);
        CHECK(duration_of(cell, 60) == not_said);
        CHECK(time_of(cell, 1)->seconds == not_said);
        CHECK(memory_of(cell, 1)->kb == not_said);
        CHECK(state_of(cell) == JobState::unknown);
    }
    for (const char* cell : {"0", "n1", "user1", "normal", "Nobody", "intel"}) {
        CHECK_FALSE(says_nothing(cell));
    }
}

TEST_CASE("counts and durations have many forms") {
    CHECK(count_of("16") == 16);
    CHECK(count_of("2.0") == 2);
    CHECK(count_of("1K") == 1024);
    CHECK(count_of("1.5M") == 1572864);
    for (const char* wrong : {"x", "1x", "-2", "1KK", "1 2", "0x1"}) {
        CAPTURE(wrong);
        CHECK_FALSE(count_of(wrong).has_value());
    }
    CHECK(duration_of("90", 60) == 5400);
    CHECK(duration_of("1.5", 60) == 90);
    CHECK(duration_of("00:02:00", 60) == 120);
    CHECK(duration_of("1-00:00:01", 1) == 86401);
    CHECK(duration_of("02:30", 1) == 150);
    CHECK(duration_of("02:30.500", 1) == 150.5);
    for (const char* wrong : {"x", "1:", ":1", "1-2", "1:2:3:4", "-1:2"}) {
        CAPTURE(wrong);
        CHECK_FALSE(duration_of(wrong, 1).has_value());
    }
    for (const char* none : {"UNLIMITED", "unlimited", "INFINITE", "4294967295", "4294967295.0"}) {
        CHECK(limit_word(none) == LimitWord::unlimited);
    }
    for (const char* of_partition : {"Partition_Limit", "partition_limit", "4294967294"}) {
        CHECK(limit_word(of_partition) == LimitWord::partition);
    }
    for (const char* other : {"60", "4294967293", "0", "-1", "4-00:00:00", ""}) {
        CHECK(limit_word(other) == LimitWord::none);
    }
}

TEST_CASE("numbers of Slurm's database that say nothing say nothing whatever the quantity") {
    for (const char* cell :
         {"-1",
          "-1.0",
          "4294967294",
          "4294967295",
          "4294967295.0",
          "18446744073709551614",
          "18446744073709551615"}) {
        CAPTURE(cell);
        CHECK(count_of(cell) == not_said);
        CHECK(duration_of(cell, 60) == not_said);
        CHECK(time_of(cell, 1)->seconds == not_said);
        CHECK(memory_of(cell, 1024)->kb == not_said);
    }
    CHECK(count_of("4294967293") == 4294967293);
    CHECK(time_of("1969-12-31T17:00:00", 1)->seconds == not_said);
    CHECK(memory_of("0", 1024)->kb == 0);
}

TEST_CASE("memory is of a job, a node or a processor") {
    const auto is = [](const char* cell, double kb, Memory::Per per) {
        const auto memory = memory_of(cell, 1024);
        return memory && memory->kb == kb && memory->per == per;
    };
    CHECK(is("1500M", 1500 * 1024, Memory::Per::job));
    CHECK(is("4000Mc", 4000 * 1024, Memory::Per::processor));
    CHECK(is("16Gn", 16 * 1048576, Memory::Per::node));
    CHECK(is("1048576K", 1048576, Memory::Per::job));
    CHECK(is("1.50G", 1.5 * 1048576, Memory::Per::job));
    CHECK(is("2", 2048, Memory::Per::job));
    CHECK(is("9223372036854779808", 4000 * 1024, Memory::Per::processor));
    CHECK_FALSE(memory_of("12Q", 1).has_value());
    CHECK_FALSE(memory_of("M", 1).has_value());
}

TEST_CASE("lists are asked by key and a key is no beginning of another") {
    constexpr std::string_view list =
        "billing=8,cpu=4,gres/gpu:a100=2,gres/gpu=3,mem=4000M,node=2,1=40,1002=2";
    CHECK(value_in_list(list, "cpu") == "4");
    CHECK(value_in_list(list, "gres/gpu") == "3");
    CHECK(value_in_list(list, "mem") == "4000M");
    CHECK(value_in_list(list, "1") == "40");
    CHECK(value_in_list(list, "1002") == "2");
    CHECK(value_in_list(list, "pu").empty());
    CHECK(value_in_list("", "cpu").empty());
}

TEST_CASE("states are words, short words and numbers") {
    CHECK(state_of("COMPLETED") == JobState::completed);
    CHECK(state_of("CANCELLED by 1003") == JobState::cancelled);
    CHECK(state_of("CANCELLED") == JobState::cancelled);
    CHECK(state_of("CD") == JobState::completed);
    CHECK(!state_of("COMPLETED|CD"));  // two cells of another separator
    CHECK(state_of("completed") == JobState::completed);
    CHECK(state_of("3") == JobState::completed);
    CHECK(state_of("OUT_OF_MEMORY") == JobState::out_of_memory);
    CHECK(state_of("1027") == JobState::requeued);  // completed, to be run again
    CHECK(state_of("8193") == JobState::resizing);
    CHECK(state_of("32773") == JobState::failed);  // completing
    CHECK(state_of("COMPLETED_SUCCESSFULLY") == JobState::completed);
    CHECK(state_of("COMPLETED_WALLTIME_REACHED") == JobState::timeout);
    CHECK(state_of("COMPLETED_KILLED") == JobState::cancelled);
    CHECK(state_of("REJECTED") == JobState::cancelled);
    CHECK_FALSE(state_of("FINISHED").has_value());
    CHECK_FALSE(state_of("CANCELLED BY").has_value());
    CHECK(status_of(JobState::timeout) == Status::failed);
    CHECK(status_of(JobState::running) == Status::unknown);
}

TEST_CASE("a day that is known changes no time") {
    KnownDay day;
    for (const char* cell :
         {"2026-11-27T09:22:39",
          "2026-11-27T23:59:60",
          "2026-11-27T00:00:07",
          "2026-11-27 08:01:02",
          "2026-11-27T24:01:02",
          "2026-11-27T11:60:02",
          "2026-11-27T1x:20:02",
          "2026-11-27T11:20:02Z",
          "2026-11-27T11:20:02",
          "2026-11-28T11:20:02",
          "1969-12-31T19:00:00",
          "1969-12-31T19:00:01",
          "2026-02-30T09:22:39",
          "2026-02-30T09:22:40",
          "2026-11-28T11:20",
          "2026-11-28T23:20:59",
          "Unknown",
          "2026-11-28T23x20:59",
          "2026-11-28T21:20-0700",
          "1795771359"}) {
        CAPTURE(cell);
        const auto alone = time_of(cell, 1);
        const auto found = time_of(cell, 1, day);
        REQUIRE(found.has_value() == alone.has_value());
        CHECK(found.value_or(CellTime{}).seconds == alone.value_or(CellTime{}).seconds);
        CHECK(found.value_or(CellTime{}).is_local == alone.value_or(CellTime{}).is_local);
    }
}

TEST_CASE("times are of the Unix clock, local, or with an offset") {
    const auto is = [](const char* cell, double seconds, bool is_local) {
        const auto time = time_of(cell, 1);
        return time && time->seconds == seconds && time->is_local == is_local;
    };
    CHECK(is("1795771359", 1795771359, false));
    CHECK(is("657.5", 657.5, false));
    CHECK(is("2026-11-27T09:22:39", 1795771359, true));
    CHECK(is("2026-11-27 09:22:39", 1795771359, true));
    CHECK(is("2026-11-27T09:22", 1795771320, true));
    CHECK(is("2026-11-27T09:22:39Z", 1795771359, false));
    CHECK(is("2026-11-27T10:22:39+0100", 1795771359, false));
    CHECK(is("2026-11-27 10:22:39+01:00", 1795771359, false));
    CHECK(is("2026-11-27T02:22:39-07", 1795771359, false));
    CHECK(is("2026-11-27T15:07:39+05:45", 1795771359, false));
    CHECK(is("2026-11-27T05:52:39-0330", 1795771359, false));
    CHECK(is("2026-11-27T09:22:39.250 UTC", 1795771359.25, false));
    CHECK(time_of("1795771359000", 0.001)->seconds == 1795771359);
    for (const char* wrong :
         {"27.11.2026 09:22:39",
          "2026-02-30T09:22:39",
          "2026-11-27T25:22:39",
          "2026-11-27",
          "11/27/2026 09:22:39",
          "2026-11-27T09:22:39+1",
          "soon"}) {
        CAPTURE(wrong);
        CHECK_FALSE(time_of(wrong, 1).has_value());
    }
}

}  // namespace schedfarm::models::trace
