// Holds the bytes of a file against what a text file may contain.
#pragma once

#include <cstdint>
#include <string>

namespace schedfarm::app {

enum class TextKind : std::uint8_t { campaign, table };

/// Throws ConfigErrors at the first byte that is not UTF-8 text and for files that are empty; for
/// campaigns also at a tab in an indentation and beyond 4 MiB.
void expect_text(const std::string& name, const std::string& content, TextKind kind);

}  // namespace schedfarm::app
