#include "app/config/schema/schema_rows.hpp"

namespace schedfarm::app {

using engine::ParameterDescription;
using engine::ParameterType;

SectionBuilder& SectionBuilder::add(ParameterDescription row, std::string form) {
    section_.keys.push_back(std::move(row));
    section_.forms.push_back(std::move(form));
    return *this;
}

SectionBuilder& SectionBuilder::add_optional(ParameterDescription row, std::string form) {
    section_.optional.push_back(row.name);
    return add(std::move(row), std::move(form));
}

ParameterDescription text_key(std::string name, std::string meaning) {
    return {.name = std::move(name), .meaning = std::move(meaning), .type = ParameterType::text};
}

ParameterDescription word_key(
    std::string name, std::string meaning, std::vector<std::string> words
) {
    ParameterDescription row = text_key(std::move(name), std::move(meaning));
    row.words = std::move(words);
    return row;
}

ParameterDescription real_key(std::string name, std::string meaning, engine::Range range) {
    return {.name = std::move(name), .meaning = std::move(meaning), .range = range};
}

ParameterDescription count_key(
    std::string name, std::string meaning, std::string unit, double low, double high
) {
    return {
        .name = std::move(name),
        .meaning = std::move(meaning),
        .unit = std::move(unit),
        .type = ParameterType::integer,
        .range = {.low = low, .high = high}};
}

ParameterDescription with_default(ParameterDescription row, engine::Value value) {
    row.default_value = std::move(value);
    return row;
}

ParameterDescription probability_key(std::string name, std::string meaning, double low) {
    return real_key(
        std::move(name),
        std::move(meaning),
        {.low = low, .high = 1, .low_is_open = true, .high_is_open = true}
    );
}

ParameterDescription warm_up_key() {
    engine::Parameters fraction;
    fraction.set("fraction", 0.2);
    return {
        .name = "warm_up",
        .meaning = "jobs at the beginning that are simulated but not measured",
        .type = ParameterType::choice,
        .default_value = engine::Choice{"fraction", fraction},
        .alternatives = &warm_up_alternatives};
}

}  // namespace schedfarm::app
