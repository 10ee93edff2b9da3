#include "app/config/schema/schema.hpp"

#include <algorithm>
#include <iterator>

#include "engine/foundation/expect.hpp"

#include "app/config/schema/schema_rows.hpp"

namespace schedfarm::app {

namespace {

std::vector<Section> all_sections() {
    std::vector<Section> all{campaign_section()};
    for (auto* part :
         {&experiment_sections, &replication_sections, &analysis_sections, &claim_sections}) {
        std::vector<Section> more = part();
        std::move(more.begin(), more.end(), std::back_inserter(all));
    }
    return all;
}

}  // namespace

const engine::ParameterDescription& Section::row(std::string_view key) const {
    const auto found =
        std::find_if(keys.begin(), keys.end(), [&](const engine::ParameterDescription& row) {
            return row.name == key;
        });
    SCHEDFARM_EXPECT(found != keys.end(), name + " has no key '" + std::string(key) + "'");
    return *found;
}

bool Section::is_optional(std::string_view key) const {
    return std::find(optional.begin(), optional.end(), key) != optional.end();
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
    std::vector<std::string> names;
    names.reserve(table.size());
    for (const engine::ParameterDescription& row : table) {
        names.push_back(row.name);
    }
    return names;
}

const std::vector<std::string>& variable_keys() {
    static const std::vector<std::string> keys{
        "experiment",
        "system",
        "workload",
        "policy",
        "load",
        "horizon",
        "random_numbers",
        "pilot",
        "replications",
        "precision",
        "probes",
        "allow_unstable",
        "certificate"};
    return keys;
}

const std::vector<engine::Alternative>& warm_up_alternatives() {
    static const std::vector<engine::Alternative> alternatives{
        {.name = "none", .summary = "Every job is measured.", .parameters = {}},
        {.name = "fraction",
         .summary = "A fraction of the jobs, rounded to a whole number.",
         .parameters =
             {{.name = "fraction",
               .meaning = "fraction of the jobs",
               .range = {.low = 0, .high = 1, .high_is_open = true}}}},
        {.name = "jobs",
         .summary = "A number of jobs.",
         .parameters = {count_key("jobs", "number of jobs", "jobs", 0, most_jobs)}}};
    return alternatives;
}

const std::vector<engine::Alternative>& start_alternatives() {
    static const std::vector<engine::Alternative> alternatives{
        {.name = "empty", .summary = "No job is there at time 0.", .parameters = {}},
        {.name = "backlog",
         .summary = "So many jobs are there at time 0; all of them belong to the warm-up.",
         .parameters = {count_key("backlog", "jobs at time 0", "jobs", 1, 1e7)}}};
    return alternatives;
}

}  // namespace schedfarm::app
