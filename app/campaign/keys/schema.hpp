// The sections of the campaign file, format 1: one row per key with meaning, unit, default and
// range, as policies and models have them. By them a section is documented (describe.hpp), read and
// checked (sections/section_reader.hpp), and printed with every default. What a section means is
// made of its values by who uses it. Each is described once, beside its reader:
//
//     Section("system.outages.failures", "Nodes fail independently of each other.")
//         .integer("processors_per_node", {1, 1e6}, "processors")
//         .means("must divide every cluster", 1)
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/foundation/parameters.hpp"
#include "engine/simulation/experiment.hpp"

namespace schedfarm::app {

namespace ranges {
inline constexpr engine::Range any{};
inline constexpr engine::Range not_negative{.low = 0};
inline constexpr engine::Range positive{.low = 0, .low_is_open = true};
inline constexpr engine::Range probability{0, 1, true, true};
}  // namespace ranges

inline constexpr double most_jobs = 1e12;

using Names = std::vector<std::string>;

/// A mapping of the campaign file with fixed keys.
struct Section {
    /// What stands behind a key that is no single value.
    struct Part {
        enum class Kind : std::uint8_t {
            names,    ///< a list of names
            prose,    ///< a text of several lines, if the user likes
            section,  ///< a mapping
            list,     ///< of mappings
            other,    ///< has a reader of its own
        };
        std::string key;
        Kind kind = Kind::other;
        const Section& (*below)() = nullptr;  ///< of a section or a list
    };

    std::string name{};     ///< "horizon", "load.search"; "campaign" for the top level
    std::string summary{};  ///< for the reference page
    std::vector<engine::ParameterDescription> keys{};
    /// How a key is written where its type does not say so; parallel to `keys`, empty texts
    /// allowed.
    std::vector<std::string> forms{};
    Names optional_keys{};  ///< without a default, and may be left out
    std::vector<Part> parts{};

    Section(std::string name, std::string summary);

    Section&& boolean(const char* key) &&;
    Section&& integer(const char* key, engine::Range range, const char* unit = "") &&;
    Section&& real(const char* key, engine::Range range = {}, const char* unit = "") &&;
    Section&& integers(const char* key, engine::Range range, const char* unit = "") &&;
    Section&& reals(const char* key, engine::Range range = {}) &&;
    Section&& text(const char* key) &&;
    Section&& word(const char* key, Names words) &&;
    Section&& choice(const char* key, const std::vector<engine::Alternative>& (*alternatives)()) &&;
    Section&& part(const char* key, Part::Kind kind, const Section& (*below)() = nullptr) &&;
    Section&& names(const char* key) && { return std::move(*this).part(key, Part::Kind::names); }
    Section&& prose(const char* key) && { return std::move(*this).part(key, Part::Kind::prose); }
    Section&& other(const char* key) && { return std::move(*this).part(key, Part::Kind::other); }

    /// These end a key: with its default, without one, and as one that may be left out.
    Section&& means(std::string meaning, engine::Value default_value, std::string form = {}) &&;
    Section&& required(std::string meaning, std::string form = {}) &&;
    Section&& optional(std::string meaning, std::string form = {}) &&;

    /// REQUIRES: a key of that name.
    const engine::ParameterDescription& row(std::string_view key) const;
    bool has(std::string_view key) const;
    bool is_optional(std::string_view key) const;
    const Part* find_part(std::string_view key) const;

  private:
    Section&& add(const char* key, engine::ParameterType type, engine::Range, const char* unit) &&;
};

/// The keys of the top level; alone in place of all sections, which cost a start more.
const Section& campaign_section();

/// The top level first. A section within a section is named by its path: "precision.budget".
const std::vector<Section>& sections();

/// REQUIRES: a section of that name.
const Section& section(std::string_view name);

std::vector<std::string> key_names(const std::vector<engine::ParameterDescription>& table);

/// Keys of the top level that a factor, a derived value or an override may set.
const std::vector<std::string>& variable_keys();

}  // namespace schedfarm::app
