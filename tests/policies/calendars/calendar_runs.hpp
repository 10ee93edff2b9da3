// Runs of `calendar` and `managers` under all verifiers: starts and what is published.
#pragma once

#include <cmath>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "engine/planning/slot_calendar.hpp"
#include "engine/simulation/logs/job_log.hpp"

#include "tests/policies/composition/inner_runs.hpp"

namespace schedfarm::tests {

inline Value::List reals(const std::vector<double>& values) {
    Value::List list;
    for (const double value : values) {
        list.emplace_back(value);
    }
    return list;
}

/// Slots of a calendar; the last count is left out.
inline Parameters slots(const std::vector<SlotLevel>& levels, double threshold = 1) {
    std::vector<double> sizes;
    std::vector<std::uint32_t> counts;
    for (const SlotLevel& level : levels) {
        sizes.push_back(level.size);
        counts.push_back(level.count);
    }
    counts.pop_back();
    Parameters given;
    given.set("slot_sizes", reals(sizes));
    given.set("slot_counts", numbers(counts));
    given.set("threshold", threshold);
    return given;
}

/// {submit, run, {processors}}, submitted at that cluster; fixed: an advance reservation.
inline GivenJob at_cluster(
    std::uint32_t origin,
    double submit,
    double run,
    std::uint32_t size,
    double fixed = no_fixed_start
) {
    GivenJob job{submit, run, {size}};
    job.origin = origin;
    job.fixed_start = fixed;
    return job;
}

struct Outcome {
    Times starts;
    std::map<std::string, double> published;
    Times offered;  ///< by the job log
};

inline Outcome outcome_of(
    const Choice& policy, const std::vector<std::uint32_t>& clusters, const Jobs& jobs
) {
    TestCell cell;
    cell.system.clusters = clusters;
    cell.jobs = jobs;
    cell.experiment.kind = ExperimentKind::trace;
    cell.experiment.horizon.jobs = jobs.size();
    StartTimes log(jobs.size());
    JobLog job_log;
    cell.probes.job_log = &job_log;
    const PolicyUnderTest tested(policy_named(policy.name), policy.parameters);
    const auto columns = published_columns(
        *tested.description, tested.parameters, cell.system, cell.workload()->traits()
    );
    const Observations seen = run_general(tested, cell, &log);
    Outcome outcome{log.starts(), {}, job_log.offered};
    const std::size_t first = seen.values.size() - columns.size();
    for (std::size_t i = 0; i < columns.size(); ++i) {
        outcome.published[columns[i].name] = seen.values[first + i];
    }
    return outcome;
}

/// What refused advance reservations were offered, less what they asked for, summed.
inline double delay_by_log(const Outcome& outcome, const Jobs& jobs) {
    double sum = 0;
    for (std::size_t i = 0; i < outcome.offered.size(); ++i) {  // none where nothing was offered
        sum += std::isnan(outcome.offered[i]) ? 0 : outcome.offered[i] - jobs[i].fixed_start;
    }
    return sum;
}

}  // namespace schedfarm::tests
