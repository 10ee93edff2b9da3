// Four logs of the Parallel Workloads Archive, whole. Expected numbers were counted with awk.
#include <cmath>
#include <map>

#include <doctest/doctest.h>
#include <zlib.h>

#include "models/trace/reading/clock.hpp"
#include "models/trace/selection.hpp"

#include "tests/models/trace/plain_reader.hpp"
#include "tests/models/trace/real_log.hpp"
#include "tests/models/trace/whole_resampling.hpp"

namespace schedfarm::models::trace {

namespace {

struct RealLog {
    const char* file;
    const char* sha256;  ///< of the uncompressed file
    std::size_t jobs;
    std::uint32_t processors;
    std::map<OddityKind, std::uint64_t> oddities;
};

std::string inflated(const std::filesystem::path& path) {
    std::string text;
    gzFile file = gzopen(path.c_str(), "rb");
    char part[65536];
    for (int count = 0; (count = gzread(file, part, sizeof part)) > 0;) {
        text.append(part, static_cast<std::size_t>(count));
    }
    gzclose(file);
    return text;
}

void check(const RealLog& expected) {
    const Log log = tests::real_log(expected.file);
    CHECK(log.sha256 == expected.sha256);
    CHECK(log.jobs() == expected.jobs);
    CHECK(log.header.processors() == expected.processors);
    std::map<OddityKind, std::uint64_t> counts;
    for (const Oddity& oddity : log.oddities) {
        counts[oddity.kind] = oddity.count;
    }
    CHECK(counts == expected.oddities);
    CHECK(
        tests::difference(log, tests::plain_log(inflated(tests::real_log_file(expected.file))))
        == ""
    );
}

}  // namespace

TEST_CASE("CTC is read as by the plain reading") {
    check(
        {"CTC-SP2-1996-3.1-cln.swf.gz",
         "8e33a9b597e1ddda2d2164347bac08c9444e1a2620a7947df52f0a1622ec4cde",
         77222,
         338,
         {{OddityKind::zero_run_time, 17},
          {OddityKind::missing_requested_time, 6},
          {OddityKind::run_above_request, 7174}}}
    );
}

TEST_CASE("KTH is read as by the plain reading") {
    check(
        {"KTH-SP2-1996-2.1-cln.swf.gz",
         "fba36494c4e4257f72182e8b629ebb0bcb054b3b82851ef957445bd627adcc87",
         28476,
         100,
         {{OddityKind::zero_run_time, 8},
          {OddityKind::missing_processors, 1},
          {OddityKind::run_above_request, 475}}}
    );
}

TEST_CASE("LANL is read as by the plain reading") {
    check(
        {"LANL-CM5-1994-4.1-cln.swf.gz",
         "4766a62dabcc7403ec0a55534aff297203e692ddbf6637bd40100a3800f6354a",
         122060,
         1024,
         {{OddityKind::zero_run_time, 2},
          {OddityKind::missing_processors, 3},
          {OddityKind::missing_requested_time, 11290},
          {OddityKind::run_above_request, 40180}}}
    );
}

TEST_CASE("SDSC BLUE is read as by the plain reading") {
    check(
        {"SDSC-BLUE-2000-4.2-cln.swf.gz",
         "13892839f430583231a14bb811fd50a31b5b529eb37faacdbbefb71e73390e3e",
         243306,
         1152,
         {{OddityKind::missing_run_time, 10744},
          {OddityKind::zero_run_time, 26},
          {OddityKind::run_above_request, 23434}}}
    );
}

TEST_CASE("the usual normalisation keeps the known numbers of jobs") {
    CHECK(select(tests::real_log("KTH-SP2-1996-2.1-cln.swf.gz")).jobs.size() == 28467);
    CHECK(select(tests::real_log("CTC-SP2-1996-3.1-cln.swf.gz")).jobs.size() == 77199);
    CHECK(select(tests::real_log("SDSC-BLUE-2000-4.2-cln.swf.gz")).jobs.size() == 232536);
}

TEST_CASE("months of the logs begin where their calendars say") {
    const Log kth = tests::real_log("KTH-SP2-1996-2.1-cln.swf.gz");
    const LogClock cet = clock_of(kth.header).value().without_summer_time();
    const auto jobs = [&](const char* from, const char* before) {
        const Selection month{
            .submit_from = log_time(cet, from).value(),
            .submit_before = log_time(cet, before).value()};
        return select(kth, month, {.missing_request = RequestRule::run_time}).jobs.size();
    };
    CHECK(jobs("1996-10-01", "1996-11-01") == 2404);
    CHECK(jobs("1996-11-01", "1996-12-01") == 1983);
    const LogClock eastern =
        clock_of(tests::real_log("CTC-SP2-1996-3.1-cln.swf.gz").header).value();
    LogClock edt = eastern.without_summer_time();
    edt.utc_offset_s = -4 * 3600;
    for (const LogClock& clock : {edt, eastern.rules == nullptr ? edt : eastern}) {
        CHECK(log_time(clock, "1996-08-01") == 3048840);
        CHECK(log_time(clock, "1996-09-01") == 5727240);
    }
}

TEST_CASE("resampled logs keep the load and every job its hour of the week") {
    const JobList log = select(tests::real_log("KTH-SP2-1996-2.1-cln.swf.gz")).jobs;
    const double duration = log.submit.back() - log.submit.front();
    const std::uint32_t weeks = weeks_spanned(log);
    CHECK(weeks == 48);  // 30 September 1996 to 29 August 1997
    std::map<std::uint32_t, double> submit_of;
    for (std::size_t i = 0; i < log.size(); ++i) {
        submit_of[log.row[i]] = log.submit[i];
    }
    double sum = 0;
    constexpr int count = 40;
    double squares = 0;
    for (std::uint32_t replication = 0; replication < count; ++replication) {
        const JobList result =
            tests::resample_users(log, weeks, {7, engine::Purpose::resampling, replication});
        std::size_t moved_otherwise = 0;
        for (std::size_t i = 0; i < result.size(); ++i) {
            const double shift = result.submit[i] - submit_of.at(result.row[i]);
            moved_otherwise += std::fmod(shift, week_s) == 0 ? 0U : 1U;
        }
        CHECK(moved_otherwise == 0);
        const double load = area(result) / (weeks * week_s);
        sum += load;
        squares += load * load;
    }
    const double mean = sum / count;
    const double error = std::sqrt((squares / count - mean * mean) / (count - 1));
    const double expected = area(log) / duration;
    MESSAGE("processors in use: log ", expected, ", resampled ", mean, " ± ", error);
    // The number of draws is rounded: half a user of 212.
    CHECK(std::abs(mean - expected) < 4 * error + expected * 0.5 / 212);
}

}  // namespace schedfarm::models::trace
