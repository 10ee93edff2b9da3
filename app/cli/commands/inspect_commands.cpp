#include <algorithm>
#include <cstdio>
#include <numeric>
#include <system_error>

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include "engine/foundation/message_text.hpp"
#include "engine/foundation/utf8.hpp"
#include "engine/simulation/kernel/run_end.hpp"

#include "results_schema/checks/validation.hpp"
#include "results_schema/result_io.hpp"

#include "app/campaign/checks/time_unit.hpp"
#include "app/campaign/keys/describe.hpp"
#include "app/campaign/plan/plan_warnings.hpp"
#include "app/campaign/yaml/config_error.hpp"
#include "app/campaign/yaml/source.hpp"
#include "app/cli/commands/commands.hpp"
#include "app/cli/commands/options/output_name.hpp"
#include "app/cli/commands/options/results_guard.hpp"
#include "app/cli/commands/package.hpp"
#include "app/cli/commands/plot_command.hpp"
#include "app/cli/explain.hpp"
#include "app/report/plain_table.hpp"
#include "app/report/result_view.hpp"
#include "app/run/rules/precision_rule.hpp"
#include "app/simulate/output_file.hpp"

namespace schedfarm::app {

namespace {

void print_result(const std::string& text) {
    std::fputs(text.c_str(), stdout);
}

/// Why a replication ended before its counted jobs had left.
std::string queue_limit_note(
    const engine::Horizon& horizon, const engine::QueueOverflow& overflow
) {
    const std::uint64_t most = engine::most_uncounted(horizon);
    const std::string reason =
        overflow.jobs_submitted > horizon.jobs + most
            ? fmt::format(
                "more than {} jobs came after those that are counted, of which some still waited,",
                most
            )
            : fmt::format("more than {} jobs waited", horizon.queue_limit);
    return fmt::format(
        "{} at time {}, after {} jobs: the replication ended there",
        reason,
        overflow.time,
        overflow.jobs_submitted
    );
}

/// Replications of a cell, at least and at most.
engine::ReplicationLimits bounds_of(const Plan& plan, const Cell& cell) {
    if (cell.load_search) {
        return {cell.load_search->round, cell.replications.limits.max};
    }
    if (plan.selection) {
        return {plan.selection->settings.first_stage, plan.selection->settings.max};
    }
    engine::ReplicationLimits limits = effective_limits(cell);
    if (cell.replications.targets.empty() && !plan.comparison) {
        limits.min = limits.max;
    }
    return limits;
}

std::string replications_text(const engine::ReplicationLimits& limits) {
    return limits.min == limits.max ? std::to_string(limits.max)
                                    : fmt::format("{}..{}", limits.min, limits.max);
}

/// The cell's levels; a pilot has those only that all cells share whose loads it places.
std::vector<std::string> level_labels(const Plan& plan, const Cell& cell) {
    std::vector<std::string> labels;
    for (const FactorLevel& column : plan.cells.front().levels) {
        const auto own =
            std::find_if(cell.levels.begin(), cell.levels.end(), [&](const FactorLevel& level) {
                return level.factor == column.factor;
            });
        labels.push_back(own == cell.levels.end() ? "pilot" : own->label);
    }
    return labels;
}

TextTable cells_table(const Plan& plan) {
    TextTable table;
    table.title = plan.name;
    table.columns = {{"cell", Alignment::right}};
    for (const FactorLevel& level : plan.cells.front().levels) {
        const std::size_t dot = level.factor.rfind('.');
        table.columns.push_back(
            {dot == std::string::npos ? level.factor : level.factor.substr(dot + 1),
             Alignment::left}
        );
    }
    table.columns.push_back({"replications", Alignment::right});
    std::uint64_t least = 0;
    std::uint64_t most = 0;
    for (const Cell& cell : plan.cells) {
        const engine::ReplicationLimits bounds = bounds_of(plan, cell);
        std::vector<std::string> row{std::to_string(cell.index)};
        for (std::string& label : level_labels(plan, cell)) {
            row.push_back(std::move(label));
        }
        row.push_back(replications_text(bounds));
        table.rows.push_back(std::move(row));
        least += bounds.min;
        most += bounds.max;
    }
    table.notes.push_back(fmt::format(
        "{}, {}{}; plan {:.12}",
        engine::counted(plan.cells.size(), "cell"),
        engine::counted(least, "replication"),
        least == most ? "" : " or more",
        plan.plan_hash
    ));
    return table;
}

/// A replication is replayed over the logs that the campaign was run with, or not at all.
void expect_logs_of_run(const ReplayCommand& options, const Plan& plan, const Cell& cell) {
    const bool is_named = !options.output.empty();
    const std::filesystem::path journal =
        is_named ? journal_of(options.output) : journal_path(default_output(options.campaign));
    if (is_named && !std::filesystem::exists(journal)) {
        throw engine::JournalError(fmt::format(
            "{}: there is no such journal (of the run that the replication belongs to). Name its "
            "result file, or leave --output out",
            journal.string()
        ));
    }
    if (is_named) {
        expect_run_of(journal, plan, cell);
    } else if (!expect_same_logs(journal, plan, cell)) {
        spdlog::warn(
            "{}: of another version of the campaign (the replay is not held to its logs)",
            journal.string()
        );
    }
}

/// What a result file made of journals lacks.
void warn(const RunSummary& summary, const std::string& suggestion) {
    for (const std::string& text : summary.warnings) {
        spdlog::warn("{}", text);
    }
    if (summary.undecided_cells > 0) {
        spdlog::warn(
            "{} of {} {} undecided (the result file is provisional). {}",
            summary.undecided_cells,
            engine::counted(summary.cells, "cell"),
            summary.undecided_cells == 1 ? "is" : "are",
            suggestion
        );
    }
    if (summary.failed > 0) {
        spdlog::error(
            "{} failed: `{}` says why and how to replay each",
            engine::counted(summary.failed, "replication"),
            engine::program_command({"report", summary.output})
        );
    }
}

/// Whether the payload is another than its hash says, as far as this program knows the schema.
std::vector<std::string> changes_of(const results_schema::ResultFile& results) {
    const std::string known =
        fmt::format("{}.{}", results_schema::schema_major, results_schema::schema_minor);
    return text_attribute(results, "schema_version") == known
               ? results_schema::payload_problems(results)
               : std::vector<std::string>();
}

/// Of a site without Python.
ExitCode plain_report(const results_schema::ResultFile& results) {
    const std::string defects = defects_text(results);
    print_result((defects.empty() ? "" : defects + "\n\n") + render(plain_table(results)));
    return ExitCode::done;
}

}  // namespace

ExitCode plan_command(const PlanCommand& options) {
    Plan plan = make_plan(load_source(options.campaign));
    plan_in_package(plan);
    for (const std::string& warning : plan_warnings(plan)) {
        spdlog::warn("{}", warning);
    }
    if (options.format == "json") {
        print_result(plan.effective);
    } else {
        print_result(
            render(cells_table(plan)) + "\nEffective configuration:\n\n"
            + engine::without_controls(plan.effective, engine::LineBreaks::keep)
        );
    }
    return ExitCode::done;
}

ExitCode replay_command(const ReplayCommand& options) {
    const Plan plan = make_plan(load_source(options.campaign));
    if (options.cell >= plan.cells.size()) {
        spdlog::error(
            "no cell {} (the campaign has {}). See `{}`",
            options.cell,
            plan.cells.size() == 1 ? "cell 0 alone"
                                   : fmt::format("cells 0 to {}", plan.cells.size() - 1),
            engine::program_command({"plan", options.campaign})
        );
        return ExitCode::usage;
    }
    const Cell& cell = plan.cells[options.cell];
    expect_logs_of_run(options, plan, cell);
    const bool load_is_found = cell.placed_load || cell.load_search;
    if (load_is_found != options.utilization.has_value()) {
        const char* const what =
            load_is_found
                ? "the load of cell {} is found by the program. Give it with --utilization, as the "
                  "result file's tables 'cells' and 'search_steps' tell it"
                : "the campaign gives the load of cell {}. Leave --utilization out";
        spdlog::error(fmt::runtime(what), options.cell);
        return ExitCode::usage;
    }
    let_code_run();
    expect_own_code({cell.policy.get()}, files_of(plan.source, options.campaign), options.code);
    const engine::Observations observations =
        run_replication(cell, {options.replication, options.utilization}, options.kernel);
    TextTable table;
    table.title =
        fmt::format("{}, cell {}, replication {}", plan.name, cell.index, options.replication);
    table.columns = {
        {"observation", Alignment::left}, {"value", Alignment::right}, {"unit", Alignment::left}};
    if (observations.overflow) {
        table.notes.push_back(queue_limit_note(cell.experiment.horizon, *observations.overflow));
    }
    for (std::size_t i = 0; i < cell.measures->columns.size(); ++i) {
        table.rows.push_back(
            {cell.measures->columns[i].name,
             fmt::format("{}", observations.values[i]),
             in_unit(cell.measures->columns[i].unit, plan.time_unit)}
        );
    }
    table.notes.push_back(fmt::format(
        "{}, fingerprint {:016x}",
        engine::counted(observations.jobs, "job"),
        observations.fingerprint
    ));
    print_result(render(table));
    return ExitCode::done;
}

ExitCode report_command(const ReportCommand& options, Words words) {
    const bool is_page = options.format == "html"
                         || (options.format.empty() && options.output.extension() == ".html");
    if (is_page == options.output.empty()) {
        spdlog::error(
            "{}: a page goes to a file, and all else to standard output. Write --output page.html, "
            "or leave --output out",
            options.results.string()
        );
        return ExitCode::usage;
    }
    if (!options.table.empty() && (is_page || options.format == "warnings")) {
        spdlog::error(
            "--table {}: {} is of the whole report. Take text, markdown, latex, csv or json.",
            options.table,
            is_page ? "html" : options.format
        );
        return ExitCode::usage;
    }
    if (is_page) {
        return draw(options.results, options.output, words);
    }
    expect_results(options.results);
    const results_schema::ResultFile results = results_schema::read_results(options.results);
    if (const auto changes = changes_of(results); !changes.empty()) {
        spdlog::error(
            "{}: changed after it was written ({}). `{}` lists all that is wrong",
            options.results.string(),
            changes.front(),
            engine::program_command({"check", options.results})
        );
        return ExitCode::finished_short;
    }
    const auto& computed = column_of<Counts>(table_of(results, "cells"), "replications_computed");
    const std::uint64_t here = std::accumulate(computed.begin(), computed.end(), std::uint64_t{0});
    if (const std::string text = newer_journal_text(options.results, here); !text.empty()) {
        spdlog::warn("{}", text);
    }
    if (options.is_plain) {
        return plain_report(results);
    }
    const bool is_text =
        options.table.empty() && (options.format.empty() || options.format == "text");
    words.insert(words.begin() + 1, "--sound");
    const ExitCode failed = run_package(words);
    return is_text ? plain_report(results) : failed;
}

namespace {

/// Of replications that are there, results are written whatever is wrong in what is said of them.
void plan_what_is_right(Plan& plan) {
    try {
        plan_in_package(plan);
    } catch (const ConfigErrors& errors) {
        for (const ConfigProblem& problem : errors.problems()) {
            spdlog::warn("{}", problem.text());
        }
    }
}

}  // namespace

ExitCode rebuild_command(const RebuildCommand& options) {
    const std::filesystem::path journal = journal_of(options.journal);
    std::filesystem::path output = options.output;
    if (output.empty()) {
        output = journal;
        output.replace_extension();  // drops ".journal"
    }
    std::error_code error;
    if (std::filesystem::exists(journal, error)) {  // else its reader says so
        expect_can_be_written(output);
    }
    const RunSummary summary = rebuild(journal, output, plan_what_is_right);
    warn(
        summary, fmt::format("`{}` says how to go on", engine::program_command({"status", journal}))
    );
    print_result(fmt::format(
        "{} of the journal written to {}\n",
        engine::counted(summary.reused, "replication"),
        output.string()
    ));
    return explain_defects(summary, summary.failed > 0 ? ExitCode::finished_short : ExitCode::done);
}

ExitCode merge_command(const MergeCommand& options) {
    expect_can_be_written(options.output);
    const RunSummary summary = merge(options.parts, options.output, plan_what_is_right);
    warn(summary, "Check whether a part is missing.");
    if (summary.left_out > 0) {
        spdlog::info("{}", left_out_text(summary.left_out));
    }
    print_result(fmt::format(
        "{} of {} joined in {}\n",
        engine::counted(summary.reused, "replication"),
        engine::counted(options.parts.size(), "part"),
        options.output.string()
    ));
    const bool is_short = summary.failed + summary.undecided_cells > 0;
    return explain_defects(summary, is_short ? ExitCode::finished_short : ExitCode::done);
}

ExitCode init_command(const std::filesystem::path& path) {
    std::error_code error;  // write_output() explains it
    if (std::filesystem::exists(path, error)) {
        spdlog::error(
            "{}: the file is already there (it would be lost). Name another", path.string()
        );
        return ExitCode::usage;
    }
    const std::filesystem::path schema = shared_file("campaign.schema.json");
    const std::string first_line =
        std::filesystem::exists(schema, error)
            ? fmt::format("# yaml-language-server: $schema={}\n", schema.string())
            : "";
    write_output(path, first_line + init_template());
    print_result(fmt::format(
        "{} written. Run it with `{}`\n", path.string(), engine::program_command({"run", path})
    ));
    return ExitCode::done;
}

}  // namespace schedfarm::app
