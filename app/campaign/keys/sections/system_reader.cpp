#include "app/campaign/keys/sections/system_reader.hpp"

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "app/campaign/keys/section_lists.hpp"
#include "app/campaign/keys/section_reader.hpp"
#include "app/campaign/keys/value_reader.hpp"
#include "app/campaign/keys/words.hpp"
#include "app/campaign/yaml/numbers.hpp"

namespace schedfarm::app {

namespace {

using engine::Outage;
using engine::SystemDescription;

const Section& window_section() {
    static const Section section =
        Section(
            "system.outages.windows",
            "An outage that is planned ahead: of some processors, of some clusters, or of all."
        )
            .real("from", ranges::not_negative, "time")
            .required("when the outage begins")
            .real("until", ranges::not_negative, "time")
            .required("when it ends")
            .real("every", ranges::not_negative, "time")
            .means("it comes again, so much later each time; 0: it comes once", 0.0)
            .integer("processors", {1, 1e9}, "processors")
            .optional("how many: those with the numbers `first`, `first` + 1, …")
            .integer("first", {0, 1e9})
            .means("number of the first of these processors, from 0 through all clusters", 0)
            .integers("clusters", {0, 1e6})
            .optional("which ones, whole; numbered from 0");
    return section;
}

const Section& failures_section() {
    static const Section section =
        Section(
            "system.outages.failures",
            "Nodes fail independently of each other and of what runs, and are all in order at "
            "time 0. They fail at the same times under every policy and load."
        )
            .real("mean_time_between_failures", ranges::positive, "time")
            .required(
                "mean time that a node is in order, from a repair to its next failure; "
                "exponential"
            )
            .real("mean_time_to_repair", ranges::positive, "time")
            .required("mean time that it is out of order; exponential")
            .integer("processors_per_node", {1, 1e6}, "processors")
            .means("must divide every cluster", 1);
    return section;
}

const Section& outages_section() {
    static const Section section =
        Section(
            "system.outages",
            "When processors are out of order: in windows that are planned ahead, as nodes fail "
            "at random, as a log says, or all together. A processor that is out for several "
            "reasons is back when all are over. Not with policies that switch running jobs off "
            "and on, in experiments `saturated` and `bin_filling`, or with a load placed by a "
            "saturation point. A load is relative to all processors, and so is utilization; a "
            "cell measures `availability`, the part of them in order, and where jobs are cut "
            "`jobs_cut` and `lost_work`. `easy` (with its default options but `placement` and "
            "`simultaneous: submit_first` or `finish_first`), `conservative`, `k_reservations` "
            "and `selective` know the windows ahead and plan around them, by the number of "
            "processors that are left; they expect of what else is out that it stays so. A job "
            "gets free processors that no window takes before its requested end, first those that "
            "one takes soonest; where too few are free, those that one takes latest, and then it "
            "runs into a window. Every other policy sees an outage when it begins. Where it takes "
            "processors by count, they are those with the lowest numbers."
        )
            .part("windows", Section::Part::Kind::list, &window_section)
            .optional("planned outages", "list of sections `system.outages.windows`")
            .part("failures", Section::Part::Kind::section, &failures_section)
            .optional("failures of nodes", "section `system.outages.failures`")
            .other("file")
            .optional(
                "a log of outages, which no policy knows ahead",
                "name of a CSV file, relative to this file, with the columns from, until, cluster, "
                "first, count; clusters and the processors of each are numbered from 0. Or what "
                "`sacctmgr show events -P` says of nodes that were down, failing or drained"
            )
            .other("nodes")
            .optional(
                "of a file of `sacctmgr`: the machine's nodes, all of one size, in the order of "
                "their processors; by default those of `system.slurm`",
                "list as Slurm writes it, `n[1-8]` or `gpu[01-04],n[001-128]`"
            )
            .other("begin")
            .optional(
                "of a file of `sacctmgr`: its time at second 0; by default the clock of the log, "
                "where there is `system.slurm`; events that end before are passed over",
                "seconds of the Unix clock, or a time as in the file, `2026-03-02T00:00:00`"
            )
            .word("running", all_words_of<engine::RunningJobs>())
            .means(
                "drain: jobs on processors that go out of order run to their end, and then the "
                "processors leave; cut: they join the queue again at once, as if they came now, "
                "with all their service to do, in the order of their submission",
                "drain"
            );
    return section;
}

const Section& system_section() {
    static const Section section =
        Section("system", "The simulated machine.")
            .integers("clusters", {.low = 1, .high = 1e6}, "processors")
            .required("processors of each cluster")
            .other("slurm")
            .optional(
                "in the place of `clusters`: the machine as its site's files describe it, which a "
                "policy `slurm` then goes by",
                "`{conf: slurm.conf, associations: assoc.txt, qos: qos.txt, changes: [], accept: "
                "[topology]}`, as for the policy; only `conf` is needed"
            )
            .real("memory_per_processor", ranges::not_negative, "memory")
            .means("memory of each processor; 0: memory is not modelled", 0.0)
            .other("outages")
            .optional("when processors are out of order", "section `system.outages`, or `none`");
    return section;
}

std::vector<std::uint32_t> numbers_of(const engine::Parameters& values, const char* key) {
    std::vector<std::uint32_t> numbers;
    for (const engine::Value& value : values.at(key).as_list()) {
        numbers.push_back(static_cast<std::uint32_t>(value.as_integer()));
    }
    return numbers;
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
        const auto written = read_section(&node, outages_section(), node.at, problems_);
        if (const Node* windows = node.find("windows")) {
            const char* const example = "Write [{from: 100, until: 108}].";
            expect_kind(*windows, Node::Kind::list, window_section().name, example, problems_);
        }
        if (!written) {
            return std::nullopt;
        }
        const std::size_t before = problems_.size();
        engine::Outages outages;
        outages.running = word_as<engine::RunningJobs>(written->text("running"));
        const auto windows = sections_in(*written, "windows");
        for (std::size_t i = 0; i < windows.size(); ++i) {
            add_window(*node.find("windows")->items[i], *windows[i], outages.listed);
        }
        if (const engine::Parameters* failures = section_in(*written, "failures")) {
            outages.failures = failures_of(*failures, *node.find("failures"));
        }
        return problems_.size() == before ? std::optional(outages) : std::nullopt;
    }

