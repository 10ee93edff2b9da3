// The 18 fields of a line of the Standard Workload Format, version 2.2 (Parallel Workloads Archive;
// Chapin et al., "Benchmarks and standards for the evaluation of parallel job schedulers", JSSPP
// 1999). −1 means that the log does not say; other negative values mean nothing either.
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
};

inline constexpr std::size_t field_count = 18;

inline constexpr std::array<std::string_view, field_count> field_names{
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
    "think time"};

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
        result.bits_ = (1U << field_count) - 1;
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

}  // namespace schedfarm::models::trace
