// Texts as a result file holds them: valid UTF-8 without NUL, so that every reader gets what was
// written, and as they are read, whoever wrote them. Pure.
#pragma once

#include <string>
#include <string_view>

namespace schedfarm::results_schema {

/// The text with every NUL and every byte that is not part of valid UTF-8 (RFC 3629) replaced by
/// U+FFFD. An error message may hold anything; a run must not be lost for it.
std::string stored_text(std::string_view text);

}  // namespace schedfarm::results_schema
