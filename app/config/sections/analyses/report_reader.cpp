#include "app/config/sections/analyses/report_reader.hpp"

#include "app/config/schema/section_lists.hpp"
#include "app/config/sections/section_reader.hpp"

namespace schedfarm::app {

namespace {

const auto& job_log_table() {
    using T = JobLogRequest;
    static const auto table =
        Table<T>(
            "job_log",
            "What became of every job of some replications, in the group `/jobs` of the result "
            "file. They are run once more when the file is written. Asking for it changes no "
            "number."
        )
            .key("replications", &T::replications, {0, 1e6}, "replications")
            .means("the first so many replications of every cell; none of `bin_filling`")
            .key("utilization_parts", &T::utilization_parts, {0, 10000})
            .means(
                "table `utilization_series`: equal parts of the measurement window in which the "
                "gross utilization is shown, of policies without pauses; 0: none"
            )
            .key("users", &T::users, {0, 10000}, "users")
            .means(
                "table `users`: means of the users with most processor-time, and of all others "
                "together, where the workload has users; 0: none"
            );
    return table;
}

const auto& report_table() {
    using T = ReportRequest;
    static const auto table =
        Table<T>("report", "How `schedfarm report` prints the results.")
            .prose("title", &T::title)
            .optional("heading of the table")
            .prose("source", &T::source)
            .optional("where the reference values come from")
            .key("rows", &T::rows)
            .optional(
                "factors that make the rows beside a paper's values, where these tell them apart; "
                "else, and without such values, all do",
                "list of factor names"
            )
            .key("metrics", &T::metrics)
            .optional(
                "observations shown; default: the targets, else all. `least M` and `greatest M` "
                "are extremes over the replications, `A / B` is the ratio of their sums with the "
                "interval that the cell's means have, "
                "`wall_time_ms` the median wall time of a replication, `wall_time_ms beyond L` of "
                "what it takes longer than in the cell with level L of one factor and else the "
                "same levels",
                "list of metrics"
            )
            .word("intervals", &T::intervals, {"plus_minus", "bounds"})
            .optional(
                "intervals as ± and the longer side, where one is more than twice the other as "
                "[lower, upper], or all as [lower, upper]; default: the former"
            )
            .part("figures")
            .optional(
                "what `schedfarm plot RESULTS` and the page of HTML draw; default: what the "
                "factors suggest",
                "list of sections `report.figures`"
            );
    return table;
}

const auto& figure_table() {
    using T = FigureRequest;
    static const auto table =
        Table<T>(
            "report.figures", "One figure, by options of [`schedfarm plot`](command-line.md#plot)."
        )
            .word(
                "kind",
                &T::kind,
                {"bars",
                 "convergence",
                 "curve",
                 "ecdf",
                 "forest",
                 "heatmap",
                 "logged",
                 "normalised",
                 "paper",
                 "pareto",
                 "queue",
                 "ranks",
                 "utilization",
                 "welch"}
            )
            .required("what is drawn")
            .key("x", &T::x)
            .means("factor along x; default: the load. `pareto`: a metric")
            .key("y", &T::y)
            .means(
                "metric, quantity of the [claims](#claims), or what else `report.metrics` may "
                "have; "
                "default: the report's first"
            )
            .key("by", &T::by)
            .optional("factors that tell lines apart; default: all others", "list of factors")
            .key("facet", &T::facet)
            .means("factor: a panel for each of its levels; `class`: one for each job class")
            .key("range", &T::range)
            .means(
                "of curves: metric whose least and greatest replication lines join at every point"
            )
            .key("top", &T::top)
            .means("number: where y ends, for curves that grow without bound")
            .part("select")
            .optional("only these cells", "mapping of factors to a level, or to a list of levels");
    return table;
}

}  // namespace

std::vector<Section> report_sections() {
    return {job_log_table().section(), report_table().section(), figure_table().section()};
}

ReportRequest read_report(const Node& campaign, Problems& problems) {
    return read_table_in(campaign, report_table(), problems).value_or(ReportRequest{});
}

std::optional<FigureRequest> read_figure(const Node& node, Problems& problems) {
    return read_table(figure_table(), &node, node.at, problems);
}

JobLogRequest read_job_log(const Node& campaign, Problems& problems) {
    return read_table_in(campaign, job_log_table(), problems).value_or(JobLogRequest{});
}

}  // namespace schedfarm::app
