// What a run tells those who ask for its status, that it takes in what is under way and ends, and
// the process that supervises it, how it ended: its launcher, told to end, says nothing of that.
// Stands in the file that reserves its journal (JournalReservation), and means something while that
// file is locked only.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

namespace schedfarm::engine {

/// The file beside a journal whose lock reserves it.
std::filesystem::path reservation_path(const std::filesystem::path& journal);

/// `under_way`: tasks that the run still waits for. Does nothing where nobody has reserved the
/// journal or the notice cannot be written.
void tell_draining(const std::filesystem::path& journal, std::uint64_t under_way);

/// What the run that has reserved the journal told last; absent where it told nothing.
std::optional<std::uint64_t> told_draining(const std::filesystem::path& journal);

/// Replaces what was told before. Nothing follows but the end of the process.
void tell_end(const std::filesystem::path& journal, std::uint64_t exit_code);

std::optional<std::uint64_t> told_end(const std::filesystem::path& journal);

}  // namespace schedfarm::engine
