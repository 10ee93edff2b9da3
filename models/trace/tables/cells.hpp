// What the cells of today's tables say: times, durations, counts, memory, states. Forms as sacct
// writes them, with or without --noconvert, and as data sets have them. Pure functions; an absent
// value is a cell that cannot be read, not_said one that says nothing.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "models/trace/reading/field.hpp"
#include "models/trace/reading/letters.hpp"

namespace schedfarm::models::trace {

inline constexpr double not_said = -1;

/// "", "Unknown", "None", "None assigned", "N/A", "INVALID", "null", "nan", "NULL".
bool is_word_for_nothing(std::string_view cell);
inline bool says_nothing(std::string_view cell) {
    const char first = cell.empty() ? 'n' : lower(cell.front());
    return (first == 'u' || first == 'n' || first == 'i') && is_word_for_nothing(cell);
}

/// Of a number in Slurm's database that says nothing: -1, and of 32 and 64 bits NO_VAL and
/// INFINITE, the largest but one and the largest.
bool is_sentinel(double number);

/// "16", "2.0", "1K" (of 1024), "1.5M".
std::optional<double> count_of(std::string_view cell);

/// "90", "1.5" of a unit of so many seconds; "[D-]HH:MM:SS" and "MM:SS", whatever the unit.
std::optional<double> duration_of(std::string_view cell, double unit_s);

/// What a cell of limits says in the place of a time.
enum class LimitWord : std::uint8_t { none, unlimited, partition };

/// "UNLIMITED" and 4294967295; "Partition_Limit" and 4294967294.
LimitWord limit_word(std::string_view cell);

struct Memory {
    double kb = not_said;
    enum class Per : std::uint8_t { job, node, processor } per = Per::job;
};

/// "4000Mc" (per processor), "16Gn" (per node), "1500M"; numbers alone are of `unit_kb`, from 2^63
/// on per processor, as in Slurm's database.
std::optional<Memory> memory_of(std::string_view cell, double unit_kb);

/// Of "billing=8,cpu=8,gres/gpu=2,mem=4000M,node=2" the value of a key; empty: it is not there.
std::string_view value_in_list(std::string_view cell, std::string_view key);

/// "COMPLETED", "CANCELLED by 1000", "CD", "completed", and Slurm's numbers, with flags above 255
/// as in its database; absent: another word.
std::optional<JobState> state_of(std::string_view cell);
/// As Slurm writes it. REQUIRES: a known one.
std::string_view word_of(JobState state);
Status status_of(JobState state);
/// Flags of Slurm, by StartedBy.
inline constexpr std::array<std::string_view, 3> starter_words{
    "SchedMain", "SchedBackfill", "SchedSubmit"};
StartedBy started_by_of(std::string_view flags);

/// A point in time: of the Unix clock, or local where the text gives no zone.
struct CellTime {
    double seconds = not_said;
    bool is_local = false;
};

/// "1795771359" (of a unit of so many seconds), "2026-11-27T09:22:39" with 'T' or a blank, without
/// seconds or with decimals, with "Z", "+01:00" or "+0100" behind it.
std::optional<CellTime> time_of(std::string_view cell, double unit_s);

/// The day of a time of the usual form that was read before: it need not be read again.
struct KnownDay {
    std::array<char, 11> text{};  ///< "2026-11-27T"
    double begin_s = -1;          ///< -1: none
};
std::optional<CellTime> time_of(std::string_view cell, double unit_s, KnownDay& known);

}  // namespace schedfarm::models::trace
