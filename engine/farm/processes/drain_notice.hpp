// How `schedfarm status` learns that a run takes in what is under way and ends. The notice is in
// the file that reserves the journal (JournalReservation), and holds while that file is locked
// only.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

namespace schedfarm::engine {

/// The file beside a journal whose lock reserves it.
std::filesystem::path reservation_path(const std::filesystem::path& journal);

/// `under_way`: tasks that the run still waits for. Does nothing where nobody has reserved the
/// journal or the notice cannot be written.
void write_drain_notice(const std::filesystem::path& journal, std::uint64_t under_way);

/// The number that was written last; absent where there is no notice.
std::optional<std::uint64_t> read_drain_notice(const std::filesystem::path& journal);

}  // namespace schedfarm::engine
