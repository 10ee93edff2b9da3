// Starting this program again under mpirun, so that a user on one machine never types mpirun.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/farm/processes/supervisor.hpp"

#include "app/cli/exit_code.hpp"

namespace schedfarm::app {

/// The program with all commands, which lies beside the one that users start (lean_main.cpp).
inline constexpr const char* farm_program = "schedfarm-farm";

/// The file of this program; of the program with all commands the one that users start.
std::filesystem::path own_program();

/// Processors that this process may use.
std::uint32_t available_cores();

/// `mpirun -n ranks -x <variable> <this program> <arguments>`, and the environment that Open MPI
/// wants for it. `variable`: "NAME=value" for the ranks, whatever machine they are on; or empty.
std::vector<std::string> mpirun_words(
    std::uint32_t ranks, const std::vector<std::string>& arguments, const std::string& variable = ""
);

/// How many worker ranks are meant; absent: one per core. Throws UsageError where that many make no
/// sense on this machine, or are asked for and there is no mpirun to start them.
std::uint32_t workers_wanted(std::optional<std::uint32_t> workers);

/// Puts what ranks write there, as soon as it takes it. Where it cannot be written, a character of
/// what is meant for standard output is left to the stream, which whoever runs the command asks at
/// the end: mpirun would not tell, and the signal of a broken pipe would end us before the ranks
/// have ended. False when an end at once was asked for while nobody read: it goes nowhere then, and
/// so does all that follows.
bool put_out(engine::Supervisor& supervisor, int descriptor, std::string_view bytes);

/// As put_out() for messages to come, of a page at most together.
void make_room_for_messages(engine::Supervisor& supervisor);

/// Why nothing is computed when mpirun has ended without any sign of a rank.
std::string no_rank_text(int code);

}  // namespace schedfarm::app