  private:
    void add_window(
        const Node& node, const engine::Parameters& window, std::vector<Outage>& listed
    ) {
        Outage outage{
            .from = window.real("from"),
            .until = window.real("until"),
            .first_processor = static_cast<std::uint32_t>(window.integer("first")),
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
                "Exchange them."
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
                "Leave more time between them."
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
            for (const std::string key : {"processors", "first"}) {
                refuse_key(
                    node,
                    key,
                    window_section().name + "." + key,
                    fmt::format("'{}' beside 'clusters' (which would be out of order?)", key),
                    "Remove one.",
                    problems_
                );
            }
            for (const std::uint32_t cluster : numbers_of(window, "clusters")) {
                add_cluster(node, cluster, outage, listed);
            }
            return;
        }
        const std::uint32_t first = outage.first_processor;
        const auto processors = count_in(window, "processors");
        if (first > 0 && !processors) {
            refuse(
                node,
                "first",
                "'first' without 'processors' (how many are out of order?)",
                "Add 'processors: 8'."
            );
            return;
        }
        if (first + processors.value_or(0) > outage.count) {
            refuse(
                node,
                "processors",
                fmt::format(
                    "{} processors{} of a system that has {}",
                    *processors,
                    first == 0 ? "" : fmt::format(" from number {} on", first),
                    outage.count
                ),
                first == 0 ? "Remove 'processors', and all are out of order."
                           : "Give a smaller 'first': numbers begin at 0."
            );
            return;
        }
        outage.count = static_cast<std::uint32_t>(processors.value_or(outage.count));
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
                "Write [0]."
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
            nearest_position(window, key), window_section().name + "." + key, reason, suggestion
        );
    }

    engine::NodeFailures failures_of(const engine::Parameters& written, const Node& node) {
        const auto per_node = static_cast<std::uint32_t>(written.integer("processors_per_node"));
        const auto& clusters = system_.clusters;
        const auto odd = std::find_if(clusters.begin(), clusters.end(), [&](std::uint32_t count) {
            return count % per_node != 0;
        });
        if (odd != clusters.end()) {
            problems_.add(
                nearest_position(node, "processors_per_node"),
                "system.outages.failures.processors_per_node",
                fmt::format(
                    "nodes of {} processors in a cluster of {} (one would be smaller)",
                    per_node,
                    *odd
                ),
                "Take a number that divides every cluster."
            );
        }
        return {
            .mean_time_between_failures = written.real("mean_time_between_failures"),
            .mean_time_to_repair = written.real("mean_time_to_repair"),
            .processors_per_node = per_node};
    }

    const SystemDescription& system_;
    Problems& problems_;
};

}  // namespace

std::vector<Section> system_sections() {
    return {system_section(), outages_section(), window_section(), failures_section()};
}

std::optional<SystemDescription> read_system(const Node& cell, Problems& problems) {
    const Node* node = required_key(cell, "system", "Add 'system: {clusters: [32]}'.", problems);
    const auto written =
        node == nullptr ? std::nullopt : read_section(node, system_section(), node->at, problems);
    if (!written) {
        return std::nullopt;
    }
    SystemDescription system{
        .clusters = numbers_of(*written, "clusters"),
        .memory_per_processor = written->real("memory_per_processor")};
    constexpr std::size_t most_clusters = 1000;
    if (system.clusters.empty() || system.clusters.size() > most_clusters) {
        problems.add(
            node->find("clusters")->at,
            "system.clusters",
            fmt::format(
                "{} clusters (a system has 1 to {})", system.clusters.size(), most_clusters
            ),
            "Write [32]."
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
