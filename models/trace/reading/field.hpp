// What a log says of a job: the 18 fields of a line of the Standard Workload Format, version 2.2
// (Parallel Workloads Archive; Chapin et al., "Benchmarks and standards for the evaluation of
// parallel job schedulers", JSSPP 1999), and what the tables of today's machines say beside. −1
// means that the log does not say; other negative values mean nothing either.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <string_view>

namespace schedfarm::models::trace {

/// In the order of the line.
enum class Field : std::uint8_t {
    job_number,
    submit_time,  ///< s from the beginning of the log
    wait_time,    ///< s
    run_time,     ///< s
    allocated_processors,
    cpu_time,     ///< s per processor, averaged
    used_memory,  ///< KB per processor, averaged
    requested_processors,
    requested_time,    ///< s
    requested_memory,  ///< KB per processor
    status,
    user,
    group,
    executable,
    queue,
    partition,
    preceding_job,
    think_time,  ///< s after the preceding job
    // Not of SWF.
    eligible_time,    ///< s from the beginning of the log: when it could have been started first
    allocated_nodes,  ///< 0: it was never started
    requested_nodes,
    gpus,        ///< allocated, else requested, of the whole job
    quality,     ///< of service, QOS
    state,       ///< JobState
    started_by,  ///< StartedBy
    node_list,   ///< number of its text in Log::node_lists
    array,       ///< number of the array that it is a task of
    left_time,   ///< s from the beginning of the log: when it left that never was started
    released,    ///< 1: somebody held it and let it go
    options,     ///< of its submission, by number in Log::submit_options
};

inline constexpr std::size_t field_count = 18;   ///< of a line of SWF
inline constexpr std::size_t column_count = 30;  ///< of a log

inline constexpr std::array<std::string_view, column_count> field_names{
    "job number",
    "submit time",
    "wait time",
    "run time",
    "allocated processors",
    "CPU time",
    "used memory",
    "requested processors",
    "requested time",
    "requested memory",
    "status",
    "user",
    "group",
    "executable",
    "queue",
    "partition",
    "preceding job",
    "think time",
    "eligible time",
    "allocated nodes",
    "requested nodes",
    "GPUs",
    "QOS",
    "state",
    "started by",
    "node list",
    "array",
    "left time",
    "released",
    "options"};

constexpr std::string_view name(Field field) {
    return field_names[static_cast<std::size_t>(field)];
}

/// Some of the fields.
class FieldSet {
  public:
    constexpr FieldSet(std::initializer_list<Field> fields) {
        for (const Field field : fields) {
            add(field);
        }
    }
    static constexpr FieldSet all() {
        FieldSet result{};
        result.bits_ = (1U << column_count) - 1;
        return result;
    }

    constexpr void add(Field field) { bits_ |= bit(field); }
    constexpr bool has(Field field) const { return (bits_ & bit(field)) != 0; }

  private:
    static constexpr std::uint32_t bit(Field field) { return 1U << static_cast<unsigned>(field); }

    std::uint32_t bits_ = 0;
};

/// Times and memory may have decimals, everything else is an integer.
constexpr bool is_integer(Field field) {
    switch (field) {
        case Field::submit_time:
        case Field::wait_time:
        case Field::run_time:
        case Field::cpu_time:
        case Field::used_memory:
        case Field::requested_time:
        case Field::requested_memory:
        case Field::think_time:
        case Field::eligible_time:
        case Field::left_time:
            return false;
        default:
            return true;
    }
}

/// Numbers that name somebody or something, however many digits they have; other integers are
/// counts.
constexpr bool is_name(Field field) {
    switch (field) {
        case Field::job_number:
        case Field::user:
        case Field::group:
        case Field::executable:
        case Field::queue:
        case Field::partition:
        case Field::preceding_job:
        case Field::quality:
            return true;
        default:
            return false;
    }
}

/// What has room in a simulation: jobs with larger numbers are called by their place in the log
/// there, users and queues by their rank.
inline constexpr std::int64_t largest_job_number = std::numeric_limits<std::int32_t>::max();
inline constexpr std::int64_t largest_name = std::numeric_limits<std::uint32_t>::max();

/// Field `status`. A job that was checkpointed may have, beside its own line, one line for each of
/// its partial executions.
enum class Status : std::int8_t {
    unknown = -1,
    failed = 0,
    completed = 1,
    partial = 2,            ///< partial execution, to be continued
    last_of_completed = 3,  ///< last partial execution
    last_of_failed = 4,     ///< last partial execution
    cancelled = 5,          ///< before its start or while it ran
};

/// Field `state`: what Slurm says of a job, in finer words than `status`.
enum class JobState : std::int8_t {
    unknown = -1,
    pending,
    running,  ///< when the log was written: its run time is how long it had run by then
    suspended,
    completed,
    cancelled,
    failed,
    timeout,
    node_fail,
    preempted,
    boot_fail,
    deadline,
    out_of_memory,
    requeued,  ///< ended, to run again: its next run is a job of its own
    revoked,
    resizing,
};

/// Field `requested_time` of a job that asked for its partition's, which is not known here. Like
/// all that is below 0, it says of no time.
inline constexpr double limit_of_partition = -2;
/// Likewise, of a job that asked for no end, UNLIMITED: a year, as Slurm takes it.
inline constexpr double limit_without_end_s = 365 * 86400;

/// Field `started_by`: which part of Slurm started a job.
enum class StartedBy : std::int8_t { unknown = -1, main, backfill, submit };

}  // namespace schedfarm::models::trace
