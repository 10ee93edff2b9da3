// What is strange in a log though it can be read: each kind is told once, with its first line and
// how often it occurs. The columns keep what the log says unless the kind says otherwise.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace schedfarm::models::trace {

enum class OddityKind : std::uint8_t {
    no_machine_size,
    unreadable_size,
    no_time_zone,
    unreadable_time_zone,
    unknown_zone,
    contradictory_zone,
    unreadable_start,
    contradictory_start,
    contradictory_line,
    submits_in_unix_time,
    decimals_in_integer,
    fraction_in_integer,
    negative_value,
    missing_submit_time,
    unsorted_submit,
    job_number_not_increasing,
    missing_processors,
    more_than_machine,
    missing_run_time,
    zero_run_time,
    missing_requested_time,
    run_above_request,
    unknown_status,
    partial_execution,
    comment_among_jobs,
    trailing_garbage,
    further_fields,
    columns_run_together,
    follows_another,
    preceding_job_absent,
    wide_name,
    // Of tables alone.
    torn_row,
    unreadable_row,
    doubled_row,
    repeated_header,
    separator_in_text,
    job_step,
    array_task,
    pending_tasks,
    het_component,
    run_again,
    resized,
    never_started,
    never_eligible,
    still_waiting,
    still_running,
    was_suspended,
    without_limit,
    unknown_state,
    unsaid_zone,
    unsaid_summer_time,
    ambiguous_hour,
    elapsed_differs,
    started_before_submit,
    profile_without_length,
    nodes_of_descriptor,
    // Of records of other batch systems.
    other_record,
    continued_record,
    // Of tables again.
    unread_cell,
    fraction_of_count,
    partition_limit,
    several_partitions,
    nodes_are_processors,
    ended_before_start,
    not_chosen,
    names_nodes,
};

inline constexpr std::size_t oddity_kinds = static_cast<std::size_t>(OddityKind::names_nodes) + 1;

/// Of the header, in whose line it stands, and not of jobs.
constexpr bool is_of_header(OddityKind kind) {
    return kind <= OddityKind::submits_in_unix_time;
}

/// What the kind is and what the reader made of it, in a few words.
std::string_view meaning(OddityKind kind);

struct Oddity {
    OddityKind kind{};
    std::uint64_t first_line = 0;  ///< from 1; 0: the file as a whole
    std::uint64_t count = 0;
    std::string first = {};  ///< what is wrong with the first, where the kind leaves it open

    /// The meaning, and what is wrong with the first.
    std::string text() const;
    friend bool operator==(const Oddity&, const Oddity&) = default;
};

/// The first two of the jobs, those first by which jobs are lost or other than they were: "line 3
/// (…), line 9 (…)"; empty where there is none.
std::string first_oddities(std::vector<Oddity> oddities);

/// Counts by kind.
class OddityCounter {
  public:
    /// `count` of them, the first in `line`, of which there is more to say or not.
    void add(
        OddityKind kind, std::uint64_t line, std::uint64_t count = 1, std::string_view first = {}
    ) {
        Oddity& oddity = oddities_[static_cast<std::size_t>(kind)];
        if (oddity.count == 0) {
            oddity.first_line = line;
            oddity.first = first;
        }
        oddity.count += count;
    }

    /// Those that occurred, in the order of the kinds.
    std::vector<Oddity> found() const;

  private:
    std::array<Oddity, oddity_kinds> oddities_{};
};

}  // namespace schedfarm::models::trace
