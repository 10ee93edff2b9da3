#include "app/config/sections/system_reader.hpp"

#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "app/config/schema/section_lists.hpp"
#include "app/config/sections/cell_tables.hpp"
#include "app/config/sections/section_reader.hpp"
#include "app/config/sections/value_reader.hpp"
#include "app/config/yaml/numbers.hpp"

namespace schedfarm::app {

namespace {

using engine::Outage;
using engine::SystemDescription;

/// A window as the campaign writes it.
struct Window {
    double from = 0;
    double until = 0;
    double every = 0;
    std::optional<std::uint32_t> processors;
    std::uint32_t first = 0;
    std::optional<std::vector<std::uint32_t>> clusters;
};

const auto& window_table() {
    static const auto table =
        Table<Window>(
            "system.outages.windows",
            "An outage that is planned ahead: of some processors, of some clusters, or of all."
        )
            .key("from", &Window::from, ranges::not_negative, "time")
            .required("when the outage begins")
            .key("until", &Window::until, ranges::not_negative, "time")
            .required("when it ends")
            .key("every", &Window::every, ranges::not_negative, "time")
            .means("it comes again, so much later each time; 0: it comes once")
            .key("processors", &Window::processors, {1, 1e9}, "processors")
            .means("how many: those with the numbers `first`, `first` + 1, …")
            .key("first", &Window::first, {0, 1e9})
            .means("number of the first of these processors, from 0 through all clusters")
            .key("clusters", &Window::clusters, {0, 1e6})
            .means("which ones, whole; numbered from 0");
    return table;
}

/// Reads `system.outages` into a system whose clusters are known.
class OutageReader {
  public:
    OutageReader(const SystemDescription& system, Problems& problems)
        : system_(system), problems_(problems) {}

    std::optional<engine::Outages> read(const Node& node) {
        if (node.is_scalar() && node.scalar == "none") {
            return engine::Outages{};
        }
        auto outages = read_table(outages_table(), &node, node.at, problems_);
        if (!outages) {
            return std::nullopt;
        }
        const std::size_t before = problems_.size();
        if (const Node* windows = node.find("windows")) {
            read_windows(*windows, outages->listed);
        }
        if (const Node* failures = node.find("failures")) {
            read_failures(*failures, outages->failures);
        }
        return problems_.size() == before ? outages : std::nullopt;
    }

  private:
    void read_windows(const Node& node, std::vector<Outage>& listed) {
        const std::string& path = window_table().section().name;
        expect_kind(node, Node::Kind::list, path, "Write [{from: 100, until: 108}]?", problems_);
        for (const Node& item : node.items) {
            if (const auto window = read_table(window_table(), &item, item.at, problems_)) {
                add_window(item, *window, listed);
            }
        }
    }

    void add_window(const Node& node, const Window& window, std::vector<Outage>& listed) {
        const double length = window.until - window.from;
        if (length <= 0) {
            refuse(
                node,
                "until",
                fmt::format(
                    "an outage from {} until {} (it ends before it begins)",
                    number_text(window.from),
                    number_text(window.until)
                ),
                "Exchange them?"
            );
        } else if (window.every > 0 && window.every <= length) {
            refuse(
                node,
                "every",
                fmt::format(
                    "an outage of {} every {} (its processors would never come back)",
                    number_text(length),
                    number_text(window.every)
                ),
                "A longer time between them?"
            );
        } else {
            add_places(node, window, listed);
        }
    }

    /// The outage for the clusters or processors that the window names; neither: for all.
    void add_places(const Node& node, const Window& window, std::vector<Outage>& listed) {
        Outage outage{
            .from = window.from,
            .until = window.until,
            .count = system_.processors(),
            .every = window.every,
            .is_planned = true};
        if (window.clusters) {
            for (const std::string key : {"processors", "first"}) {
                refuse_key(
                    node,
                    key,
                    window_table().section().name + "." + key,
                    fmt::format("'{}' beside 'clusters' (which would be out of order?)", key),
                    "Remove one?",
                    problems_
                );
            }
            for (const std::uint32_t cluster : *window.clusters) {
                add_cluster(node, cluster, outage, listed);
            }
            return;
        }
        const std::uint64_t end = std::uint64_t{window.first} + window.processors.value_or(0);
        if (window.first > 0 && !window.processors) {
            refuse(
                node,
                "first",
                "'first' without 'processors' (how many are out of order?)",
                "Add 'processors: 8'?"
            );
            return;
        }
        if (end > outage.count) {
            refuse(
                node,
                "processors",
                fmt::format(
                    "{} processors{} of a system that has {}",
                    *window.processors,
                    window.first == 0 ? "" : fmt::format(" from number {} on", window.first),
                    outage.count
                ),
                window.first == 0 ? "Remove 'processors', and all are out of order?"
                                  : "Give a smaller 'first'? Numbers begin at 0"
            );
            return;
        }
        outage.first_processor = window.first;
        outage.count = window.processors.value_or(outage.count);
        listed.push_back(outage);
    }

    void add_cluster(
        const Node& node, std::size_t number, Outage outage, std::vector<Outage>& listed
    ) {
        const auto& clusters = system_.clusters;
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
        problems_.add(
            nearest_position(window, key),
            window_table().section().name + "." + key,
            reason,
            suggestion
        );
    }

    void read_failures(const Node& node, engine::NodeFailures& failures) {
        const auto given = read_table(failures_table(), &node, node.at, problems_);
        if (!given) {
            return;
        }
        failures = *given;
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

std::vector<Section> system_sections() {
    return {
        system_table().section(),
        outages_table().section(),
        window_table().section(),
        failures_table().section()};
}

std::optional<SystemDescription> read_system(const Node& cell, Problems& problems) {
    const Node* node = required_key(cell, "system", "Add 'system: {clusters: [32]}'?", problems);
    if (node == nullptr) {
        return std::nullopt;
    }
    auto system = read_table(system_table(), node, node->at, problems);
    if (!system) {
        return std::nullopt;
    }
    constexpr std::size_t most_clusters = 1000;
    if (system->clusters.empty() || system->clusters.size() > most_clusters) {
        problems.add(
            node->find("clusters")->at,
            "system.clusters",
            fmt::format(
                "{} clusters (a system has 1 to {})", system->clusters.size(), most_clusters
            ),
            "Write [32]?"
        );
        return std::nullopt;
    }
    if (const Node* given = node->find("outages")) {
        auto outages = OutageReader(*system, problems).read(*given);
        if (!outages) {
            return std::nullopt;
        }
        system->outages = std::move(*outages);
    }
    return system;
}

}  // namespace schedfarm::app
