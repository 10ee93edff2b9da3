// YAML of a campaign in lines that fit a terminal. Pure.
#pragma once

#include <cstddef>
#include <string>

namespace schedfarm::campaigns {

/// The text with long lines broken: between the entries of lists and mappings in brackets, and
/// between the words of texts in double quotes. It means the same to every reader of YAML. A line
/// without such a place stays as long as it is. REQUIRES: no block scalars (`|`, `>`).
std::string folded_yaml(const std::string& yaml, std::size_t width);

}  // namespace schedfarm::campaigns
