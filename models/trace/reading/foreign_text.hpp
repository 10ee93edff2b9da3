// What a file is that is no log in a format that is read, told by its first bytes or its
// first line that is no comment: as the text of an error, "this is … (why that is no log). Way
// out?". Empty where it looks like nothing that is known. Pure functions.
#pragma once

#include <string>
#include <string_view>

namespace schedfarm::models::trace {

/// Archives, compressed and binary files, UTF-16 and UTF-32.
std::string foreign_beginning(std::string_view beginning);

/// Other texts: tables without a map of their columns, pages of the web and so on; and binary data
/// of any kind.
std::string foreign_line(std::string_view line);

/// What a table or records may have above them: a comment with '#', a message of sacct.
bool stands_above(std::string_view line);

/// JSON that is not Batsim's.
std::string foreign_json_text();

/// A text in which a carriage return alone ends every line.
bool has_carriage_returns_alone(std::string_view text);
std::string carriage_return_text();

}  // namespace schedfarm::models::trace
