// What a log says of its jobs beside what every simulation needs: memory, queue, and the class for
// tables by class. Columns by row of the log, so that a resampled job finds what is its own; a
// column of which the log says nothing takes no memory. A pure function of the log.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/simulation/submitted_request.hpp"

#include "models/trace/job_list.hpp"
#include "models/trace/log.hpp"

namespace schedfarm::models::trace {

enum class MemoryRule : std::uint8_t { requested_else_used, used_else_requested, requested, used };

/// What makes a class.
enum class ClassRule : std::uint8_t {
    none,    ///< all jobs are of one
    sizes,   ///< class k has 2^(k − 1) < size <= 2^k
    queues,  ///< the queue numbers of the jobs, ascending; −1 is "queue not known"
    groups,  ///< likewise, as the others
    partitions,
    qualities,
    partitions_sizes_lengths,  ///< those that have jobs, by partition, size and logged run time
};

/// Of which names the classes are; absent: of none.
std::optional<Field> field_of(ClassRule classes);

/// What of a job is its queue.
struct QueueRule {
    Field field = Field::queue;
    std::vector<std::string> numbered =
        {};  ///< names or numbers of queues 1, 2, …; empty: as they are
};

/// What jobs asked for, where a log says more than SWF. Jobs that asked for the same have one
/// request, so that a job takes 4 bytes.
struct RequestColumn {
    std::vector<std::uint32_t> of_row;                     ///< number of its request
    std::vector<engine::SubmittedRequest> requests;        ///< empty: the log does not say
    std::shared_ptr<const std::deque<std::string>> texts;  ///< their names
};

/// `jobs`: those that are kept; `left`: those that left while they waited. Cost: a look into a hash
/// table for each.
RequestColumn request_column(const Log& log, const JobList& jobs, const JobList& left = {});

struct RowColumns {
    Column<std::int64_t> job_number;       ///< as the log has it
    bool has_wide_numbers = false;         ///< some of them are above largest_job_number
    std::vector<std::uint32_t> user;       ///< from 1, by rank; empty: those of the log have room
    Column<double> memory;                 ///< KB per processor; 0: not known; of size 0: of none
    std::vector<std::uint32_t> queue;      ///< 0: not known; by rank where the log's have no room
    std::vector<std::uint32_t> job_class;  ///< empty: 0
    std::uint32_t job_classes = 1;
    std::vector<std::string> class_names;  ///< "queue 3 (night)"; empty: all jobs are of one class
};

/// `jobs`: those that are kept; rows of others have class 0.
/// Throws LogError for a queue that no job of the log has.
RowColumns row_columns(
    const Log& log,
    const JobList& jobs,
    MemoryRule memory,
    ClassRule classes,
    const QueueRule& queue = {}
);

}  // namespace schedfarm::models::trace
