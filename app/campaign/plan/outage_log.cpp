#include "app/campaign/plan/outage_log.hpp"

#include <array>
#include <cmath>
#include <numeric>
#include <optional>
#include <string>

#include <fmt/format.h>

#include "engine/foundation/node_names.hpp"

#include "models/trace/trace_settings.hpp"

#include "app/campaign/checks/theory.hpp"
#include "app/campaign/plan/analyses/csv.hpp"
#include "app/campaign/plan/node_events.hpp"
#include "app/campaign/plan/site_system.hpp"
#include "app/campaign/yaml/merge.hpp"
#include "app/campaign/yaml/numbers.hpp"
#include "app/campaign/yaml/suggestion.hpp"

namespace schedfarm::app {

namespace {

const std::vector<std::string> columns{"from", "until", "cluster", "first", "count"};
enum OutageColumn : std::size_t { from, until, cluster, first, count };

class OutageLogReader {
  public:
    OutageLogReader(const std::string& file, engine::SystemDescription& system, Problems& problems)
        : file_(file), system_(system), problems_(problems) {}

    void read(const std::string& content) {
        const std::vector<CsvRecord> records = read_csv(file_, content);
        if (records.empty() || records.front().fields != columns) {
            problems_.add(
                {file_, records.empty() ? 0 : records.front().line, 1},
                "system.outages.file",
                "the first line does not name the columns",
                fmt::format("Write '{}'.", joined(columns, ","))
            );
            return;
        }
        for (std::size_t i = 1; i < records.size(); ++i) {
            read_row(records[i]);
        }
    }

  private:
    void refuse(const CsvRecord& record, std::size_t field, const std::string& reason) {
        problems_.add(
            {file_, record.line, record.columns.at(field)}, "system.outages.file", reason
        );
    }

    void read_row(const CsvRecord& record) {
        if (record.fields.size() != columns.size()) {
            refuse(
                record,
                0,
                fmt::format("{} fields, but there are {} columns", record.fields.size(), count + 1)
            );
            return;
        }
        std::array<double, 5> row{};
        for (std::size_t i = 0; i < row.size(); ++i) {
            const std::optional<double> value = parse_real(record.fields[i]);
            const bool is_whole = value && std::floor(*value) == *value;
            if (!value || *value < 0 || (i >= cluster && !is_whole)) {
                refuse(
                    record,
                    i,
                    fmt::format(
                        "{} '{}' is not a {} number from 0",
                        columns[i],
                        record.fields[i],
                        i < cluster ? "finite" : "whole"
                    )
                );
                return;
            }
            row[i] = *value;
        }
        if (row[until] <= row[from]) {
            refuse(record, until, "the outage ends before it begins");
        } else if (row[cluster] >= static_cast<double>(system_.clusters.size())) {
            refuse(
                record,
                cluster,
                fmt::format(
                    "cluster {} of a system that has {} (they are numbered from 0)",
                    row[cluster],
                    system_.clusters.size()
                )
            );
        } else {
            add(record, row);
        }
    }

    void add(const CsvRecord& record, const std::array<double, 5>& row) {
        const auto number = static_cast<std::ptrdiff_t>(row[cluster]);
        const std::uint32_t processors = system_.clusters[static_cast<std::size_t>(number)];
        if (row[count] == 0 || row[first] + row[count] > processors) {
            refuse(
                record,
                count,
                fmt::format(
                    "{} processors from number {} on, in a cluster of {}",
                    row[count],
                    row[first],
                    processors
                )
            );
            return;
        }
        const auto begin = system_.clusters.begin();
        system_.outages.listed.push_back(
            {.from = row[from],
             .until = row[until],
             .first_processor = std::accumulate(begin, begin + number, std::uint32_t{0})
                                + static_cast<std::uint32_t>(row[first]),
             .count = static_cast<std::uint32_t>(row[count])}
        );
    }

