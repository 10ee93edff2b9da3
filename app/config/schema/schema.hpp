// The sections of the campaign file, format 1: one row per key with meaning, unit, default and
// range. They drive the reading of a campaign, the reference page and the effective configuration.
// Each is described once, by a Table (table.hpp) beside what reads it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/foundation/parameters.hpp"
#include "engine/simulation/experiment.hpp"

namespace schedfarm::app {

namespace ranges {
inline constexpr engine::Range not_negative{.low = 0};
inline constexpr engine::Range positive{.low = 0, .low_is_open = true};
inline constexpr engine::Range probability{0, 1, true, true};
}  // namespace ranges

/// Whether the two ends of an interval may be equal.
enum class Ends : std::uint8_t { apart, may_meet };

/// A mapping of the campaign file with fixed keys.
struct Section {
    std::string name{};     ///< "horizon", "load.search"; "campaign" for the top level
    std::string summary{};  ///< for the reference page
    std::vector<engine::ParameterDescription> keys{};
    /// How a key is written where its type does not say so; parallel to `keys`, empty texts
    /// allowed.
    std::vector<std::string> forms{};
    std::vector<std::string> optional{};  ///< keys without a default that may be left out
    std::vector<std::string> parts{};     ///< keys with readers of their own

    /// REQUIRES: a key of that name.
    const engine::ParameterDescription& row(std::string_view key) const;
    bool has(std::string_view key) const;
    bool is_optional(std::string_view key) const;
    bool is_part(std::string_view key) const;
};

/// The top level first. A section within a section is named by its path: "precision.budget".
const std::vector<Section>& sections();

/// REQUIRES: a section of that name.
const Section& section(std::string_view name);

std::vector<std::string> key_names(const std::vector<engine::ParameterDescription>& table);

/// Keys of the top level that a factor, a derived value or an override may set.
const std::vector<std::string>& variable_keys();

}  // namespace schedfarm::app
