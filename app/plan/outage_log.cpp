#include "app/plan/outage_log.hpp"

#include <array>
#include <cmath>
#include <numeric>
#include <optional>
#include <string>

#include <fmt/format.h>

#include "app/config/yaml/merge.hpp"
#include "app/config/yaml/numbers.hpp"
#include "app/config/yaml/suggestion.hpp"
#include "app/plan/analyses/csv.hpp"
#include "app/plan/node_events.hpp"

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
                fmt::format("Write '{}'?", joined(columns, ","))
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

}  // namespace

void add_logged_outages(
    const Node& cell,
    const CampaignSource& source,
    engine::SystemDescription& system,
    Problems& problems
) {
    const Node* node = find_path(cell, "system.outages.file");
    if (node == nullptr) {
        return;
    }
    const std::string name = referred_name(node->at.file, node->scalar);
    const auto file = source.files.find(name);
    if (file == source.files.end()) {
        problems.add_once(
            "outages file",
            {node->at,
             "system.outages.file",
             name + " is not among the campaign's files (a factor or an override names it)",
             "Name it in 'system: {outages: {file: …}}'?"}
        );
        return;
    }
    const std::size_t before = problems.size();
    if (is_node_events(file->second)) {
        add_node_events(cell, name, file->second, system, problems);
    } else {
        OutageLogReader(name, system, problems).read(file->second);
    }
    if (problems.size() > before) {
        system.outages.listed.clear();
    }
}

}  // namespace schedfarm::app
