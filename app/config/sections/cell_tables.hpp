// The sections of a campaign whose values are values of a cell as they are written: what reads them
// and what hashes a cell or sends it to a worker (app/plan/identity/cell_values.cpp) go by the same
// tables. Members keep their order and names: both are part of every key.
#pragma once

#include <array>

#include "engine/random/stream.hpp"
#include "engine/simulation/system.hpp"

#include "app/config/schema/table.hpp"
#include "app/config/sections/load_search.hpp"
#include "app/config/sections/replication_plan.hpp"

namespace schedfarm::app {

template <>
inline constexpr auto words_of<engine::Generator> = std::array{"philox", "mrg32k3a"};
template <>
inline constexpr auto words_of<engine::RunningJobs> = std::array{"drain", "cut"};
template <>
inline constexpr auto words_of<engine::IntervalMethod> =
    std::array{"student_t", "skew_adjusted", "confidence_sequence"};
template <>
inline constexpr auto words_of<SearchCriterion> = std::array{"drift", "response_time"};

inline const auto& system_table() {
    using T = engine::SystemDescription;
    static const auto table =
        Table<T>("system", "The simulated machine.")
            .key("clusters", &T::clusters, {.low = 1, .high = 1e6}, "processors")
            .required("processors of each cluster")
            .part("slurm")
            .optional(
                "in the place of `clusters`: the machine as its site's files describe it, which a "
                "policy `slurm` then goes by",
                "`{conf: slurm.conf, associations: assoc.txt, qos: qos.txt, changes: [], accept: "
                "[topology]}`, as for the policy; only `conf` is needed"
            )
            .key("memory_per_processor", &T::memory_per_processor, ranges::not_negative, "memory")
            .means("memory of each processor; 0: memory is not modelled")
            .part("outages", &T::outages)
            .optional("when processors are out of order", "section `system.outages`, or `none`");
    return table;
}

inline const auto& outages_table() {
    using T = engine::Outages;
    static const auto table =
        Table<T>(
            "system.outages",
            "When processors are out of order: in windows that are planned ahead, as nodes fail "
            "at random, as a log says, or all together. A processor that is out for several "
            "reasons is back when all are over. Not with policies that switch running jobs off "
            "and on, in experiments `saturated` and `bin_filling`, or with a load placed by a "
            "saturation point. A load is relative to all processors, and so is utilization; a "
            "cell measures `availability`, the part of them in order, and where jobs are cut "
            "`jobs_cut` and `lost_work`. `easy` (with its default options but `placement` and "
            "`simultaneous: submit_first` or `finish_first`), `conservative`, `k_reservations` "
            "and `selective` know the windows ahead and plan around them, by the number of "
            "processors that are left; they expect of what else is out that it stays so. A job "
            "gets free processors that no window takes before its requested end, first those that "
            "one takes soonest; where too few are free, those that one takes latest, and then it "
            "runs into a window. Every other policy sees an outage when it begins. Where it takes "
            "processors by count, they are those with the lowest numbers."
        )
            .part("windows", &T::listed, "listed")
            .optional("planned outages", "list of sections `system.outages.windows`")
            .part("failures", &T::failures)
            .optional("failures of nodes", "section `system.outages.failures`")
            .part("file")
            .optional(
                "a log of outages, which no policy knows ahead",
                "name of a CSV file, relative to this file, with the columns from, until, cluster, "
                "first, count; clusters and the processors of each are numbered from 0. Or what "
                "`sacctmgr show events -P` says of nodes that were down, failing or drained"
            )
            .part("nodes")
            .optional(
                "of a file of `sacctmgr`: the machine's nodes, all of one size, in the order of "
                "their processors",
                "list as Slurm writes it, `n[1-8]` or `gpu[01-04],n[001-128]`"
            )
            .part("begin")
            .optional(
                "of a file of `sacctmgr`: its time at second 0, of a log its first submission; "
                "events that end before are passed over",
                "seconds of the Unix clock, or a time as in the file, `2026-03-02T00:00:00`"
            )
            .key("running", &T::running)
            .means(
                "drain: jobs on processors that go out of order run to their end, and then the "
                "processors leave; cut: they join the queue again at once, as if they came now, "
                "with all their service to do, in the order of their submission"
            );
    return table;
}

inline const auto& failures_table() {
    using T = engine::NodeFailures;
    static const auto table =
        Table<T>(
            "system.outages.failures",
            "Nodes fail independently of each other and of what runs, and are all in order at "
            "time 0. They fail at the same times under every policy and load."
        )
            .key(
                "mean_time_between_failures",
                &T::mean_time_between_failures,
                ranges::positive,
                "time"
            )
            .required(
                "mean time that a node is in order, from a repair to its next failure; "
                "exponential"
            )
            .key("mean_time_to_repair", &T::mean_time_to_repair, ranges::positive, "time")
            .required("mean time that it is out of order; exponential")
            .key("processors_per_node", &T::processors_per_node, {1, 1e6}, "processors")
            .means("must divide every cluster");
    return table;
}

inline const auto& search_table() {
    using T = LoadSearch;
    static const auto table =
        Table<T>(
            "load.search",
            "Looks for the load at which something happens, in rounds of replications; the "
            "search decides how many there are, in place of `replications` and `precision`. "
            "`drift`: where the backlog begins to grow, the saturation point; begins from a "
            "deep queue (`horizon.start`) under a policy that does not preempt. "
            "`response_time`: where the mean response time passes the threshold."
        )
            .key("criterion", &T::criterion)
            .required("what happens at the load")
            .key("threshold", &T::threshold, ranges::positive, "mean service times")
            .optional("response_time: the mean response time in mean service times")
            .interval(
                "between",
                &T::low,
                &T::high,
                {.low = 0, .high = 10, .low_is_open = true},
                Ends::apart,
                "[0.3, 1.0]"
            )
            .means("utilizations between which the point lies; else the cell ends as not_bracketed")
            .by_default(engine::Value::List{0.3, 1.0})
            .key("width", &T::width, ranges::probability)
            .means("the search ends when its intervals are no longer than this")
            .key("confidence", &T::confidence, ranges::probability)
            .means("confidence level of the interval")
            .key("reliability", &T::reliability, {0.5, 1, true, true})
            .means("probability with which an answer must be right to count fully")
            .key("round", &T::round, {2, 1e6}, "replications")
            .means("replications of a round")
            .key("most_rounds", &T::most_rounds, {1, 1e6}, "rounds")
            .means("rounds at most")
            .apart_from_identity();  // the cap ends a search and changes no replication
    return table;
}

inline const auto& budget_table() {
    using T = Budget;
    constexpr engine::Range many{1, 9007199254740992.0};  // 2^53
    static const auto table =
        Table<T>(
            "precision.budget",
            "What a cell may cost at most, over all its replications; any one or several. "
            "Counts give the same results on any machine; core-hours do not, and a cell that "
            "they end is marked provisional."
        )
            .key("replications", &T::replications, {1, 1e9}, "replications")
            .means("replications")
            .key("jobs", &T::jobs, many, "jobs")
            .means("jobs submitted")
            .key("events", &T::events, many, "events")
            .means("events simulated")
            .key("core_hours", &T::core_hours, ranges::positive, "hours")
            .means("time that the replications take");
    return table;
}

}  // namespace schedfarm::app
