// The words of a command line between the shell and CLI11, which takes no `--` before arguments
// that it keeps in groups or several of, takes words for commands wherever they stand, and reads
// numbers by other rules than campaign files have. Pure.
#pragma once

#include <string>
#include <vector>

#include <CLI/CLI.hpp>

namespace schedfarm::campaigns {

/// What the parser is given: the words behind the program's name without the `--` that ends the
/// options of a command. Those behind it are marked, so that the parser takes them for arguments.
std::vector<std::string> marked_words(int argc, const char* const* argv);

/// Lets every option of every command take marked words as they were written, and numbers as they
/// stand in campaign files.
void admit_words(CLI::App& program);

bool is_marked(const std::string& word);

/// A text of the parser as the user wrote its words.
std::string without_marks(std::string text);

}  // namespace schedfarm::campaigns
