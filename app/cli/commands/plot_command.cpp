#include "app/cli/commands/plot_command.hpp"

#include <fmt/format.h>

#include "results_schema/result_io.hpp"

#include "app/cli/commands/options/output_guard.hpp"
#include "app/cli/commands/options/results_guard.hpp"
#include "app/cli/commands/package.hpp"

namespace schedfarm::app {

namespace {

namespace fs = std::filesystem;

/// Python's HDF5 would crash on some damaged files, and know less of what is wrong with others.
void expect_drawable(const fs::path& results, const fs::path& output) {
    expect_results(results);
    expect_other_file(output, results);
    results_schema::read_results(results);
}

void add(Words& words, const char* option, const std::string& value) {
    if (!value.empty()) {
        words.push_back(fmt::format("{}={}", option, value));
    }
}

void add(Words& words, const char* option, const std::optional<std::uint32_t>& value) {
    if (value) {
        words.push_back(fmt::format("{}={}", option, *value));
    }
}

}  // namespace

ExitCode plot_command(const PlotCommand& options) {
    expect_drawable(options.results, options.output);
    Words words{"plot"};
    add(words, "--output", options.output.string());
    add(words, "--kind", options.kind);
    add(words, "--x", options.x);
    add(words, "--y", options.y);
    for (const std::string& factor : options.by) {
        add(words, "--by", factor);
    }
    add(words, "--facet", options.facet);
    add(words, "--range", options.range);
    add(words, "--top", options.top ? fmt::format("{}", *options.top) : "");
    for (const std::string& level : options.select) {
        add(words, "--select", level);
    }
    add(words, "--saturation", options.saturation.string());
    add(words, "--cell", options.cell);
    add(words, "--replication", options.replication);
    add(words, "--style", options.style);
    add(words, "--unit", options.unit);
    words.insert(words.end(), {"--", options.results.string()});
    return run_package(words);
}

ExitCode html_report(const fs::path& results, const fs::path& output, const std::string& unit) {
    expect_drawable(results, output);
    Words words{"report"};
    add(words, "--output", output.string());
    add(words, "--unit", unit);
    words.insert(words.end(), {"--", results.string()});
    return run_package(words);
}

}  // namespace schedfarm::app
