// Files that are no logs are named as what they are.
#include "models/trace/reading/foreign_text.hpp"

#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "tests/models/trace/log_texts.hpp"

namespace schedfarm::models::trace {

using namespace tests;  // NOLINT(google-build-using-namespace)
using namespace std::string_literals;

namespace {

struct Example {
    std::string text;
    const char* name;  ///< a part of the message
};

/// Two bytes for every character.
std::string utf16(const std::string& text, bool is_big) {
    std::string bytes;
    for (const char c : text) {
        bytes += is_big ? '\0' : c;
        bytes += is_big ? c : '\0';
    }
    return bytes;
}

}  // namespace

TEST_CASE("what is no log is named as what it is with a reason and a way out") {
    const std::string job = line_of(1);
    const std::string with_returns = "1 0 -1 10 1 -1 -1 1 10 -1 1 1 1 1 1 1 -1 -1\r";
    const std::vector<Example> examples{
        {"\xFD\x37zXZ\0\0\x04"s, "xz"},
        {"BZh91AY&SY\x01\x02", "bzip2"},
        {"\x28\xB5\x2F\xFD\x04", "zstd"},
        {"PK\x03\x04\x14\0\0\0"s, "a zip archive"},
        {"7z\xBC\xAF\x27\x1C", "7z"},
        {"\x1F\x8B\x08\0"s, "twice by gzip"},
        {"\x1F\x9D\x90", "by compress"},
        {"\x89HDF\r\n\x1A\n\0\0"s, "an HDF5 file"},
        {"PAR1\x15\x04", "Parquet"},
        {"SQLite format 3\0"s, "SQLite"},
        {"%PDF-1.4\n", "a PDF"},
        {"log.swf" + std::string(250, '\0') + "ustar\0"s + "00; Version: 2.2\n" + job,
         "a tar archive"},
        {utf16("; MaxProcs: 8\n" + job, false), "UTF-16"},
        {utf16("; MaxProcs: 8\n" + job, true), "UTF-16"},
        {"\xFF\xFE\0\0;\0\0\0"s, "UTF-32"},
        {"{\"nb_res\": 4, \"machines\": []}\n", "JSON"},
        {"[\n  {\"id\": 1}\n]\n", "JSON"},
        {"{\"jobs\": [" + std::string(200000, '1'), "JSON"},
        {"<!DOCTYPE html>\n<html>\n", "a page of the web"},
        {"\n\n  <HTML><head>\n", "a page of the web"},
        {"<?xml version=\"1.0\"?>\n", "XML"},
        {"1|u1|2024-03-01T08:00:00|Unknown\n", "`sacct -P`"},
        {"JobID           JobName  Partition\n------------ ---------- ----------\n",
         "sacct or squeue"},
        {"             JOBID PARTITION     NAME     USER ST\n", "sacct or squeue"},
        {"job_id,submit,run,processors\n1,0,10,1\n", "CSV"},
        {"1, 0, -1, 10, 1, -1, -1, 1, 10, -1, 1, 1, 1, 1, 1, 1, -1, -1\n", "CSV"},
        {"\"id\",\"submit\",\"my run\"\n", "CSV"},
        {"job;submit;run\n1;0;10\n", "semicolons"},
        {"1767600000 job 17 JOBEND 3 16 ann users\n", "Moab"},
        {"job\tsubmit\trun\n1\t0\t10\n", "tabs"},
        {"# JobID SubmitTime WaitTime\n1 0 5\n", "begin with '#'"},
        {"campaign_format: 1\nname: x\n", "YAML"},
        {"---\njobs:\n", "YAML"},
        {"job_number submit_time wait_time run_time a b c d e f g h i j k l m n\n",
         "begins with words"},
        {"Hello there\n", "begins with words"},
        {"1 2 \x01\x02 3\n", "no text"},
        {"\x01\x02" + std::string(200000, 'x'), "no text"},
        {with_returns + with_returns, "carriage returns alone"},
        {with_returns + with_returns + with_returns.substr(0, with_returns.size() - 1),
         "carriage returns alone"},
        {"; MaxProcs: 8\r" + with_returns + with_returns, "carriage returns alone"},
        {"; MaxProcs: 8\n" + with_returns + with_returns + "\n", "carriage returns alone"}};
    for (const auto& [text, name] : examples) {
        const bool is_whole = std::string(name) == "YAML" || text.find('\n') == std::string::npos;
        for (const std::string& before : {""s, header + "; a remark\n\n"}) {
            const bool is_text = foreign_beginning(text).empty();
            if (!before.empty() && (!is_text || is_whole)) {
                continue;  // the file begins so, or not at all
            }
            const std::string error = error_of(before + text);
            CAPTURE(text.substr(0, 40));
            CAPTURE(error);
            CHECK(error.starts_with("a.swf:"));
            CHECK(error.find(name) != std::string::npos);
            CHECK(error.find(" (") != std::string::npos);
            CHECK(error.ends_with("."));
            CHECK(error.find('\n') == std::string::npos);
        }
    }
}

TEST_CASE("logs that look a little like another format are logs") {
    for (const std::string& text :
         {header + "1\t0\t-1\t10\t1\t-1\t-1\t1\t10\t-1\t1\t1\t1\t1\t1\t1\t-1\t-1\r\n",
          header + line_of(1, 17, "-1 7 8 frontier:excl:2500x112"),
          "; MaxProcs: 8\r; MaxNodes: 4\r\n" + line_of(1),
          "; [1, 2] {3} <html>\n" + line_of(1)}) {
        CAPTURE(text);
        CHECK(log_of(text).jobs() == 1);
    }
    // A number that is wrong is told as such where the rest of the line is a job.
    CHECK(error_of(header + line_of(1, 5, "1x")).starts_with("a.swf:2: the CPU time is '1x'"));
    CHECK(error_of(header + "1 2 3\n").starts_with("a.swf:2: 3 fields (a job has 18)"));
    CHECK(error_of(header + line_of(1) + "{\n").starts_with("a.swf:3: 1 fields"));
}

}  // namespace schedfarm::models::trace
