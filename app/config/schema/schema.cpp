#include "app/config/schema/schema.hpp"

#include <algorithm>

#include "engine/foundation/expect.hpp"

#include "app/config/schema/section_lists.hpp"
#include "app/config/yaml/suggestion.hpp"

namespace schedfarm::app {

namespace {

std::vector<Section> all_sections() {
    std::vector<Section> all{campaign_section()};
    for (auto* part :
         {&system_sections,
          &load_sections,
          &horizon_sections,
          &random_sections,
          &replication_sections,
          &analysis_sections,
          &certificate_sections,
          &report_sections,
          &claim_sections}) {
        const std::vector<Section> more = part();
        all.insert(all.end(), more.begin(), more.end());
    }
    return all;
}

}  // namespace

const engine::ParameterDescription& Section::row(std::string_view key) const {
    const auto found =
        std::find_if(keys.begin(), keys.end(), [&](const auto& row) { return row.name == key; });
    SCHEDFARM_EXPECT(found != keys.end(), name + " has no key '" + std::string(key) + "'");
    return *found;
}

bool Section::has(std::string_view key) const {
    return std::any_of(keys.begin(), keys.end(), [&](const auto& row) { return row.name == key; });
}

bool Section::is_optional(std::string_view key) const {
    return contains(optional, key);
}

bool Section::is_part(std::string_view key) const {
    return contains(parts, key);
}

const std::vector<Section>& sections() {
    static const std::vector<Section> all = all_sections();
    return all;
}

const Section& section(std::string_view name) {
    const auto found = std::find_if(sections().begin(), sections().end(), [&](const Section& s) {
        return s.name == name;
    });
    SCHEDFARM_EXPECT(found != sections().end(), "no section '" + std::string(name) + "'");
    return *found;
}

std::vector<std::string> key_names(const std::vector<engine::ParameterDescription>& table) {
    std::vector<std::string> names = names_of(table, &engine::ParameterDescription::name);
    return names;
}

}  // namespace schedfarm::app
