#include "engine/simulation/experiment.hpp"

#include <array>
#include <vector>

#include "engine/simulation/experiment_facts.hpp"

namespace schedfarm::engine {

namespace {

std::vector<ObservationColumn> bin_filling_columns(const Experiment& /*experiment*/) {
    return {
        {"capacity_loss", "1", "Mean over fills of idle processors / processors."},
        {"capacity_loss.fill_sd",
         "1",
         "Standard deviation over the fills of a replication of idle processors / "
         "processors."},
        {"gross_utilization", "1", "1 - capacity_loss."},
        {"jobs_placed", "1", "Mean number of jobs placed per fill."},
    };
}

std::vector<ObservationColumn> saturated_columns(const Experiment& /*experiment*/) {
    return {
        {"gross_utilization", "1", "busy_area / capacity_area."},
        {"capacity_loss", "1", "1 - gross_utilization."},
        {"throughput", "1/time", "Jobs started after the first measured one / length."},
        {"busy_area",
         "processor*time",
         "Integral of busy processors from the first measured start to the last start."},
        {"capacity_area", "processor*time", "Processors * length of the same interval."},
    };
}

std::vector<ObservationColumn> offline_columns(const Experiment& /*experiment*/) {
    return {
        {"makespan", "time", "Largest finish over all jobs."},
        {"weighted_completion", "time", "Sum over all jobs of weight * finish."},
    };
}

std::vector<ObservationColumn> arrival_columns(const Experiment& experiment) {
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
         "(Mean wait of the second half of the measured jobs - that of the first half) / "
         "half the time between the first and the last measured submission: near 0 when stable, "
         "towards utilization / maximal utilization - 1 when not.",
         true},
        {"wait.warm_up",
         "time",
         "Mean over the jobs before the first measured one of first start - submit; NaN without.",
         true},
        {"wait.first_half",
         "time",
         "Mean over the first half of the measured jobs of first start - submit.",
         true},
        {"wait.second_half",
         "time",
         "Mean over the second half of the measured jobs of first start - submit.",
         true}};
}

}  // namespace

constexpr ExperimentFacts bin_filling_facts{
    .name = "bin_filling",
    .summary = "No time: jobs are placed on an empty system, in order, until one does not fit.",
    .has_time = false,
    .base_columns = bin_filling_columns,
    .simulate = nullptr};
constexpr ExperimentFacts open_facts{
    .name = "open",
    .summary = "Jobs arrive at the load given: response times.",
    .has_arrivals = true,
    .is_open = true,
    .base_columns = arrival_columns,
    .simulate = simulate_arrivals};
constexpr ExperimentFacts saturated_facts{
    .name = "saturated",
    .summary = "A constant backlog of waiting jobs: the maximal utilization.",
    .keeps_backlog = true,
    .base_columns = saturated_columns,
    .simulate = simulate_saturated};
constexpr ExperimentFacts trace_facts{
    .name = "trace",
    .summary = "Jobs arrive as a log says.",
    .has_arrivals = true,
    .base_columns = arrival_columns,
    .simulate = simulate_arrivals};
constexpr ExperimentFacts offline_facts{
    .name = "offline",
    .summary = "All jobs are there at time 0.",
    .starts_with_all = true,
    .base_columns = offline_columns,
    .simulate = simulate_offline};

std::span<const ExperimentKind> experiment_kinds() {
    static constexpr std::array kinds{
        ExperimentKind::bin_filling,
        ExperimentKind::open,
        ExperimentKind::saturated,
        ExperimentKind::trace,
        ExperimentKind::offline};
    return kinds;
}

std::vector<ExperimentKind> experiments_with_response_times() {
    return {ExperimentKind::open, ExperimentKind::trace, ExperimentKind::offline};
}

const char* ExperimentKind::name() const {
    return facts_->name;
}

const char* ExperimentKind::summary() const {
    return facts_->summary;
}

bool ExperimentKind::has_time() const {
    return facts_->has_time;
}

bool ExperimentKind::has_arrivals() const {
    return facts_->has_arrivals;
}

bool ExperimentKind::is_open() const {
    return facts_->is_open;
}

bool ExperimentKind::keeps_backlog() const {
    return facts_->keeps_backlog;
}

bool ExperimentKind::starts_with_all() const {
    return facts_->starts_with_all;
}

bool ExperimentKind::has_response_times() const {
    return has_arrivals() || starts_with_all();
}

}  // namespace schedfarm::engine
