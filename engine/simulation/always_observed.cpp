#include <vector>

#include "engine/simulation/probe.hpp"

namespace schedfarm::engine {

std::vector<ObservationColumn> always_observed(const Experiment& experiment) {
    switch (experiment.kind) {
        case ExperimentKind::bin_filling:
            return {
                {"capacity_loss", "1", "Mean over fills of idle processors / processors."},
                {"capacity_loss.fill_sd",
                 "1",
                 "Standard deviation over the fills of a replication of idle processors / "
                 "processors."},
                {"gross_utilization", "1", "1 - capacity_loss."},
                {"jobs_placed", "1", "Mean number of jobs placed per fill."},
            };
        case ExperimentKind::saturated:
            return {
                {"gross_utilization", "1", "busy_area / capacity_area."},
                {"capacity_loss", "1", "1 - gross_utilization."},
                {"throughput", "1/time", "Jobs started after the first measured one / length."},
                {"busy_area",
                 "processor*time",
                 "Integral of busy processors from the first measured start to the last start."},
                {"capacity_area", "processor*time", "Processors * length of the same interval."},
            };
        case ExperimentKind::offline:
            return {
                {"makespan", "time", "Largest finish over all jobs."},
                {"weighted_completion", "time", "Sum over all jobs of weight * finish."},
            };
        case ExperimentKind::open:
        case ExperimentKind::trace:
            break;
    }
    if (starts_with_backlog(experiment)) {
        return {
            {"backlog_change",
             "time",
             "(Work of the waiting jobs at the end - at the begin) / processors: from the first "
             "measured submission to the first instant without a waiting job, at the latest the "
             "last submission; where that instant comes before, from time 0.",
             true},
            {"backlog_time", "time", "Length of the time in which the backlog so changed.", true}};
    }
    return {
        {"backlog_growth",
         "1",
         "(Mean queueing time of the second half of the measured jobs - that of the first half) / "
         "half the time between the first and the last measured submission: near 0 when stable, "
         "towards utilization / maximal utilization - 1 when not.",
         true},
        {"queueing_time.warm_up",
         "time",
         "Mean over the jobs before the first measured one of first start - submit; NaN without.",
         true},
        {"queueing_time.first_half",
         "time",
         "Mean over the first half of the measured jobs of first start - submit.",
         true},
        {"queueing_time.second_half",
         "time",
         "Mean over the second half of the measured jobs of first start - submit.",
         true}};
}

}  // namespace schedfarm::engine
