#include <array>
#include <filesystem>
#include <memory>

#include <CLI/CLI.hpp>

#include "app/cli/commands/plot_command.hpp"
#include "app/cli/number_options.hpp"
#include "app/cli/program.hpp"

namespace schedfarm::app {

void add_plot(CLI::App& app, std::function<ExitCode()>& selected) {
    auto files = std::make_shared<std::array<std::filesystem::path, 2>>();
    CLI::App* command = add_command(app, "plot");
    command->add_option("results", (*files)[0], "Result file (HDF5)")->required();
    command->add_option("-o,--output", (*files)[1], "Figure; the suffix chooses the format")
        ->required();
    const auto add = [command](const char* names, const char* const meaning) {
        return command->add_option(names, meaning)->type_name("TEXT");
    };
    add("-k,--kind",
        "bars, convergence, curve, ecdf, forest, heatmap, logged, normalised, paper, pareto, "
        "queue, ranks, utilization or welch. Default: a paper's values where the file has "
        "some, else a curve, rows of points or a heat map, as the campaign's factors suggest");
    add("--x", "Factor along x. Default: the load");
    add("--y",
        "Metric, such as response_time, quantity of the campaign's claims, or \"A / B\" and "
        "wall_time_ms. "
        "Default: the report's");
    add("--by",
        "Factor that tells lines apart, as often as needed. Default: all others; of a heat map "
        "the factor along y")
        ->take_all()
        ->allow_extra_args(false);
    add("--facet", "Factor: a panel for each of its levels; class: one for each job class");
    add("--range", "Curves: draw lines from the least to the greatest replication of this metric");
    add("--top", "Where y ends, for curves that grow without bound")->type_name("FLOAT");
    add("-s,--select",
        "FACTOR=LEVEL: only these cells, as often as needed; levels of one factor add up")
        ->take_all()
        ->allow_extra_args(false);
    add("--saturation",
        "Result file of a saturated campaign, for the maximal utilizations of curves");
    add("-c,--cell", "Cell that convergence and welch draw")
        ->type_name("UINT")
        ->transform(whole_number());
    add("-r,--replication", "Replication that queue and utilization draw; default 0")
        ->type_name("UINT")
        ->transform(whole_number());
    add("--style",
        "A journal's column (84 mm) or page (174 mm), slides, or a FILE of matplotlib's "
        "settings")
        ->check(word_or_file({"column", "page", "slides"}));
    add("--unit", "Unit of times that are seconds: s, min, h or d. Default: as they read best")
        ->check(CLI::IsMember({"s", "min", "h", "d"}));
    select(*command, selected, [command, files] {
        return draw((*files)[0], (*files)[1], package_words(*command));
    });
}

}  // namespace schedfarm::app
