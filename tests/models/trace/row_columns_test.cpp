// What rows of a log say beside their jobs, by hand.
#include "models/trace/row_columns.hpp"

#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "models/trace/selection.hpp"

#include "tests/models/trace/log_texts.hpp"

namespace schedfarm::models::trace {

TEST_CASE("of the numbers of queues and groups -1 alone is not known") {
    // Queues 7, none and -5; groups -2, none and none.
    const Log log = tests::log_of(
        tests::header
        + "1 10 0 50 4 -1 -1 4 60 -1 1 3 -2 -1  7 -1 -1 -1\n"
          "2 20 0 50 1 -1 -1 1 60 -1 1 4 -1 -1 -1 -1 -1 -1\n"
          "3 30 0 50 8 -1 -1 8 60 -1 1 4 -1 -1 -5 -1 -1 -1\n"
    );
    const JobList jobs = select(log, {}, {}).jobs;
    const auto columns = [&](ClassRule classes) {
        return row_columns(log, jobs, MemoryRule::requested, classes);
    };
    const RowColumns by_queue = columns(ClassRule::queues);
    CHECK(
        by_queue.class_names == std::vector<std::string>{"queue -5", "queue not known", "queue 7"}
    );
    CHECK(by_queue.job_class == std::vector<std::uint32_t>{2, 1, 0});
    CHECK(by_queue.job_number.values() == std::vector<std::int64_t>{1, 2, 3});
    CHECK(by_queue.queue == std::vector<std::uint32_t>{7, 0, 0});
    CHECK(
        columns(ClassRule::groups).class_names
        == std::vector<std::string>{"group -2", "group not known"}
    );
}

TEST_CASE("classes by partition, size and length are those that have jobs") {
    // Sizes 1, 1, 2, 4, of which the second is the median and the last the 95th percentile.
    const Log log = tests::log_of(
        tests::header
        + "1 10 0 3599 1 -1 -1 1 9999 -1 1 3 -2 -1 7 3 -1 -1\n"
          "2 20 0 3600 1 -1 -1 1 9999 -1 1 4 -1 -1 7 3 -1 -1\n"
          "3 30 0 3600 2 -1 -1 2 9999 -1 1 4 -1 -1 7 3 -1 -1\n"
          "4 40 0   50 4 -1 -1 4 9999 -1 1 4 -1 -1 7 1 -1 -1\n"
    );
    const JobList jobs = select(log, {}, {}).jobs;
    const RowColumns columns =
        row_columns(log, jobs, MemoryRule::requested, ClassRule::partitions_sizes_lengths);
    CHECK(
        columns.class_names
        == std::vector<std::string>{
            "partition 1, 2-4 processors, < 1 h",
            "partition 3, 1 processor, < 1 h",
            "partition 3, 1 processor, >= 1 h",
            "partition 3, 2-4 processors, >= 1 h"}
    );
    CHECK(columns.job_classes == 4);
    CHECK(columns.job_class == std::vector<std::uint32_t>{1, 2, 3, 0});
}

TEST_CASE("queues and groups are called what the header calls them") {
    const std::string names =
        "; Queue:  7  night (10 to 12 processors)\n"
        "; Queue: 70 other\n"
        "; Queue: 8\n"
        "; Queue: 9 \x1b[31mred\n"
        "; queue: 10 first\n"
        "; QUEUE: 10 second name\n"
        "; Queue: 11x none\n"
        "; Queues: 12 none\n"
        "; Group: 2 physics\n";
    std::string lines;
    for (const char* queue : {"7", "8", "9", "10", "11", "12"}) {
        lines += std::string("1 10 0 50 4 -1 -1 4 60 -1 1 3 2 -1 ") + queue + " -1 -1 -1\n";
    }
    const Log log = tests::log_of(tests::header + names + lines);
    const JobList jobs = select(log, {}, {}).jobs;
    const auto names_by = [&](ClassRule classes) {
        return row_columns(log, jobs, MemoryRule::requested, classes).class_names;
    };
    CHECK(
        names_by(ClassRule::queues)
        == std::vector<std::string>{
            "queue 7 (night)",
            "queue 8",
            "queue 9 (?[31mred)",
            "queue 10 (second name)",
            "queue 11",
            "queue 12"}
    );
    CHECK(names_by(ClassRule::groups) == std::vector<std::string>{"group 2 (physics)"});
}

}  // namespace schedfarm::models::trace
