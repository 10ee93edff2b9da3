#include "app/config/sections/metric_suggestion.hpp"

#include <fmt/format.h>

namespace schedfarm::app {

std::string observed_metric(const Node& cell) {
    const Node* const probes = cell.find("probes");
    if (probes != nullptr && probes->is_list() && !probes->items.empty()) {
        const Node& first = probes->items.front();
        return first.is_map() && !first.entries.empty() ? first.entries.front().key : first.scalar;
    }
    const Node* const experiment = cell.find("experiment");
    const bool has_no_time =
        experiment != nullptr
        && (experiment->scalar == "bin_filling" || experiment->scalar == "saturated");
    return has_no_time ? "capacity_loss" : "response_time";
}

std::string compared_metric(const Node& campaign) {
    const std::string metric = observed_metric(campaign);
    const Node* const experiment = campaign.find("experiment");
    const bool is_ratio = experiment != nullptr && experiment->scalar == "saturated"
                          && (metric == "gross_utilization" || metric == "capacity_loss");
    return is_ratio ? "throughput" : metric;
}

std::string target_text(const std::string& metric) {
    return fmt::format("{{metric: {}, relative: 0.05}}", metric);
}

}  // namespace schedfarm::app
