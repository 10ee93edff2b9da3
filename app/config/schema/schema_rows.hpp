// The parts that the tables of the campaign file are made of.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "engine/foundation/parameters.hpp"

#include "app/config/schema/schema.hpp"

namespace schedfarm::app {

inline constexpr double most_jobs = 1e12;

/// A section under construction; its forms keep step with its keys.
class SectionBuilder {
  public:
    SectionBuilder(std::string name, std::string summary) {
        section_.name = std::move(name);
        section_.summary = std::move(summary);
    }

    SectionBuilder& add(engine::ParameterDescription row, std::string form = {});
    /// A key without a default that may be left out.
    SectionBuilder& add_optional(engine::ParameterDescription row, std::string form = {});
    Section build() { return std::move(section_); }

  private:
    Section section_;
};

engine::ParameterDescription text_key(std::string name, std::string meaning);
engine::ParameterDescription word_key(
    std::string name, std::string meaning, std::vector<std::string> words
);
engine::ParameterDescription real_key(std::string name, std::string meaning, engine::Range range);
engine::ParameterDescription count_key(
    std::string name, std::string meaning, std::string unit, double low, double high
);
engine::ParameterDescription with_default(engine::ParameterDescription row, engine::Value value);

/// Between two probabilities, both excluded.
engine::ParameterDescription probability_key(std::string name, std::string meaning, double low);
engine::ParameterDescription warm_up_key();

// The sections, by what they are about.
Section campaign_section();
std::vector<Section> experiment_sections();
std::vector<Section> replication_sections();
std::vector<Section> analysis_sections();
std::vector<Section> claim_sections();
Section certificate_section();

}  // namespace schedfarm::app