    const std::string& file_;
    engine::SystemDescription& system_;
    Problems& problems_;
};

/// Whose processors the nodes of a dump of sacctmgr are, and when its log begins; absent, with a
/// problem, where that is not known.
std::optional<EventsOfNodes> events_of(
    const Node& cell, const std::string& file, const CellSettings& settings, Problems& problems
) {
    const Node* const nodes = find_path(cell, "system.outages.nodes");
    const Node* const begin = find_path(cell, "system.outages.begin");
    const bool has_site = find_path(cell, "system.slurm") != nullptr;
    const std::vector<engine::Parameters> logs = settings.workload_facts().logs;
    if ((nodes == nullptr && !has_site)
        || (begin == nullptr && (!has_site || logs.empty() || !settings.experiment))) {
        problems.add(
            {file, 1, 1},
            "system.outages.file",
            "events of nodes, of which neither place nor time is known",
            "Add 'nodes: n[1-8]', in the order of their processors, and 'begin: "
            "2026-03-02T00:00:00', the time at second 0."
        );
        return std::nullopt;
    }
    EventsOfNodes events;
    if (!logs.empty()) {
        const models::trace::TraceSettings log(logs.front());
        events.zone = log.reading.zone;
        if (begin == nullptr && log.resampling != models::trace::Resampling::none) {
            problems.add(
                {file, 1, 1},
                "system.outages.file",
                "events of nodes with a log that is resampled (its weeks have no dates)",
                "Write 'workload: {resampling: none}'"
            );
            return std::nullopt;
        }
        events.begin = begin == nullptr ? workload_traits(settings).clock : 0;
    }
    if (begin != nullptr) {
        const auto second = unix_time(begin->scalar, events.zone);
        if (!second) {
            problems.add(
                begin->at,
                "system.outages.begin",
                fmt::format("'{}' is no time", begin->scalar),
                "Write 2026-03-02T00:00:00, or seconds of the Unix clock."
            );
            return std::nullopt;
        }
        events.begin = *second;
    }
    if (nodes == nullptr) {
        events.places = places_of(site_of(cell, problems).settings.nodes);
        return events;
    }
    const auto names = engine::nodes_in(nodes->scalar);
    const std::uint32_t processors = settings.system->processors();
    if (!names || names->empty() || processors % names->size() != 0) {
        problems.add(
            nodes->at,
            "system.outages.nodes",
            names ? fmt::format(
                "{} nodes for {} processors (they do not have equally many)",
                names->size(),
                processors
            )
                  : "this is no list of nodes",
            "Write it as Slurm does, n[1-8]."
        );
        return std::nullopt;
    }
    const std::uint32_t per_node = processors / static_cast<std::uint32_t>(names->size());
    for (const std::string& name : *names) {
        const auto first = static_cast<std::uint32_t>(events.places.size()) * per_node;
        events.places.emplace(name, NodePlace{first, per_node});
    }
    return events;
}

}  // namespace

void add_logged_outages(
    const Node& cell, const CampaignSource& source, CellSettings& settings, Problems& problems
) {
    const Node* node = find_path(cell, "system.outages.file");
    if (node == nullptr) {
        return;
    }
    engine::SystemDescription system = *settings.system;
    const std::string name = referred_name(node->at.file, node->scalar);
    const auto file = source.files.find(name);
    if (file == source.files.end()) {
        problems.add_once(
            "outages file",
            {node->at,
             "system.outages.file",
             name + " is not among the campaign's files (a factor or an override names it)",
             "Name it in 'system: {outages: {file: …}}'."}
        );
        return;
    }
    const std::size_t before = problems.size();
    if (is_node_events(file->second)) {
        if (const auto events = events_of(cell, name, settings, problems)) {
            add_node_events(*events, name, file->second, system, problems);
        }
    } else {
        OutageLogReader(name, system, problems).read(file->second);
    }
    if (problems.size() > before) {
        system.outages.listed.clear();
    }
    settings.system = std::make_shared<const engine::SystemDescription>(std::move(system));
}

}  // namespace schedfarm::app
