// Durations as Slurm writes them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace schedfarm::app {

/// Seconds of "minutes", "minutes:seconds", "hours:minutes:seconds", "days-hours",
/// "days-hours:minutes" or "days-hours:minutes:seconds" (sbatch(1), --time); absent where the text
/// is none of these, or no time at all, or has more minutes, say, than an hour behind its first
/// number.
std::optional<std::uint64_t> parse_slurm_time(const std::string& text);

/// "1-02:00:00", "02:30:00".
std::string slurm_time_text(std::uint64_t seconds);

}  // namespace schedfarm::app
