#include <cstdio>

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include "results_schema/result_io.hpp"

#include "app/cli/commands/commands.hpp"
#include "app/report/diff/diff.hpp"

namespace schedfarm::app {

namespace {

DiffMode mode_of(const std::string& word) {
    if (word == "overlap") {
        return DiffMode::overlap;
    }
    return word == "paired" ? DiffMode::paired : DiffMode::bitwise;
}

void add_job_logs(const DiffCommand& options, DiffReport& report) {
    const JobLogDiff logs = diff_job_logs(options.first, options.second);
    for (const std::string& line : logs.lines) {
        report.outcome = DiffOutcome::different;
        report.lines.push_back("- " + line);
    }
    if (logs.logs > 0 && logs.lines.empty()) {
        report.lines.push_back(
            logs.logs == 1 ? "The job log in both is the same."
                           : fmt::format("The {} job logs in both are the same.", logs.logs)
        );
    }
}

}  // namespace

ExitCode diff_command(const DiffCommand& options) {
    if (!(options.confidence > 0 && options.confidence < 1)) {
        spdlog::error(
            "--confidence {} is not between 0 and 1 (it is a probability). For 95 % write 0.95",
            options.confidence
        );
        return ExitCode::usage;
    }
    const results_schema::ResultFile a = results_schema::read_results(options.first);
    const results_schema::ResultFile b = results_schema::read_results(options.second);
    DiffReport report = diff(
        {options.first.string(), &a},
        {options.second.string(), &b},
        {mode_of(options.mode), options.confidence, options.metric}
    );
    if (options.mode == "bitwise") {
        add_job_logs(options, report);
    }
    std::fputs(diff_text(report).c_str(), stdout);
    return report.outcome == DiffOutcome::same ? ExitCode::done : ExitCode::finished_short;
}

}  // namespace schedfarm::app
