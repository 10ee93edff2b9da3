#include "models/trace/tables/column_map.hpp"

#include <algorithm>
#include <optional>
#include <sstream>

#include <fmt/format.h>

#include "models/trace/reading/letters.hpp"
#include "models/trace/reading/log_error.hpp"

namespace schedfarm::models::trace {

namespace {

struct Unit {
    std::string_view name;
    double factor;
};

/// Of times in s, of memory in KB.
constexpr std::array units{
    Unit{"ms", 0.001},
    Unit{"s", 1},
    Unit{"min", 60},
    Unit{"h", 3600},
    Unit{"B", 1.0 / 1024},
    Unit{"KB", 1},
    Unit{"MB", 1024},
    Unit{"GB", 1048576},
    Unit{"TB", 1073741824}};

[[noreturn]] void refuse(std::string_view entry, std::string_view why) {
    std::string names;
    for (const std::string_view name : quantity_names) {
        names += (names.empty() ? "" : ", ") + std::string(name);
    }
    throw LogError(fmt::format(
        "columns: '{}' {}. Write 'submit: NAME' or 'limit: {{column: NAME, unit: min}}', of {} and "
        "zone.",
        entry,
        why,
        names
    ));
}

MappedColumn mapped_column(std::string_view entry) {
    const std::size_t equals = entry.find('=');
    const std::string_view name = trimmed(entry.substr(0, equals));
    const auto* const quantity = std::find(quantity_names.begin(), quantity_names.end(), name);
    if (equals == std::string_view::npos || quantity == quantity_names.end()) {
        refuse(entry, "is no quantity of a job");
    }
    MappedColumn mapped{
        .quantity = static_cast<Quantity>(quantity - quantity_names.begin()),
        .column = {},
        .key = {}};
    std::string_view column = trimmed(entry.substr(equals + 1));
    if (const std::size_t bracket = column.rfind(" [");
        bracket != std::string_view::npos && column.ends_with(']')) {
        const std::string_view word = column.substr(bracket + 2, column.size() - bracket - 3);
        column = trimmed(column.substr(0, bracket));
        const auto* const unit = std::find_if(
            units.begin(), units.end(), [word](const Unit& known) { return known.name == word; }
        );
        if (unit != units.end()) {
            mapped.unit = unit->factor;
        } else {
            mapped.key = word;
        }
    }
    if (column.empty()) {
        refuse(entry, "names no column");
    }
    mapped.column = column;
    return mapped;
}

}  // namespace

ColumnMap column_map(std::string_view text) {
    ColumnMap map;
    while (!text.empty()) {
        const std::size_t end = text.find(';');
        const std::string_view entry = trimmed(text.substr(0, end));
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
        if (entry.starts_with("zone=")) {
            map.zone = trimmed(entry.substr(5));
        } else if (entry.starts_with("header=")) {
            std::istringstream names{std::string(entry.substr(7))};
            for (std::string name; std::getline(names, name, ',');) {
                map.header.emplace_back(trimmed(name));
            }
        } else if (!entry.empty()) {
            map.columns.push_back(mapped_column(entry));
        }
    }
    return map;
}

const ColumnMap& sacct_columns() {
    static const ColumnMap map = column_map(
        "id=JobIDRaw; task=JobID; row=DBIndex; submit=Submit; eligible=Eligible; start=Start; "
        "end=End; run=ElapsedRaw; run=Elapsed; suspended=Suspended; limit=TimelimitRaw [min]; "
        "limit=Timelimit [min]; nodes=AllocNodes; nodes=AllocTRES [node]; nodes=NNodes; "
        "requested_nodes=ReqNodes; requested_nodes=ReqTRES [node]; processors=AllocCPUS; "
        "processors=AllocTRES [cpu]; processors=NCPUS; requested_processors=ReqCPUS; "
        "requested_processors=ReqTRES [cpu]; gpus=AllocTRES [gres/gpu]; gpus=ReqTRES [gres/gpu]; "
        "gpus=AllocGRES [gpu]; gpus=ReqGRES [gpu]; cluster=Cluster; "
        "memory=ReqMem [MB]; memory=ReqTRES [mem]; memory=AllocTRES [mem]; user=User; "
        "group=Account; partition=Partition; qos=QOS; state=State; started_by=Flags; "
        "node_list=NodeList; submit_line=SubmitLine; priority=Priority; "
        "constraint=Constraints; licences=Licenses; requested_tres=ReqTRES"
    );
    return map;
}

bool ColumnMap::has_places() const {
    return is_given() && std::ranges::all_of(columns, [](const MappedColumn& mapped) {
               return std::ranges::all_of(mapped.column, is_digit);
           });
}

Separators separators_in(std::string_view column) {
    constexpr std::array<std::string_view, 14> texts{
        "JobName",
        "SubmitLine",
        "Comment",
        "AdminComment",
        "SystemComment",
        "WorkDir",
        "Container",
        "Extra",
        "WCKey",
        "Constraints",
        "Reservation",
        "Reason",
        "StdOut",
        "Licenses"};
    constexpr std::array<std::string_view, 12> names{
        "User",
        "Account",
        "Partition",
        "QOS",
        "Cluster",
        "Group",
        "NodeList",
        "Flags",
        "ReqTRES",
        "AllocTRES",
        "ReqGRES",
        "AllocGRES"};
    const auto is_it = [column](std::string_view name) {
        return is_same(column, name);
    };
    return std::ranges::any_of(texts, is_it)   ? Separators::likely
           : std::ranges::any_of(names, is_it) ? Separators::unlikely
                                               : Separators::never;
}

}  // namespace schedfarm::models::trace
