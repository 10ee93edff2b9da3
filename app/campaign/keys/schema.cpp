#include "app/campaign/keys/schema.hpp"

#include <algorithm>
#include <utility>

#include "engine/foundation/expect.hpp"

#include "app/campaign/keys/section_lists.hpp"
#include "app/campaign/yaml/suggestion.hpp"

namespace schedfarm::app {

namespace {

using Type = engine::ParameterType;

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

Section::Section(std::string the_name, std::string the_summary)
    : name(std::move(the_name)), summary(std::move(the_summary)) {}

Section&& Section::add(
    const char* key, engine::ParameterType type, engine::Range range, const char* unit
) && {
    keys.push_back({.name = key, .meaning = "", .unit = unit, .type = type, .range = range});
    forms.emplace_back();
    return std::move(*this);
}

Section&& Section::boolean(const char* key) && {
    return std::move(*this).add(key, Type::boolean, {}, "");
}

Section&& Section::integer(const char* key, engine::Range range, const char* unit) && {
    return std::move(*this).add(key, Type::integer, range, unit);
}

Section&& Section::real(const char* key, engine::Range range, const char* unit) && {
    return std::move(*this).add(key, Type::real, range, unit);
}

Section&& Section::integers(const char* key, engine::Range range, const char* unit) && {
    return std::move(*this).add(key, Type::integer_list, range, unit);
}

Section&& Section::reals(const char* key, engine::Range range) && {
    return std::move(*this).add(key, Type::real_list, range, "");
}

Section&& Section::text(const char* key) && {
    return std::move(*this).add(key, Type::text, {}, "");
}

Section&& Section::word(const char* key, Names words) && {
    std::move(*this).add(key, Type::text, {}, "").keys.back().words = std::move(words);
    return std::move(*this);
}

Section&& Section::choice(
    const char* key, const std::vector<engine::Alternative>& (*alternatives)()
) && {
    std::move(*this).add(key, Type::choice, {}, "").keys.back().alternatives = alternatives;
    return std::move(*this);
}

Section&& Section::part(const char* key, Part::Kind kind, const Section& (*below)()) && {
    parts.push_back({key, kind, below});
    return std::move(*this).add(key, Type::text, {}, "");
}

Section&& Section::means(std::string meaning, engine::Value default_value, std::string form) && {
    keys.back().default_value = std::move(default_value);
    return std::move(*this).required(std::move(meaning), std::move(form));
}

Section&& Section::required(std::string meaning, std::string form) && {
    keys.back().meaning = std::move(meaning);
    forms.back() = std::move(form);
    return std::move(*this);
}

Section&& Section::optional(std::string meaning, std::string form) && {
    optional_keys.push_back(keys.back().name);
    return std::move(*this).required(std::move(meaning), std::move(form));
}

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
    return contains(optional_keys, key);
}

const Section::Part* Section::find_part(std::string_view key) const {
    const auto found =
        std::find_if(parts.begin(), parts.end(), [&](const Part& part) { return part.key == key; });
    return found == parts.end() ? nullptr : &*found;
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
