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
    CHECK(by_queue.queue == std::vector<std::uint32_t>{7, 0, 0});
    CHECK(
        columns(ClassRule::groups).class_names
        == std::vector<std::string>{"group -2", "group not known"}
    );
}

}  // namespace schedfarm::models::trace
