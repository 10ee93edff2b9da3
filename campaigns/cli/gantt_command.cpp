#include "campaigns/cli/gantt_command.hpp"

#include <cerrno>
#include <cstdio>
#include <fstream>
#include <system_error>

#include <fmt/format.h>

#include "results_schema/result_io.hpp"

#include "campaigns/report/rank_gantt.hpp"
#include "campaigns/run/run_campaign.hpp"

namespace schedfarm::campaigns {

namespace {

RankGantt chart_of(const GanttCommand& options) {
    const results_schema::ResultFile results = results_schema::read_results(options.results);
    try {
        return rank_gantt(results, options.run);
    } catch (const results_schema::ResultError& error) {
        throw results_schema::ResultError(
            fmt::format("{}: {}", options.results.string(), error.what())
        );
    }
}

std::string rendered(const RankGantt& chart, const std::string& format) {
    if (format == "csv") {
        return gantt_csv(chart);
    }
    return format == "svg" ? gantt_svg(chart) : gantt_text(chart);
}

void write_file(const std::filesystem::path& path, const std::string& text) {
    std::ofstream file(path, std::ios::binary);
    const bool is_open = file.is_open();
    file << text;
    file.close();
    if (!file) {
        const std::string reason = std::generic_category().message(errno);
        std::error_code ignored;
        if (is_open) {
            std::filesystem::remove(path, ignored);
        }
        throw OutputError(fmt::format(
            "{}: the chart cannot be written ({}). Choose another --output", path.string(), reason
        ));
    }
}

}  // namespace

ExitCode gantt_command(const GanttCommand& options) {
    const std::string text = rendered(chart_of(options), options.format);
    if (options.output.empty()) {
        std::fputs(text.c_str(), stdout);
    } else {
        write_file(options.output, text);
    }
    return ExitCode::done;
}

}  // namespace schedfarm::campaigns
