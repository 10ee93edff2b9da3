// What a campaign may write in `report.metrics` beside the name of a metric:
//   least M, greatest M   the extreme of metric M over the replications used
//   A / B                 the ratio of the sums of A and B
//   wall_time_ms          the median wall time of a replication, which no result depends on
//   wall_time_ms beyond L the median of what it is longer than in the cell that has level L of one
//                         factor and else the same levels
// The plan resolves the metrics in it, the report computes it. Pure.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace schedfarm::app {

/// What a column is made of: "least makespan" → least, makespan; "a / b" → ratio, a, b.
struct RunColumn {
    enum class Kind : std::uint8_t { mean, least, greatest, ratio, wall_time };
    Kind kind = Kind::mean;
    std::string metric;
    std::string divisor;  ///< of a ratio
    std::string beyond;   ///< of a wall time: the level of the other cell; empty: none

    static constexpr std::string_view least_mark = "least ";
    static constexpr std::string_view greatest_mark = "greatest ";
    static constexpr std::string_view ratio_mark = " / ";
    static constexpr std::string_view wall_time_name = "wall_time_ms";
    static constexpr std::string_view beyond_mark = "wall_time_ms beyond ";
};

inline RunColumn parse_run_column(const std::string& text) {
    using Kind = RunColumn::Kind;
    if (text.starts_with(RunColumn::least_mark)) {
        return {Kind::least, text.substr(RunColumn::least_mark.size()), "", ""};
    }
    if (text.starts_with(RunColumn::greatest_mark)) {
        return {Kind::greatest, text.substr(RunColumn::greatest_mark.size()), "", ""};
    }
    if (text == RunColumn::wall_time_name || text.starts_with(RunColumn::beyond_mark)) {
        const std::size_t behind = std::min(text.size(), RunColumn::beyond_mark.size());
        return {Kind::wall_time, "", "", text.substr(behind)};
    }
    const std::size_t at = text.find(RunColumn::ratio_mark);
    if (at != std::string::npos) {
        const std::size_t behind = at + RunColumn::ratio_mark.size();
        return {Kind::ratio, text.substr(0, at), text.substr(behind), ""};
    }
    return {Kind::mean, text, "", ""};
}

/// As it is written; parse_run_column(text_of(c)) is c.
inline std::string text_of(const RunColumn& column) {
    switch (column.kind) {
        case RunColumn::Kind::least:
            return std::string(RunColumn::least_mark) + column.metric;
        case RunColumn::Kind::greatest:
            return std::string(RunColumn::greatest_mark) + column.metric;
        case RunColumn::Kind::ratio:
            return column.metric + std::string(RunColumn::ratio_mark) + column.divisor;
        case RunColumn::Kind::wall_time:
            return column.beyond.empty() ? std::string(RunColumn::wall_time_name)
                                         : std::string(RunColumn::beyond_mark) + column.beyond;
        case RunColumn::Kind::mean:
            break;
    }
    return column.metric;
}

}  // namespace schedfarm::app
