// The top level of the campaign file.
#include <cstdint>
#include <utility>

#include "app/config/schema/section_lists.hpp"

namespace schedfarm::app {

namespace {

/// Whether the cells of a campaign may differ in a key.
enum class Scope : std::uint8_t { cell, campaign };
enum class Need : std::uint8_t { required, optional };

/// A key that stands for a section, a list or a text with a reader of its own.
struct TopKey {
    const char* name;
    const char* meaning;
    const char* form = "";
    Scope scope = Scope::campaign;
    Need need = Need::optional;
};

constexpr double largest_seed = 9223372036854774784.0;  // below 2^63

const std::vector<TopKey>& top_keys() {
    using enum Scope;
    using enum Need;
    static const std::vector<TopKey> keys{
        {"campaign_format", "version of this format", "", campaign, required},
        {"name", "name of the campaign", "", campaign, required},
        {"description", "what the campaign is for"},
        {"time_unit",
         "what times are in, where the workload's are not seconds: a word or two for tables and "
         "figures, as in minutes or mean service times"},
        {"seed", "seed of all random numbers, unless it is a factor", "", cell, required},
        {"include", "files that lie below this one", "list of file names, relative to this file"},
        {"inputs",
         "logs and lists of jobs that the campaign is about, for whose workloads give no `sha256`: "
         "others are refused",
         "mapping of `file` names to the SHA-256 of their uncompressed texts"},
        {"experiment", "what a replication simulates", "", cell, required},
        {"system", "the simulated machine", "section `system`", cell, required},
        {"workload", "the workload model and its parameters", "section `workload`", cell, required},
        {"policy", "the scheduling policy", "a policy with its parameters", cell, required},
        {"load", "the offered load", "section `load`", cell},
        {"horizon", "how long a replication is", "section `horizon`", cell},
        {"random_numbers", "where random numbers come from", "section `random_numbers`", cell},
        {"pilot",
         "how saturation points are estimated that theory does not give",
         "section `pilot`",
         cell},
        {"replications",
         "a fixed number of replications",
         "a number, or section `replications`",
         cell},
        {"precision",
         "replications until an interval is short enough",
         "section `precision`",
         cell},
        {"probes",
         "what is measured; default: response_time where jobs have one",
         "list of probes with their parameters",
         cell},
        {"allow_unstable",
         "admit loads at or above the exactly known maximal utilization",
         "",
         cell},
        {"certificate",
         "what `schedfarm certify` expects of the cell",
         "section `certificate`, or a list of them",
         cell},
        {"factors", "what is varied", "section `factors`"},
        {"derived", "values computed from others, per cell", "section `derived`"},
        {"overrides", "values for some cells", "section `overrides`"},
        {"comparison", "differences between the levels of a factor", "section `comparison`"},
        {"selection", "which level of a factor is best", "section `selection`"},
        {"control_variates",
         "measured means that are known, to sharpen an estimate",
         "section `control_variates`"},
        {"reference", "values that a paper prints", "name of a CSV file, relative to this file"},
        {"claims", "what a paper says in words", "section `claims`"},
        {"job_log", "what became of every job of some replications", "section `job_log`"},
        {"report", "how results are printed", "section `report`"}};
    return keys;
}

}  // namespace

Section campaign_section() {
    using engine::ParameterType;
    Section top{.name = "campaign", .summary = "The keys of the top level."};
    for (const TopKey& key : top_keys()) {
        engine::ParameterDescription row{
            .name = key.name, .meaning = key.meaning, .type = ParameterType::text};
        if (row.name == "experiment") {
            for (const auto kind : engine::experiment_kinds()) {
                row.words.emplace_back(kind.name());
            }
        } else if (row.name == "campaign_format" || row.name == "seed") {
            row.type = ParameterType::integer;
            row.range = {.low = 1, .high = row.name == "seed" ? largest_seed : 1};
        } else if (row.name == "allow_unstable") {
            row.type = ParameterType::boolean;
            row.default_value = false;
        } else if (key.need == Need::optional) {
            top.optional.push_back(row.name);
        }
        top.keys.push_back(std::move(row));
        top.forms.emplace_back(key.form);
    }
    return top;
}

const std::vector<std::string>& variable_keys() {
    static const std::vector<std::string> keys = [] {
        std::vector<std::string> names;
        for (const TopKey& key : top_keys()) {
            if (key.scope == Scope::cell) {
                names.emplace_back(key.name);
            }
        }
        return names;
    }();
    return keys;
}

}  // namespace schedfarm::app
