#include "app/config/sections/system_reader.hpp"

#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "app/config/schema/schema.hpp"
#include "app/config/sections/section_reader.hpp"
#include "app/config/sections/value_reader.hpp"
#include "app/config/yaml/numbers.hpp"

namespace schedfarm::app {

namespace {

using engine::Outage;
using engine::SystemDescription;

const std::string windows_path = "system.outages.windows";

/// Reads `system.outages` into a system whose clusters are known.
class OutageReader {
  public:
    OutageReader(const SystemDescription& system, Problems& problems)
        : system_(system), problems_(problems) {}

    std::optional<engine::Outages> read(const Node& node) {
        if (node.is_scalar() && node.scalar == "none") {
            return engine::Outages{};
        }
        const auto parameters =
            read_section(&node, "system.outages", node.at, problems_, {"windows", "failures"});
        if (!parameters) {
            return std::nullopt;
        }
        const std::size_t before = problems_.size();
        engine::Outages outages;
        if (parameters->text("running") == "cut") {
            outages.running = engine::RunningJobs::cut;
        }
        if (const Node* windows = node.find("windows")) {
            read_windows(*windows, outages.listed);
        }
        if (const Node* failures = node.find("failures")) {
            read_failures(*failures, outages.failures);
        }
        return problems_.size() == before ? std::optional(std::move(outages)) : std::nullopt;
    }

  private:
    void read_windows(const Node& node, std::vector<Outage>& listed) {
        if (!node.is_list()) {
            problems_.add(
                node.at,
                windows_path,
                fmt::format("'{}' must be a list, not {}", windows_path, what_is(node)),
                "Write [{from: 100, until: 108}]?"
            );
            return;
        }
        for (const Node& item : node.items) {
            const auto window = read_section(&item, windows_path, item.at, problems_);
            if (window) {
                add_window(item, *window, listed);
            }
        }
    }

    void add_window(
        const Node& node, const engine::Parameters& window, std::vector<Outage>& listed
    ) {
        Outage outage{
            .from = window.real("from"),
            .until = window.real("until"),
            .count = system_.processors(),
            .every = window.real("every"),
            .is_planned = true};
        const double length = outage.until - outage.from;
        if (length <= 0) {
            refuse(
                node,
                "until",
                fmt::format(
                    "an outage from {} until {} (it ends before it begins)",
                    number_text(outage.from),
                    number_text(outage.until)
                ),
                "Exchange them?"
            );
        } else if (outage.every > 0 && outage.every <= length) {
            refuse(
                node,
                "every",
                fmt::format(
                    "an outage of {} every {} (its processors would never come back)",
                    number_text(length),
                    number_text(outage.every)
                ),
                "A longer time between them?"
            );
        } else {
            add_places(node, window, outage, listed);
        }
    }

    /// The outage for the clusters or processors that the window names; neither: for all.
    void add_places(
        const Node& node,
        const engine::Parameters& window,
        Outage outage,
        std::vector<Outage>& listed
    ) {
        if (window.contains("clusters")) {
            refuse_key(
                node,
                "processors",
                windows_path + ".processors",
                "'processors' beside 'clusters' (which would be out of order?)",
                "Remove one?",
                problems_
            );
            for (const engine::Value& cluster : window.at("clusters").as_list()) {
                add_cluster(node, cluster.as_integer(), outage, listed);
            }
            return;
        }
        if (window.contains("processors")) {
            const auto count = static_cast<std::uint64_t>(window.integer("processors"));
            if (count > outage.count) {
                refuse(
                    node,
                    "processors",
                    fmt::format("{} processors of a system that has {}", count, outage.count),
                    "Remove 'processors', and all are out of order?"
                );
                return;
            }
            outage.count = static_cast<std::uint32_t>(count);
        }
        listed.push_back(outage);
    }

    void add_cluster(
        const Node& node, std::int64_t cluster, Outage outage, std::vector<Outage>& listed
    ) {
        const auto& clusters = system_.clusters;
        const auto number = static_cast<std::size_t>(cluster);
        if (number >= clusters.size()) {
            refuse(
                node,
                "clusters",
                fmt::format(
                    "cluster {} of a system that has {} (they are numbered from 0)",
                    number,
                    clusters.size()
                ),
                "Write [0]?"
            );
            return;
        }
        const auto end = clusters.begin() + static_cast<std::ptrdiff_t>(number);
        outage.first_processor = std::accumulate(clusters.begin(), end, std::uint32_t{0});
        outage.count = clusters[number];
        listed.push_back(outage);
    }

    void refuse(
        const Node& window,
        const std::string& key,
        const std::string& reason,
        const std::string& suggestion
    ) {
        problems_.add(nearest_position(window, key), windows_path + "." + key, reason, suggestion);
    }

    void read_failures(const Node& node, engine::NodeFailures& failures) {
        const auto given = read_section(&node, "system.outages.failures", node.at, problems_);
        if (!given) {
            return;
        }
        failures.mean_time_between_failures = given->real("mean_time_between_failures");
        failures.mean_time_to_repair = given->real("mean_time_to_repair");
        failures.processors_per_node =
            static_cast<std::uint32_t>(given->integer("processors_per_node"));
        for (const std::uint32_t processors : system_.clusters) {
            if (processors % failures.processors_per_node != 0) {
                problems_.add(
                    nearest_position(node, "processors_per_node"),
                    "system.outages.failures.processors_per_node",
                    fmt::format(
                        "nodes of {} processors in a cluster of {} (one would be smaller)",
                        failures.processors_per_node,
                        processors
                    ),
                    "Take a number that divides every cluster?"
                );
                return;
            }
        }
    }

    const SystemDescription& system_;
    Problems& problems_;
};

}  // namespace

std::optional<SystemDescription> read_system(const Node& cell, Problems& problems) {
    const Node* node = required_key(cell, "system", "Add 'system: {clusters: [32]}'?", problems);
    if (node == nullptr) {
        return std::nullopt;
    }
    const auto parameters = read_section(node, "system", node->at, problems, {"outages"});
    if (!parameters) {
        return std::nullopt;
    }
    SystemDescription system;
    for (const engine::Value& size : parameters->at("clusters").as_list()) {
        system.clusters.push_back(static_cast<std::uint32_t>(size.as_integer()));
    }
    system.memory_per_processor = parameters->real("memory_per_processor");
    constexpr std::size_t most_clusters = 1000;
    if (system.clusters.empty() || system.clusters.size() > most_clusters) {
        problems.add(
            node->find("clusters")->at,
            "system.clusters",
            fmt::format(
                "{} clusters (a system has 1 to {})", system.clusters.size(), most_clusters
            ),
            "Write [32]?"
        );
        return std::nullopt;
    }
    if (const Node* given = node->find("outages")) {
        auto outages = OutageReader(system, problems).read(*given);
        if (!outages) {
            return std::nullopt;
        }
        system.outages = std::move(*outages);
    }
    return system;
}

}  // namespace schedfarm::app
