#include "app/campaign/keys/analyses/report_reader.hpp"

#include <fmt/format.h>

#include "app/campaign/keys/section_lists.hpp"
#include "app/campaign/keys/section_reader.hpp"
#include "app/campaign/keys/value_reader.hpp"

namespace schedfarm::app {

namespace {

const Section& report_section() {
    static const Section section =
        Section("report", "How `schedfarm report` prints the results.")
            .prose("title")
            .optional("heading of the table")
            .prose("source")
            .optional("where the reference values come from")
            .names("rows")
            .optional(
                "factors that make the rows beside a paper's values, where these tell them apart; "
                "else, and without such values, all do",
                "list of factor names"
            )
            .names("metrics")
            .optional(
                "observations shown; default: the targets, else all. `least M` and `greatest M` "
                "are extremes over the replications, `A / B` is the ratio of their sums with the "
                "interval that the cell's means have, "
                "`wall_time_ms` the median wall time of a replication, `wall_time_ms beyond L` of "
                "what it takes longer than in the cell with level L of one factor and else the "
                "same levels",
                "list of metrics"
            )
            .word("intervals", {"plus_minus", "bounds"})
            .optional(
                "intervals as ± and the longer side, where one is more than twice the other as "
                "[lower, upper], or all as [lower, upper]; default: the former"
            )
            .other("figures")
            .optional(
                "what `schedfarm plot RESULTS` and the page of HTML draw; default: what the "
                "factors suggest",
                "list of sections `report.figures`"
            );
    return section;
}

const Section& job_log_section() {
    static const Section section =
        Section(
            "job_log",
            "What became of every job of some replications, in the group `/jobs` of the result "
            "file. They are run once more when the file is written. Asking for it changes no "
            "number."
        )
            .integer("replications", {0, 1e6}, "replications")
            .means("the first so many replications of every cell; none of `bin_filling`", 0)
            .integer("utilization_parts", {0, 10000})
            .means(
                "table `utilization_series`: equal parts of the measurement window in which the "
                "gross utilization is shown, of policies without pauses; 0: none",
                0
            )
            .integer("users", {0, 10000}, "users")
            .means(
                "table `users`: means of the users with most processor-time, and of all others "
                "together, where the workload has users; 0: none",
                0
            );
    return section;
}

const Section& figure_section() {
    static const Section section =
        Section(
            "report.figures", "One figure, by options of [`schedfarm plot`](command-line.md#plot)."
        )
            .word(
                "kind",
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
            .text("x")
            .optional("factor along x; default: the load. `pareto`: a metric")
            .text("y")
            .optional(
                "metric, quantity of the [claims](#claims), or what else `report.metrics` may "
                "have; default: the report's first"
            )
            .names("by")
            .optional("factors that tell lines apart; default: all others", "list of factors")
            .text("facet")
            .optional("factor: a panel for each of its levels; `class`: one for each job class")
            .text("range")
            .optional(
                "of curves: metric whose least and greatest replication lines join at every point"
            )
            .text("top")
            .optional("number: where y ends, for curves that grow without bound")
            .other("select")
            .optional("only these cells", "mapping of factors to a level, or to a list of levels");
    return section;
}

/// The options of `schedfarm plot` that a figure stands for.
Names words_of_figure(const Node& node, Problems& problems) {
    const std::string path = "report.figures.select";
    Names words;
    const auto figure = read_section(&node, figure_section(), node.at, problems);
    if (!figure) {
        return words;
    }
    for (const char* key : {"kind", "x", "y", "facet", "range", "top"}) {
        if (const std::string text = text_in(*figure, key); !text.empty()) {
            words.push_back(fmt::format("--{}={}", key, text));
        }
    }
    for (const std::string& name : names_in(*figure, "by")) {
        words.push_back("--by=" + name);
    }
    const Node* const select = node.find("select");
    if (select == nullptr
        || !expect_kind(*select, Node::Kind::map, path, "Write {policy: fcfs}.", problems)) {
        return words;
    }
    for (const Node::Entry& entry : select->entries) {
        const Names levels = entry.value->is_scalar()
                                 ? Names{entry.value->scalar}
                                 : read_names(entry.value, path + "." + entry.key, problems);
        for (const std::string& level : levels) {
            words.push_back(fmt::format("--select={}={}", entry.key, level));
        }
    }
    return words;
}

std::vector<Names> read_figures(const Node& campaign, Problems& problems) {
    const std::string path = "report.figures";
    std::vector<Names> figures;
    const Node* const list = find_path(campaign, path);
    if (list == nullptr || list->is_null()) {
        return figures;
    }
    expect_kind(*list, Node::Kind::list, path, "Write [{kind: curve}, {kind: forest}].", problems);
    for (const Node& item : list->items) {
        figures.push_back(words_of_figure(item, problems));
    }
    return figures;
}

}  // namespace

std::vector<Section> report_sections() {
    return {job_log_section(), report_section(), figure_section()};
}

ReportLayout read_report(const Node& campaign, Problems& problems) {
    const auto written = read_section_in(campaign, report_section(), problems);
    if (!written) {
        return {};
    }
    return {
        .title = text_in(*written, "title"),
        .source = text_in(*written, "source"),
        .rows = names_in(*written, "rows"),
        .metrics = names_in(*written, "metrics"),
        .intervals = text_in(*written, "intervals"),
        .figures = read_figures(campaign, problems)};
}

JobLogPlan read_job_log(const Node& campaign, Problems& problems) {
    const auto written = read_section_in(campaign, job_log_section(), problems);
    if (!written) {
        return {};
    }
    const auto count = [&](const char* key) {
        return count_in(*written, key).value_or(0);
    };
    return {count("replications"), count("utilization_parts"), count("users")};
}

}  // namespace schedfarm::app
