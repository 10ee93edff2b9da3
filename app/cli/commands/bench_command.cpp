#include <cstdio>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include "app/bench/bench.hpp"
#include "app/cli/commands/commands.hpp"
#include "app/cli/explain.hpp"
#include "app/report/text_table.hpp"

namespace schedfarm::app {

namespace {

/// Millions with two digits behind the point below 10, with one from there on.
std::string rate_text(double rate) {
    const double millions = 1e-6 * rate;
    return fmt::format("{:.{}f} M", millions, millions < 10 ? 2 : 1);
}

}  // namespace

ExitCode bench_command(const BenchCommand& options) {
    TextTable table;
    table.title = "CPU time of the simulator beside references";
    table.source = fmt::format(
        "median of {} pairs of {} s on one core, single thread", options.repeats, options.seconds
    );
    table.columns = {
        {"benchmark", Alignment::left, Overflow::wrap},
        {"schedfarm", Alignment::right, Overflow::wrap},
        {"reference", Alignment::left, Overflow::wrap},
        {"ratio (range)", Alignment::left, Overflow::wrap}};
    for (const BenchCase& bench : bench_cases()) {
        if (bench.name.find(options.only) == std::string::npos) {
            continue;
        }
        spdlog::info("measuring {}", bench.name);
        const BenchResult result = measure(bench, {options.seconds, options.repeats});
        table.rows.push_back(
            {bench.name,
             rate_text(result.product_rate) + " " + bench.item + "/s",
             fmt::format("{}/s {}", rate_text(result.reference_rate), bench.reference_name),
             fmt::format(
                 "{:.2f} ({:.2f}..{:.2f})", result.ratio, result.lowest_ratio, result.highest_ratio
             )}
        );
    }
    if (table.rows.empty()) {
        std::vector<std::string> names;
        for (const BenchCase& bench : bench_cases()) {
            names.push_back(bench.name);
        }
        throw UsageError(fmt::format(
            "no benchmark has '{}' in its name. They are: {}", options.only, fmt::join(names, "; ")
        ));
    }
    table.notes.push_back(fmt::format("Peak memory of this process: {:.0f} MiB", peak_memory_mib())
    );
    std::fputs(render(table, ReportFormat::text).c_str(), stdout);
    return ExitCode::done;
}

}  // namespace schedfarm::app
