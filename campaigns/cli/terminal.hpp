// The terminal that a user sits at: how wide it is, and messages broken for it between words.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>

namespace schedfarm::campaigns {

/// Columns of the terminal that an open file is; absent where it is none or does not tell.
std::optional<std::size_t> columns_of(int file);

/// Columns of standard error, or of the terminal that the process was started at where standard
/// error leads elsewhere, as a rank's does; 80 where there is none.
std::size_t message_columns();

/// How wide texts on standard output may be: 80 columns, or as many as a narrower terminal has, but
/// 60 at least.
std::size_t text_width();
/// The ranks that this process starts from now on have its text_width(): their standard output is
/// none of its own, and passed on.
void tell_ranks_text_width();

/// `message` in lines of at most `width` columns, broken at blanks. What stands in backticks, such
/// as a command to be pasted, is never broken, and a longer word has a line of its own.
std::string broken_between_words(const std::string& message, std::size_t width);

/// From now on messages are "schedfarm: level: text", broken between words where `columns` tells
/// how wide their terminal is.
void break_messages(std::function<std::optional<std::size_t>()> columns);

}  // namespace schedfarm::campaigns
