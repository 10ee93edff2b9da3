#include "app/cli/commands/gantt_command.hpp"

#include <cstdio>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include "models/trace/prepared_log.hpp"
#include "policies/slurm/site/site.hpp"

#include "results_schema/result_io.hpp"

#include "app/campaign/yaml/reader.hpp"
#include "app/cli/commands/options/output_guard.hpp"
#include "app/cli/commands/options/results_guard.hpp"
#include "app/report/result_view.hpp"
#include "app/report/schedule_tables.hpp"
#include "app/run/journal/replayed_segments.hpp"

namespace schedfarm::app {

namespace {

using results_schema::JobLogId;
using results_schema::ResultFile;

std::string segments_of(const ResultFile& results, const JobLogId& id, const std::string& input) {
    const ReplayedSchedule replayed = replayed_schedule(results, id, input);
    if (std::ranges::any_of(replayed.segments, [](auto& own) { return !own.shares.empty(); })) {
        spdlog::info(
            "which processors of a cluster jobs held is not known: each has the lowest free ones"
        );
    }
    const auto job_of = [](const engine::RunSegment& segment) {
        return NamedJob{static_cast<std::int64_t>(segment.job), segment.begin};
    };
    return segments_table(replayed.segments, replayed.clusters, job_of, replayed.outages);
}

/// The nodes of slurm.conf, where the policy of the cell has one.
std::string names_of_nodes(const ResultFile& results, const JobLogId& id) {
    std::string text = "job,submit,start,finish,processors,ranges,kind,user\n";
    const Node policy =
        read_yaml("", column_of<Texts>(table_of(results, "cells"), "policy").at(id.cell));
    if (const Node* const given = policy.find("slurm")) {
        engine::Parameters files;
        for (const char* name : {"conf", "associations", "qos", "changes", "accept"}) {
            files.set(name, "");
        }
        for (const Node::Entry& entry : given->entries) {
            files.set(entry.key, entry.value->scalar);
        }
        std::uint32_t first = 0;
        for (const auto& node :
             policies::slurm::read_site(policies::slurm::site_files(files)).settings.nodes) {
            text += node_line(node.name, {.first = {first}, .count = node.cpus});
            first += node.cpus;
        }
    }
    return text;
}

const char* word(engine::NodeSpan::Kind kind) {
    switch (kind) {
        case engine::NodeSpan::Kind::running:
            return "running";
        case engine::NodeSpan::Kind::loading:
            return "loading";
        default:
            return "resident";
    }
}

std::string spans_of_nodes(
    const ResultFile& results, const JobLogId& id, const std::string& input
) {
    const ReplayedNodes replayed = replayed_nodes(results, id, input);
    std::string text = "job,kind,begin,end,first,last,memory\n";
    const auto add =
        [&text](auto job, const char* kind, const auto& span, auto& on, double memory) {
            const std::uint32_t first = on.first.value;
            const std::uint32_t last = first + on.count - 1;
            text += fmt::format(
                "{},{},{},{},{},{},{}\n", job, kind, span.begin, span.end, first, last, memory
            );
        };
    for (const engine::NodeSpan& span : replayed.spans) {
        add(span.job, word(span.kind), span, span.nodes, span.memory);
    }
    for (const engine::OutageSpan& span : replayed.outages) {
        add(-1, "out_of_order", span, span.processors, 0);
    }
    return text;
}

std::string table_of_log(const GanttCommand& options) {
    SimulationRequest request = options.log;
    request.trace = options.input;
    const auto reading = trace_settings(request, read_workload(request).choice.parameters).reading;
    std::string left_out;
    std::string text = log_table(models::trace::opened_log(options.input, reading), left_out);
    if (!left_out.empty()) {
        spdlog::info("{}", left_out);
    }
    return text;
}

std::string raw_table(const GanttCommand& options) {
    if (options.raw == RawTable::jobs) {
        return table_of_log(options);
    }
    const JobLogId id{.cell = options.cell, .replication = options.replication};
    const ResultFile results = results_schema::read_results(options.input);
    return options.raw == RawTable::segments ? segments_of(results, id, options.input)
           : options.raw == RawTable::names  ? names_of_nodes(results, id)
                                             : spans_of_nodes(results, id, options.input);
}

}  // namespace

ExitCode gantt_command(const GanttCommand& options, const Words& words) {
    if (options.raw) {
        const std::string table = raw_table(options);
        std::fwrite(table.data(), 1, table.size(), stdout);
        return ExitCode::done;
    }
    expect_results(options.input);
    expect_other_file(options.output, options.input);
    return run_package(words);
}

}  // namespace schedfarm::app
