// Holds the bytes of a file against what a text file may contain.
#pragma once

#include <string>

namespace schedfarm::campaigns {

/// Throws ConfigErrors at the first byte that is not UTF-8 text, at a tab in an indentation, and
/// for files that are empty or larger than 4 MiB.
void expect_text(const std::string& name, const std::string& content);

}  // namespace schedfarm::campaigns
