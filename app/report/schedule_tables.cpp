#include "app/report/schedule_tables.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "engine/foundation/message_text.hpp"
#include "engine/foundation/node_names.hpp"
#include "engine/simulation/kernel/processor_ranges.hpp"

#include "models/trace/reading/log_error.hpp"
#include "models/trace/reading/number.hpp"
#include "models/trace/writing/table_writer.hpp"

namespace schedfarm::app {

namespace {

using engine::ProcessorRange;
using engine::RunSegment;
using models::trace::Log;
using models::trace::Status;

constexpr const char* columns = "job,submit,start,finish,processors,ranges,kind";

/// As the simulator does it: at one instant what takes no time comes first.
void put_in_order(std::vector<RunSegment>& segments) {
    const auto key = [](const RunSegment& segment) {
        return std::tuple(segment.begin, segment.end > segment.begin, segment.job);
    };
    std::ranges::stable_sort(segments, std::less<>(), key);
}

std::uint32_t share_of(const RunSegment& segment, std::size_t cluster) {
    for (const engine::ClusterShare& share : segment.shares) {
        if (share.cluster.value == cluster) {
            return share.count;
        }
    }
    return 0;
}

/// REQUIRES: in order of time.
void name_processors(
    std::vector<RunSegment>& segments, const std::vector<std::uint32_t>& clusters
) {
    std::uint32_t first = 0;
    for (std::size_t cluster = 0; cluster < clusters.size(); first += clusters[cluster++]) {
        engine::JobLog log;
        for (const RunSegment& segment : segments) {
            log.start.push_back(segment.begin);
            log.finish.push_back(segment.end);
            log.size.push_back(share_of(segment, cluster));
        }
        const engine::JobProcessors named = engine::lowest_free_processors(log, clusters[cluster]);
        for (std::size_t i = 0; i < segments.size(); ++i) {
            for (ProcessorRange range : named.of(i)) {
                range.first.value += first;
                segments[i].processors.push_back(range);
            }
        }
    }
}

std::int32_t processors_of(const Log& log, std::size_t row) {
    const std::int32_t allocated = log.allocated_processors[row];
    return allocated > 0 ? allocated : log.requested_processors[row];
}

/// Why the job is not drawn; null: it is.
const char* why_left_out(const Log& log, std::size_t row) {
    const std::int32_t status = log.status[row];
    const bool is_part = status >= static_cast<int>(Status::partial)
                         && status <= static_cast<int>(Status::last_of_failed);
    return is_part                        ? "part of a job"
           : processors_of(log, row) <= 0 ? "no processors"
           : log.submit_time[row] < 0     ? "no submit time"
           : log.wait_time[row] < 0       ? "no wait time"
           : log.run_time[row] < 0        ? "no run time"
                                          : nullptr;
}

/// Numbers in names compare as numbers: n2 comes before n10.
struct ByNumber {
    bool operator()(const std::string& a, const std::string& b) const {
        const auto key = [](const std::string& name) {
            const std::size_t digits = name.find_last_not_of("0123456789") + 1;
            return std::tuple(
                name.substr(0, digits),
                models::trace::parse_integer(std::string_view(name).substr(digits)).value_or(-1),
                name
            );
        };
        return key(a) < key(b);
    }
};

/// The nodes of a log and which of them its jobs held, by number of the list; none where it does
/// not name them for each of these rows.
struct Nodes {
    std::map<std::string, std::uint32_t, ByNumber> numbers;
    std::map<std::int32_t, std::vector<ProcessorRange>> held;
};

Nodes nodes_of(const Log& log, const std::vector<std::size_t>& rows) {
    Nodes nodes;
    std::map<std::int32_t, std::vector<std::string>> lists;
    for (const std::size_t row : rows) {
        const std::int32_t list = log.node_list[row];
        if (list >= 0 && !lists.contains(list)) {
            lists[list] = engine::nodes_in(log.node_lists[static_cast<std::size_t>(list)])
                              .value_or(std::vector<std::string>());
            for (const std::string& node : lists[list]) {
                nodes.numbers.emplace(node, 0);
            }
        }
        if (list < 0 || lists[list].empty()) {
            return {};
        }
    }
    std::uint32_t next = 0;
    for (auto& [node, number] : nodes.numbers) {
        number = next++;
    }
    for (const auto& [list, names] : lists) {
        std::vector<std::uint32_t> own;
        for (const std::string& node : names) {
            own.push_back(nodes.numbers.at(node));
        }
        std::ranges::sort(own);
        std::vector<ProcessorRange>& ranges = nodes.held[list];
        for (const std::uint32_t number : own) {
            if (!ranges.empty() && ranges.back().first.value + ranges.back().count == number) {
                ++ranges.back().count;
            } else {
                ranges.push_back({.first = {number}, .count = 1});
            }
        }
    }
    return nodes;
}

std::string left_out_text(const std::map<std::string, std::uint64_t>& reasons) {
    std::uint64_t all = 0;
    std::string why;
    for (const auto& [reason, lines] : reasons) {
        all += lines;
        why += fmt::format("{}{} {}", why.empty() ? "" : ", ", lines, reason);
    }
    return all == 0 ? ""
                    : fmt::format("{} of the log left out ({})", engine::counted(all, "line"), why);
}

}  // namespace

std::string ranges_text(std::span<const ProcessorRange> ranges) {
    std::string text;
    for (const ProcessorRange& range : ranges) {
        const std::uint32_t first = range.first.value;
        text += text.empty() ? "" : " ";
        text += range.count == 1 ? std::to_string(first)
                                 : fmt::format("{}-{}", first, first + range.count - 1);
    }
    return text;
}

std::string segments_table(
    std::vector<RunSegment> segments,
    const std::vector<std::uint32_t>& clusters,
    const std::function<NamedJob(const RunSegment&)>& job_of,
    const std::vector<engine::OutageSpan>& outages
) {
    put_in_order(segments);
    const bool has_shares = std::ranges::any_of(segments, [](const RunSegment& segment) {
        return !segment.shares.empty();
    });
    if (has_shares) {
        name_processors(segments, clusters);
    }
    const bool has_homes = clusters.size() > 1;
    std::string text = std::string(columns) + (has_homes ? ",user,home\n" : "\n");
    for (const RunSegment& segment : segments) {
        const NamedJob job = job_of(segment);
        text += fmt::format(
            "{},{},{},{},{},{},running{}\n",
            job.number,
            job.submit,
            segment.begin,
            segment.end,
            segment.size,
            ranges_text(segment.processors),
            has_homes ? fmt::format(",,{}", segment.origin + 1) : ""
        );
    }
    for (const engine::OutageSpan& span : outages) {
        text += fmt::format(
            "-1,{},{},{},{},{},out_of_order{}\n",
            span.begin,
            span.begin,
            span.end,
            span.processors.count,
            ranges_text({&span.processors, 1}),
            has_homes ? ",," : ""
        );
    }
    return text;
}

std::string log_table(const Log& log, std::string& left_out) {
    std::map<std::string, std::uint64_t> reasons;
    std::vector<std::size_t> rows;
    for (std::size_t row = 0; row < log.jobs(); ++row) {
        if (const char* const reason = why_left_out(log, row)) {
            ++reasons[reason];
        } else {
            rows.push_back(row);
        }
    }
    left_out = left_out_text(reasons);
    if (rows.empty()) {
        throw models::trace::LogError(
            log.name + ": no job can be drawn (" + (left_out.empty() ? "there is none" : left_out)
            + "). Simulate the log and draw the table of simulate --jobs."
        );
    }
    Nodes nodes = nodes_of(log, rows);
    std::string text = std::string(columns) + ",user\n";
    for (const std::size_t row : rows) {
        const double start = log.submit_time[row] + log.wait_time[row];
        text += fmt::format(
            "{},{},{},{},{},{},running,{}\n",
            log.job_number[row],
            log.submit_time[row],
            start,
            start + log.run_time[row],
            processors_of(log, row),
            ranges_text(nodes.held[log.node_list[row]]),
            log.user[row] >= 0 ? std::to_string(log.user[row]) : ""
        );
    }
    for (const auto& [name, number] : nodes.numbers) {
        text += node_line(name, {.first = {number}, .count = 1});
    }
    return text + fmt::format("-1,0,0,0,{},,machine,\n", log.header.processors().value_or(0));
}

std::string node_line(const std::string& name, const ProcessorRange& processors) {
    return fmt::format(
        "{},0,0,0,{},{},node,\n",
        models::trace::csv_cell(name),
        processors.count,
        ranges_text({&processors, 1})
    );
}

}  // namespace schedfarm::app
