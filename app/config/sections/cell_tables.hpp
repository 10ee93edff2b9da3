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
                "their processors; by default those of `system.slurm`",
                "list as Slurm writes it, `n[1-8]` or `gpu[01-04],n[001-128]`"
            )
            .part("begin")
            .optional(
                "of a file of `sacctmgr`: its time at second 0; by default the clock of the log, "
                "where there is `system.slurm`; events that end before are passed over",
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

}  // namespace schedfarm::app
