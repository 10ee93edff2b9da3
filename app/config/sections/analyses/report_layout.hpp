// What is shown of a campaign and what is kept of its jobs, as the campaign says it: sections
// `report` and `job_log`.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/config/schema/schema.hpp"

namespace schedfarm::app {

/// How `schedfarm report` lays out the campaign.
struct ReportLayout {
    std::string title;
    std::string source;                             ///< "Bucur & Epema 2000, Table 1"
    std::vector<std::string> rows;                  ///< factors that make the rows; empty: all
    std::vector<std::string> metrics;               ///< shown; empty: the targets, else all
    std::string intervals;                          ///< "plus_minus" or "bounds"; empty: plus_minus
    std::vector<std::vector<std::string>> figures;  ///< options of `schedfarm plot` for each

    template <typename Table>
    static auto section() {
        using T = ReportLayout;
        return Table("report", "How `schedfarm report` prints the results.")
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
    }
};

/// Which replications leave a log of their jobs in the result file. Changes no replication.
struct JobLogPlan {
    std::uint64_t replications = 0;
    std::uint64_t utilization_parts = 0;
    std::uint64_t users = 0;

    template <typename Table>
    static auto section() {
        using T = JobLogPlan;
        return Table(
                   "job_log",
                   "What became of every job of some replications, in the group `/jobs` of the "
                   "result "
                   "file. They are run once more when the file is written. Asking for it changes "
                   "no "
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
    }
};

}  // namespace schedfarm::app
