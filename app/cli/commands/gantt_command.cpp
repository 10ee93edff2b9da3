#include "app/cli/commands/gantt_command.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <iterator>
#include <numeric>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <spdlog/spdlog.h>

#include "models/trace/prepared_log.hpp"
#include "models/trace/reading/log_error.hpp"

#include "results_schema/result_io.hpp"

#include "app/cli/commands/options/output_guard.hpp"
#include "app/cli/commands/options/results_guard.hpp"
#include "app/cli/commands/package.hpp"
#include "app/cli/explain.hpp"
#include "app/report/schedule/job_exports.hpp"
#include "app/report/schedule/job_sources.hpp"
#include "app/run/journal/replayed_segments.hpp"
#include "app/simulate/output_file.hpp"

namespace schedfarm::app {

namespace {

namespace fs = std::filesystem;
using models::trace::LogError;

enum class InputKind : std::uint8_t { ranks, job_table, log, job_log };

/// What is drawn: by the first bytes of the input; by its suffix where they say nothing or it
/// cannot be read, which its reader will explain.
InputKind kind_of(const GanttCommand& options) {
    const std::string& input = options.input;
    std::string begin(4, '\0');
    std::ifstream file(input, std::ios::binary);
    file.read(begin.data(), static_cast<std::streamsize>(begin.size()));
    if (!options.log.reading.empty()) {
        return InputKind::log;
    }
    if (input == "-" || begin == "job,") {
        return InputKind::job_table;
    }
    const std::string suffix = fs::path(input).extension().string();
    if (begin == "\x89HDF" || suffix == ".h5" || suffix == ".hdf5") {
        return options.cell ? InputKind::job_log : InputKind::ranks;
    }
    return suffix == ".csv" ? InputKind::job_table : InputKind::log;
}

constexpr const char* figure = "figure";  // a format beside those of --format

bool is_figure(const fs::path& output) {
    const std::string suffix = output.extension().string();
    return suffix == ".pdf" || suffix == ".svg" || suffix == ".png" || suffix == ".pgf";
}

std::string gantt_format_of(const GanttCommand& options) {
    if (!options.format.empty()) {
        return options.format;
    }
    if (is_figure(options.output)) {
        return figure;
    }
    const std::string suffix = options.output.extension().string();
    if (suffix.empty() || suffix == ".txt") {
        return "text";
    }
    if (suffix == ".csv") {
        return "csv";
    }
    throw UsageError(fmt::format(
        "{}: the suffix names no format (they are .txt, .csv, and of figures .pdf, .svg, .png, "
        ".pgf). Add --format",
        options.output.string()
    ));
}

Words drawing_words(const GanttCommand& options, const std::string& format) {
    Words words{"gantt", "--format=" + format, "--output=" + options.output.string()};
    if (!options.style.empty()) {
        words.push_back("--style=" + options.style);
    }
    return words;
}

ExitCode draw_ranks(const GanttCommand& options, const std::string& format) {
    Words words = drawing_words(options, format);
    if (options.run) {
        words.push_back(fmt::format("--run={}", *options.run));
    }
    words.insert(words.end(), {"--", options.input});
    return run_package(words);
}

std::string table_text(const std::string& input) {
    if (input == "-") {
        return {std::istreambuf_iterator<char>(std::cin), {}};
    }
    std::error_code error;
    std::ifstream file;
    if (!fs::is_directory(input, error)) {
        file.open(input, std::ios::binary);
    }
    std::string text{std::istreambuf_iterator<char>(file), {}};
    if (!file.is_open()) {
        throw LogError(
            input + ": the table of jobs cannot be read (there is no such file, or it is closed to "
                    "you). Is the path right?"
        );
    }
    return text;
}

JobSchedule schedule_of_results(const GanttCommand& options) {
    const results_schema::JobLogId id{.cell = *options.cell, .replication = options.replication};
    const auto log = job_log_of(options.input, id);
    const results_schema::ResultFile results = results_schema::read_results(options.input);
    ReplayedSchedule replayed;
    if (!tells_all(log, results)) {
        replayed = replayed_schedule(results, id, options.input);
    }
    try {
        JobSchedule schedule =
            schedule_of_job_log(log, replayed.segments, results, options.processors);
        schedule.outages = std::move(replayed.outages);
        return schedule;
    } catch (const results_schema::ResultError& error) {
        throw results_schema::ResultError(fmt::format("{}: {}", options.input, error.what()));
    }
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

std::string node_table(const GanttCommand& options) {
    const results_schema::JobLogId id{.cell = *options.cell, .replication = options.replication};
    job_log_of(options.input, id);  // throws where there is none
    const ReplayedNodes replayed =
        replayed_nodes(results_schema::read_results(options.input), id, options.input);
    std::string text = "job,kind,begin,end,first,last,memory\n";
    for (const engine::NodeSpan& span : replayed.spans) {
        const std::uint32_t first = span.nodes.first.value;
        text += fmt::format(
            "{},{},{},{},{},{},{}\n",
            span.job,
            word(span.kind),
            span.begin,
            span.end,
            first,
            first + span.nodes.count - 1,
            span.memory
        );
    }
    for (const engine::OutageSpan& span : replayed.outages) {
        const std::uint32_t first = span.processors.first.value;
        text += fmt::format(
            "{},{},{},{},{},{},0\n",
            no_job,
            out_of_order,
            span.begin,
            span.end,
            first,
            first + span.processors.count - 1
        );
    }
    return text;
}

ExitCode draw_nodes(const GanttCommand& options) {
    Words words = drawing_words(options, figure);
    words.push_back(fmt::format("--cell={}", *options.cell));
    words.push_back(fmt::format("--replication={}", options.replication));
    if (options.view.from_s) {
        words.push_back(fmt::format("--from={}", *options.view.from_s));
    }
    if (options.view.to_s) {
        words.push_back(fmt::format("--to={}", *options.view.to_s));
    }
    words.insert(words.end(), {"--", options.input});
    return run_package(words);
}

models::trace::Reading reading_of(const GanttCommand& options) {
    SimulationRequest request = options.log;
    request.trace = options.input;
    return trace_settings(request, read_workload(request).choice.parameters).reading;
}

JobSchedule schedule_of(const GanttCommand& options, InputKind kind) {
    switch (kind) {
        case InputKind::job_table: {
            JobSchedule schedule = schedule_of_table(
                table_text(options.input),
                options.input,
                options.clusters.empty()
                    ? options.processors
                    : std::accumulate(
                        options.clusters.begin(), options.clusters.end(), std::uint32_t{0}
                    )
            );
            schedule.time_unit = options.unit.value_or("s");
            schedule.clusters = options.clusters;
            return schedule;
        }
        case InputKind::log:
            return schedule_of_log(
                models::trace::opened_log(options.input, reading_of(options)), options.processors
            );
        default:
            return schedule_of_results(options);
    }
}

/// The schedule, called after its file; tells its notes.
JobSchedule named_schedule(const GanttCommand& options, InputKind kind) {
    JobSchedule schedule = schedule_of(options, kind);
    const std::string file =
        options.input == "-" ? "standard input" : fs::path(options.input).filename().string();
    schedule.name = kind == InputKind::job_log ? file + ", " + schedule.name : file;
    for (const std::string& note : schedule.notes) {
        spdlog::info("{}", note);
    }
    return schedule;
}

void check_window(const JobSchedule& schedule, const GanttView& view) {
    const double from = view.from_s.value_or(schedule.begin_s());
    const double to = view.to_s.value_or(schedule.end_s());
    const bool is_part = view.from_s || view.to_s;
    const bool is_empty =
        is_part && (from >= to || to <= schedule.begin_s() || from >= schedule.end_s());
    if (is_empty) {
        throw UsageError(fmt::format(
            "there is nothing from {0} {4} to {1} {4} (the schedule lies from {2} {4} to {3} {4}). "
            "Choose other --from and --to",
            from,
            to,
            schedule.begin_s(),
            schedule.end_s(),
            schedule.time_unit
        ));
    }
}

ExitCode draw_jobs(
    const GanttCommand& options, const JobSchedule& schedule, const std::string& format
) {
    Words words = drawing_words(options, format);
    const auto add = [&words](const char* option, const auto& value) {
        words.push_back(fmt::format("{}={}", option, value));
    };
    const double from = options.view.from_s.value_or(schedule.begin_s());
    const double to = options.view.to_s.value_or(schedule.end_s());
    add("--name", schedule.name);
    add("--processors", schedule.processors);
    if (schedule.clusters.size() > 1) {
        add("--clusters", fmt::format("{}", fmt::join(schedule.clusters, ",")));
    }
    add("--unit", schedule.time_unit);
    add("--from", from);
    add("--to", to > from ? to : from + std::max(1.0, std::abs(from) * 1e-9));
    if (!options.colour.empty()) {
        add("--colour", options.colour);
    }
    if (options.has_trees) {
        words.emplace_back("--trees");
    }
    words.insert(words.end(), {"--", "-"});
    return run_package(words, jobs_table(schedule));
}

void check_words(const GanttCommand& options, InputKind kind, const std::string& format) {
    const bool of_results = options.run || options.cell || options.subject == GanttSubject::ranks;
    const bool has_results = kind == InputKind::ranks || kind == InputKind::job_log;
    if (of_results && !has_results) {
        throw UsageError(
            options.input
            + ": --ranks, --run and --cell are of result files (this one has jobs). Leave them out"
        );
    }
    if (options.unit && kind != InputKind::job_table) {
        throw UsageError(
            options.input
            + ": --unit is of tables of jobs (this file tells the unit of its times). Leave it out"
        );
    }
    if (format == "nodes" && kind != InputKind::job_log) {
        throw UsageError(
            options.input
            + ": what nodes did is known of logged replications (this names none). Add --cell"
        );
    }
    const bool has_window = options.view.from_s || options.view.to_s;
    const bool is_whole = format == "csv" || (format == "nodes" && !is_figure(options.output));
    if (has_window && (is_whole || kind == InputKind::ranks)) {
        throw UsageError(
            "--from and --to choose a part of a drawing of jobs (other formats and the ranks are "
            "given whole). Leave them out, or draw a text or a figure"
        );
    }
}

void expect_no_campaign(const fs::path& input) {
    if (input.extension() == ".yaml" || input.extension() == ".yml") {
        throw UsageError(fmt::format(
            "{}: this is a campaign (nothing in it has run). Name its result file, such as {}.h5",
            input.string(),
            input.stem().string()
        ));
    }
}

/// Its first bytes say what a file is; of a pipe they would then be lost.
void expect_readable_twice(const std::string& input) {
    std::error_code error;
    const fs::file_status status = fs::status(input, error);
    if (fs::is_fifo(status) || fs::is_character_file(status)) {
        throw UsageError(
            input
            + ": what it is cannot be told (it is no regular file). Name a file, or write - for a "
              "table of jobs on standard input"
        );
    }
}

}  // namespace

ExitCode gantt_command(const GanttCommand& options) {
    const std::string format = gantt_format_of(options);
    expect_no_campaign(options.input);
    expect_results(options.input);
    expect_other_file(options.output, options.input);
    expect_readable_twice(options.input);
    const InputKind kind = kind_of(options);
    check_words(options, kind, format);
    std::string chart;
    if (format == "nodes") {
        if (is_figure(options.output)) {
            return draw_nodes(options);
        }
        chart = node_table(options);
    } else if (kind == InputKind::ranks) {
        return draw_ranks(options, format);
    } else {
        const JobSchedule schedule = named_schedule(options, kind);
        if (format != "csv") {
            check_window(schedule, options.view);
            return draw_jobs(options, on_machine(schedule), format);
        }
        chart = jobs_table(schedule);
    }
    if (options.output.empty()) {
        std::fwrite(chart.data(), 1, chart.size(), stdout);
    } else {
        write_output(options.output, chart);
    }
    return ExitCode::done;
}

}  // namespace schedfarm::app
