#include <memory>

#include "app/cli/commands/plot_command.hpp"
#include "app/cli/number_options.hpp"
#include "app/cli/program.hpp"

namespace schedfarm::app {

void add_plot(CLI::App& app, std::function<ExitCode()>& selected) {
    auto options = std::make_shared<PlotCommand>();
    CLI::App* command = add_command(app, "plot");
    command->add_option("results", options->results, "Result file (HDF5)")->required();
    command->add_option("-o,--output", options->output, "Figure; the suffix chooses the format")
        ->required();
    command->add_option(
        "-k,--kind",
        options->kind,
        "bars, convergence, curve, ecdf, forest, heatmap, logged, normalised, paper, pareto, "
        "queue, ranks, utilization or welch. Default: a paper's values where the file has "
        "some, else a curve, rows of points or a heat map, as the campaign's factors suggest"
    );
    command->add_option("--x", options->x, "Factor along x. Default: the load");
    command->add_option(
        "--y",
        options->y,
        "Metric, such as response_time, quantity of the campaign's claims, or \"A / B\" and "
        "wall_time_ms. "
        "Default: the report's"
    );
    command
        ->add_option(
            "--by",
            options->by,
            "Factor that tells lines apart, as often as needed. Default: all others; of a heat map "
            "the factor along y"
        )
        ->allow_extra_args(false);
    command->add_option(
        "--facet",
        options->facet,
        "Factor: a panel for each of its levels; class: one for each job class"
    );
    command->add_option(
        "--range",
        options->range,
        "Of curves: metric whose least and greatest replication lines join at every point"
    );
    command->add_option("--top", options->top, "Where y ends, for curves that grow without bound");
    command
        ->add_option(
            "-s,--select",
            options->select,
            "FACTOR=LEVEL: only these cells, as often as needed; levels of one factor add up"
        )
        ->allow_extra_args(false);
    command->add_option(
        "--saturation",
        options->saturation,
        "Result file of a saturated campaign, for the maximal utilizations of curves"
    );
    command->add_option("-c,--cell", options->cell, "Of convergence and welch")
        ->transform(whole_number());
    command
        ->add_option(
            "-r,--replication", options->replication, "Of queue and utilization; default 0"
        )
        ->transform(whole_number());
    command
        ->add_option(
            "--style",
            options->style,
            "A journal's column (84 mm) or page (174 mm), slides, or a FILE of matplotlib's "
            "settings"
        )
        ->check(word_or_file({"column", "page", "slides"}));
    command
        ->add_option(
            "--unit",
            options->unit,
            "Of times in seconds: s, min, h or d. Default: as they read best"
        )
        ->check(CLI::IsMember({"s", "min", "h", "d"}));
    select(*command, selected, [options] { return plot_command(*options); });
}

}  // namespace schedfarm::app
