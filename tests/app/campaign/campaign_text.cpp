#include "tests/app/campaign/campaign_text.hpp"

#include "app/campaign/yaml/config_error.hpp"

namespace schedfarm::app::tests {

std::string campaign_text(const Lines& changes) {
    Lines lines{
        {1, "campaign_format: 1"},
        {2, "name: test"},
        {3, "seed: 1"},
        {4, "experiment: open"},
        {5, "system: {clusters: [32]}"},
        {6, "workload: {model: coallocation, components: 1, component_size: {uniform: [1, 4]}}"},
        {7, "policy: fcfs"},
        {8, "load: {utilization: 0.5}"},
        {9, "replications: 10"}};
    for (const auto& [number, text] : changes) {
        lines[number] = text;
    }
    std::string text;
    for (const auto& [number, line] : lines) {
        text += line + "\n";
    }
    return text;
}

Lines filling_grid_with(const std::string& reference) {
    return {
        {4, "experiment: bin_filling"},
        {6, "workload: {model: coallocation, components: 1}"},
        {8, ""},
        {10,
         "factors: {workload.component_size: [{uniform: [1, 4]}, {uniform: [1, 5]}], "
         "horizon.fills: [10, 20]}"},
        {11, "reference: " + reference}};
}

CampaignSource source_of(
    const std::string& text, const std::map<std::string, std::string>& others
) {
    CampaignSource source;
    source.main_file = "a.yaml";
    source.files = others;
    source.files["a.yaml"] = text;
    return source;
}

Plan plan_of(const Lines& changes, const std::map<std::string, std::string>& others) {
    return make_plan(source_of(campaign_text(changes), others));
}

std::string errors_of(const Lines& changes, const std::map<std::string, std::string>& others) {
    try {
        plan_of(changes, others);
        return "";
    } catch (const ConfigErrors& errors) {
        return errors.what();
    }
}

}  // namespace schedfarm::app::tests
