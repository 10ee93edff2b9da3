// A log in memory: header, the 18 columns in the order of the file, and what is odd in it. A column
// that the reader was not asked for is as if every value were −1.
// Immutable after reading; may be shared between replications.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "models/trace/reading/column.hpp"
#include "models/trace/reading/field.hpp"
#include "models/trace/reading/header.hpp"
#include "models/trace/summary/oddity.hpp"

namespace schedfarm::models::trace {

struct Log {
    using Integers = Column<std::int32_t>;
    using Names = Column<std::int64_t>;
    using Reals = Column<double>;

    std::string name;  ///< as the messages call it: the path
    Header header;

    Names job_number;
    Reals submit_time;
    Reals wait_time;
    Reals run_time;
    Integers allocated_processors;
    Reals cpu_time;
    Reals used_memory;
    Integers requested_processors;
    Reals requested_time;
    Reals requested_memory;
    Integers status;
    Names user;
    Names group;
    Names executable;
    Names queue;
    Names partition;
    Names preceding_job;
    Reals think_time;

    std::vector<Oddity> oddities;
    std::string sha256;  ///< of the uncompressed file; empty unless asked for

    std::size_t jobs() const { return job_number.size(); }
};

/// Calls visit(field, column) for every column, in the order of the line.
template <typename AnyLog, typename Visit>
void for_each_column(AnyLog& log, Visit&& visit) {
    visit(Field::job_number, log.job_number);
    visit(Field::submit_time, log.submit_time);
    visit(Field::wait_time, log.wait_time);
    visit(Field::run_time, log.run_time);
    visit(Field::allocated_processors, log.allocated_processors);
    visit(Field::cpu_time, log.cpu_time);
    visit(Field::used_memory, log.used_memory);
    visit(Field::requested_processors, log.requested_processors);
    visit(Field::requested_time, log.requested_time);
    visit(Field::requested_memory, log.requested_memory);
    visit(Field::status, log.status);
    visit(Field::user, log.user);
    visit(Field::group, log.group);
    visit(Field::executable, log.executable);
    visit(Field::queue, log.queue);
    visit(Field::partition, log.partition);
    visit(Field::preceding_job, log.preceding_job);
    visit(Field::think_time, log.think_time);
}

}  // namespace schedfarm::models::trace
