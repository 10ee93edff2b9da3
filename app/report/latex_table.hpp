// A text table as tables of LaTeX: booktabs, within the text width of an article of one column,
// whose size is 10 pt or more. Needs the packages booktabs and graphicx. A table that is too wide
// comes in blocks as on a terminal, one that is too high for a page as several floats.
#pragma once

#include <string>

#include "app/report/text_table.hpp"

namespace schedfarm::app {

std::string latex_tables(const TextTable& table);

}  // namespace schedfarm::app
