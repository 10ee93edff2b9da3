// Four logs of the Parallel Workloads Archive, whole. Expected numbers were counted with awk.
#include <map>

#include <doctest/doctest.h>
#include <zlib.h>

#include "tests/models/trace/plain_reader.hpp"
#include "tests/models/trace/real_log.hpp"

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

}  // namespace schedfarm::models::trace
