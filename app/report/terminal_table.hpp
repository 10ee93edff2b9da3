// A text table on a terminal of 80 columns. A table that is too wide gets its headings in several
// lines, then the columns that wrap in several lines, then its columns in blocks, each with the
// label columns repeated. A column that is too wide for itself stays as it is.
#pragma once

#include <string>

#include "app/report/text_table.hpp"

namespace schedfarm::app {

std::string terminal_text(const TextTable& table, std::size_t width);

}  // namespace schedfarm::app
