// The sections that say what is made of the replications.
#include "app/config/schema/schema_rows.hpp"

namespace schedfarm::app {

namespace {

using engine::ParameterDescription;
using engine::ParameterType;

ParameterDescription factor_key(std::string meaning) {
    return text_key("factor", std::move(meaning));
}

ParameterDescription metric_key(std::string meaning) {
    return text_key("metric", std::move(meaning) + "; a bare probe stands for its mean");
}

Section comparison_section() {
    return SectionBuilder(
               "comparison",
               "Paired differences between the levels of a factor, in every group of cells that "
               "agree in all other factors, with Holm's adjustment over all of them. With "
               "`relative` or `absolute` the cells of a group go on together, within the limits "
               "of their `precision`, until every difference is that precise."
    )
        .add(factor_key("whose levels are compared"))
        .add(metric_key("what is compared"))
        .add_optional(
            text_key("baseline", "label of the level that the others are compared with"),
            "label of a level; default: every pair is compared"
        )
        .add(with_default(
            probability_key("confidence", "confidence level of all verdicts together", 0), 0.95
        ))
        .add_optional(probability_key(
            "relative", "half-width of every difference, relative to the mean of the second cell", 0
        ))
        .add_optional(
            {.name = "absolute",
             .meaning = "or half-width of every difference in the metric's unit",
             .range = {.low = 0, .low_is_open = true}}
        )
        .build();
}

Section selection_section() {
    return SectionBuilder(
               "selection",
               "Which level of a factor is best, in every group of cells that agree in all other "
               "factors; in place of `replications` and `precision`. `kn` (Kim & Nelson 2001) "
               "eliminates one by one and gains by common random numbers: with the confidence "
               "given it selects the best level, if that is better than every other by "
               "`indifference` or more; of closer ones nothing is proven. `gsp` (Ni, Ciocan, "
               "Henderson & Hunter 2017) selects the best or one worse by no more than "
               "`indifference`, and needs `random_numbers: {streams: independent}`."
    )
        .add(factor_key("whose best level is selected"))
        .add(metric_key("by what it is judged"))
        .add(word_key("best", "which mean is the best", {"smallest", "largest"}))
        .add(
            {.name = "indifference",
             .meaning = "a difference that does not matter, in the metric's unit",
             .range = {.low = 0, .low_is_open = true}}
        )
        .add(
            with_default(probability_key("confidence", "probability of a right selection", 0), 0.95)
        )
        .add(with_default(word_key("procedure", "how it is selected", {"kn", "gsp"}), "kn"))
        .add(with_default(
            count_key("first_stage", "replications of every cell at first", "replications", 2, 1e9),
            64
        ))
        .add(with_default(
            count_key(
                "round", "replications of every surviving cell in a round", "replications", 1, 1e9
            ),
            16
        ))
        .add(with_default(
            count_key("screening_rounds", "gsp: rounds before the second stage", "rounds", 0, 1e6),
            10
        ))
        .add(with_default(
            count_key("max", "replications of a cell at most", "replications", 2, 1e9), 100000
        ))
        .build();
}

Section control_variates_section() {
    return SectionBuilder(
               "control_variates",
               "A further estimate of a metric, corrected by what was measured of quantities "
               "whose means are known."
    )
        .add(metric_key("what is estimated"))
        .add(
            text_key("controls", "probes whose means the workload model knows"),
            "list of `service_time`, `job_size`, `interarrival_time`, all among `probes`"
        )
        .build();
}

Section job_log_section() {
    return SectionBuilder(
               "job_log",
               "What became of every job of some replications, in the group `/jobs` of the result "
               "file. They are run once more when the file is written. Asking for it changes no "
               "number."
    )
        .add(with_default(
            count_key(
                "replications",
                "the first so many replications of every cell; none of `bin_filling`",
                "replications",
                0,
                1e6
            ),
            0
        ))
        .add(with_default(
            count_key(
                "utilization_parts",
                "table `utilization_series`: equal parts of the measurement window in which the "
                "gross utilization is shown, of policies without pauses; 0: none",
                "",
                0,
                10000
            ),
            0
        ))
        .add(with_default(
            count_key(
                "users",
                "table `users`: means of the users with most processor-time, and of all others "
                "together, where the workload has users; 0: none",
                "users",
                0,
                10000
            ),
            0
        ))
        .build();
}

Section report_section() {
    const auto part = [](std::string name, std::string meaning) {
        return with_default(text_key(std::move(name), std::move(meaning)), "");
    };
    return SectionBuilder("report", "How `schedfarm report` prints the results.")
        .add(part("title", "heading of the table"))
        .add(part("source", "where the reference values come from"))
        .add(
            part(
                "rows",
                "factors that make the rows beside a paper's values, where these tell them apart; "
                "else, and without such values, all do"
            ),
            "list of factor names"
        )
        .add(
            part(
                "metrics",
                "observations shown; default: the targets, else all. `least M` and `greatest M` "
                "are extremes over the replications, `A / B` is the ratio of their sums, "
                "`wall_time_ms` the median wall time of a replication, `wall_time_ms beyond L` of "
                "what it takes longer than in the cell with level L of one factor and else the "
                "same levels"
            ),
            "list of metrics"
        )
        .add(with_default(
            word_key(
                "intervals",
                "intervals as ± and the longer side, where one is more than twice the other as "
                "[lower, upper], or all as [lower, upper]",
                {"plus_minus", "bounds"}
            ),
            "plus_minus"
        ))
        .add(
            part(
                "figures",
                "what `schedfarm plot RESULTS` and the page of HTML draw; default: what the "
                "factors suggest"
            ),
            "list of sections `report.figures`"
        )
        .build();
}

Section figure_section() {
    const auto part = [](std::string name, std::string meaning) {
        return with_default(text_key(std::move(name), std::move(meaning)), "");
    };
    return SectionBuilder(
               "report.figures",
               "One figure, by options of [`schedfarm plot`](command-line.md#plot)."
    )
        .add(word_key(
            "kind",
            "what is drawn",
            {"bars",
             "convergence",
             "curve",
             "ecdf",
             "forest",
             "heatmap",
             "normalised",
             "paper",
             "pareto",
             "queue",
             "ranks",
             "utilization",
             "welch"}
        ))
        .add(part("x", "factor along x; default: the load. `pareto`: a metric"))
        .add(part(
            "y",
            "metric, quantity of the [claims](#claims), or what else `report.metrics` may have; "
            "default: the report's first"
        ))
        .add(part("by", "factors that tell lines apart; default: all others"), "list of factors")
        .add(
            part("facet", "factor: a panel for each of its levels; `class`: one for each job class")
        )
        .add(part(
            "range",
            "of curves: metric whose least and greatest replication lines join at every point"
        ))
        .add(part("top", "number: where y ends, for curves that grow without bound"))
        .add(
            part("select", "only these cells"),
            "mapping of factors to a level, or to a list of levels"
        )
        .build();
}

}  // namespace

std::vector<Section> analysis_sections() {
    return {
        comparison_section(),
        selection_section(),
        control_variates_section(),
        certificate_section(),
        job_log_section(),
        report_section(),
        figure_section()};
}

}  // namespace schedfarm::app
