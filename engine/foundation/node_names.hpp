// Lists of nodes as Slurm writes them: "n[1-3,8],gpu[01-02]". Pure functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace schedfarm::engine {

/// The names in the order of the list: n1, n2, n3, n8, gpu01, gpu02. Absent where brackets do not
/// match, a range is none, a name is longer than 255, or there are more than `most`.
std::optional<std::vector<std::string>> nodes_in(
    std::string_view list, std::size_t most = 1'000'000
);

/// "n[1-3,8]" of 1, 2, 3, 8. REQUIRES: at least one; ascending, each once.
std::string numbered_nodes(const std::vector<std::uint32_t>& numbers);

}  // namespace schedfarm::engine
