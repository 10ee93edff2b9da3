// A log in memory, whatever its format was: header, a column for each field in the order of the
// file, and what is odd in it. A column that the reader was not asked for is as if every value were
// −1. Names of users, groups (accounts), queues, partitions and QOS are numbers here; where the log
// has texts, these are numbered from 1 in the order in which they appear.
// Immutable after reading; may be shared between replications.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "models/trace/reading/column.hpp"
#include "models/trace/reading/field.hpp"
#include "models/trace/reading/header.hpp"
#include "models/trace/submit_options.hpp"
#include "models/trace/summary/oddity.hpp"

namespace schedfarm::models::trace {

/// A row that waits for the end of another.
struct RowDependency {
    std::uint32_t row = 0;
    std::uint32_t before = 0;
    bool decides = false;  ///< it was eligible with that end
    auto operator<=>(const RowDependency&) const = default;
};

struct Log {
    using Integers = Column<std::int32_t>;
    using Names = Column<std::int64_t>;
    using Reals = Column<double>;
    using Small = Column<std::int8_t>;

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

    Reals eligible_time;
    Integers allocated_nodes;
    Integers requested_nodes;
    Integers gpus;
    Names quality;
    Small state;
    Small started_by;
    Integers node_list;
    Integers array;
    Reals left_time;
    Small released;
    Integers options;

    std::map<Field, std::vector<std::string>> names;  ///< of the numbers 1, 2, …; of texts alone
    std::vector<std::string> node_lists;              ///< "n[1-3,8]", by number from 0
    /// How many tasks of an array may run at once, where the log says it.
    std::map<std::int32_t, std::uint32_t> array_limits;
    bool left_is_load = true;  ///< unless said otherwise, those of `left_time` are simulated
    std::vector<RowDependency> row_dependencies;  ///< as far as command lines say it; sorted
    std::vector<SubmitOptions> submit_options;    ///< by number from 0

    std::vector<Oddity> oddities;
    std::string sha256;  ///< of the uncompressed file; empty unless asked for

    std::size_t jobs() const { return job_number.size(); }

    /// "night": the text of a user, group, queue, partition or QOS, else what the header calls it;
    /// empty where it has no name.
    std::string name_of(Field field, std::int64_t number) const;
    /// The other way round, of texts alone; absent where no job of the log has that name.
    std::optional<std::int64_t> number_of(Field field, std::string_view text) const;
    /// When a job could have been started first: its eligible time, else its submit time.
    double eligible(std::size_t row) const {
        return eligible_time[row] >= 0 ? eligible_time[row] : submit_time[row];
    }
    /// When it was started: submit + wait; −1: not known, or it never was.
    double start(std::size_t row) const {
        const bool is_known = submit_time[row] >= 0 && wait_time[row] >= 0;
        return is_known ? submit_time[row] + wait_time[row] : -1;
    }
};

/// Calls visit(field, column) for every column of SWF, in the order of the line.
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

/// The same for the columns that SWF does not have.
template <typename AnyLog, typename Visit>
void for_each_further_column(AnyLog& log, Visit&& visit) {
    visit(Field::eligible_time, log.eligible_time);
    visit(Field::allocated_nodes, log.allocated_nodes);
    visit(Field::requested_nodes, log.requested_nodes);
    visit(Field::gpus, log.gpus);
    visit(Field::quality, log.quality);
    visit(Field::state, log.state);
    visit(Field::started_by, log.started_by);
    visit(Field::node_list, log.node_list);
    visit(Field::array, log.array);
    visit(Field::left_time, log.left_time);
    visit(Field::released, log.released);
    visit(Field::options, log.options);
}

}  // namespace schedfarm::models::trace
