// Documents what a campaign can say, from the tables that also read it: the commented campaign to
// start from, `schedfarm list`, and the reference page. Pure functions of the tables.
#pragma once

#include <string>
#include <vector>

#include "engine/foundation/parameters.hpp"

namespace schedfarm::app {

/// The campaign that `schedfarm init` writes: commented, valid, done in seconds.
std::string init_template();

/// For terminals of `width` columns: all names on one screen (empty topic), those of one topic with
/// their meanings (policies, models, distributions, probes, experiments), or all that is to be said
/// of one ("fpfs"). Throws ConfigErrors for another topic.
std::string list_text(const std::string& topic, std::size_t width = 80);

/// The same of a topic, or of one name, as JSON: a list of what is named with its parameters.
std::string list_json(const std::string& topic);

/// The JSON Schema of a campaign file.
std::string campaign_schema();

/// docs/reference/campaign-file.md.
std::string reference_markdown();

/// Alternatives that are documented together.
struct AlternativeGroup {
    std::string topic;    ///< of `schedfarm list`
    std::string heading;  ///< "Distributions of times"
    std::vector<engine::Alternative> alternatives;
};

/// Policies, models, distributions, probes and experiments of this program. Alternatives that only
/// one parameter of a model admits form a group behind the distributions.
std::vector<AlternativeGroup> documented_groups();

/// Whether a text may be a list of words, as of a command: its default is one.
bool takes_words(const engine::ParameterDescription& row);

/// Type, admissible values and unit: "integer >= 1 (processors)", "fcfs or sjf".
std::string type_text(const engine::ParameterDescription& row);

/// The default as the campaign would write it; "required" where there is none.
std::string default_text(const engine::ParameterDescription& row);

}  // namespace schedfarm::app
