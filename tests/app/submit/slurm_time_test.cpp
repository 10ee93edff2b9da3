#include "app/submit/slurm_time.hpp"

#include <doctest/doctest.h>

using schedfarm::app::parse_slurm_time;
using schedfarm::app::slurm_time_text;

TEST_CASE("every form of time that sbatch takes is read") {
    CHECK(parse_slurm_time("90") == 5400);
    CHECK(parse_slurm_time("90:30") == 5430);
    CHECK(parse_slurm_time("2:30:05") == 9005);
    CHECK(parse_slurm_time("1-2") == 93600);
    CHECK(parse_slurm_time("1-2:30") == 95400);
    CHECK(parse_slurm_time("1-02:30:05") == 95405);
    CHECK(parse_slurm_time("100:59:59") == 363599);
}

TEST_CASE("what is no time is not taken for one") {
    for (const char* text : {"",          "0",          "0:00",
                             "-",         "1-",         "-5",
                             "x",         "1:x",        "1:2:3:4",
                             "1-2:3:4:5", "1.5",        "2h",
                             ":",         "1-24",       "1-99:99",
                             "1-23:60",   "1-23:59:60", "2:60:00",
                             "2:59:60",   "90:60",      "99999999999999999999"}) {
        CAPTURE(text);
        CHECK_FALSE(parse_slurm_time(text).has_value());
    }
}

TEST_CASE("a time that is written is read back") {
    CHECK(slurm_time_text(5430) == "01:30:30");
    CHECK(slurm_time_text(95405) == "1-02:30:05");
    for (const std::uint64_t seconds : {1U, 59U, 60U, 3599U, 86399U, 86400U, 1000000U}) {
        CHECK(parse_slurm_time(slurm_time_text(seconds)) == seconds);
    }
}
