// Reads `report`, its figures and `job_log` of a campaign. Factors and metrics are as written.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/config/sections/analyses/report_layout.hpp"
#include "app/config/yaml/node.hpp"
#include "app/config/yaml/problems.hpp"

namespace schedfarm::app {

/// A figure of the report.
struct FigureRequest {
    std::string kind;
    std::string x;
    std::string y;
    std::vector<std::string> by;
    std::string facet;
    std::string range;
    std::string top;  ///< a number

    template <typename Table>
    static auto section() {
        using T = FigureRequest;
        return Table(
                   "report.figures",
                   "One figure, by options of [`schedfarm plot`](command-line.md#plot)."
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
    }
};

/// But for its figures.
ReportLayout read_report(const Node& campaign, Problems& problems);
std::optional<FigureRequest> read_figure(const Node& node, Problems& problems);
JobLogPlan read_job_log(const Node& campaign, Problems& problems);

}  // namespace schedfarm::app
