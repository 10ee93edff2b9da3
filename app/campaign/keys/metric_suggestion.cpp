#include "app/campaign/keys/metric_suggestion.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace schedfarm::app {

std::optional<engine::ExperimentKind> experiment_of(const Node& cell) {
    const Node* const word = cell.find("experiment");
    const auto kinds = engine::experiment_kinds();
    const auto found =
        std::find_if(kinds.begin(), kinds.end(), [word](engine::ExperimentKind kind) {
            return word != nullptr && word->scalar == kind.name();
        });
    return found == kinds.end() ? std::nullopt : std::optional(*found);
}

std::string observed_metric(const Node& cell) {
    const Node* const probes = cell.find("probes");
    if (probes != nullptr && probes->is_list() && !probes->items.empty()) {
        const Node& first = probes->items.front();
        return first.is_map() && !first.entries.empty() ? first.entries.front().key : first.scalar;
    }
    const auto experiment = experiment_of(cell);
    return experiment && !experiment->has_response_times() ? "capacity_loss" : "response_time";
}

bool is_ratio_of_sums(const engine::ExperimentKind& experiment, std::string_view metric) {
    return experiment.keeps_backlog()
           && (metric == "gross_utilization" || metric == "capacity_loss");
}

std::string compared_metric(const Node& campaign) {
    const std::string metric = observed_metric(campaign);
    const auto experiment = experiment_of(campaign);
    return experiment && is_ratio_of_sums(*experiment, metric) ? "throughput" : metric;
}

std::string target_text(const std::string& metric) {
    return fmt::format("{{metric: {}, relative: 0.05}}", metric);
}

}  // namespace schedfarm::app
