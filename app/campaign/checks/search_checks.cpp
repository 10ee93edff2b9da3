#include "app/campaign/checks/search_checks.hpp"

#include <cmath>

#include <fmt/format.h>

#include "engine/foundation/message_text.hpp"

namespace schedfarm::app {

namespace {

/// The least start backlog that a load without drift seldom empties while the later jobs come. The
/// number of waiting jobs then wanders with a variance of about 2 per job; it falls by as much as
/// 2 standard deviations, 2 sqrt(2 · later jobs), in one of twenty replications.
std::uint64_t deep_backlog(std::uint64_t jobs) {
    // b² >= 8 (jobs − b)
    return static_cast<std::uint64_t>(std::ceil(std::sqrt(16 + 8 * static_cast<double>(jobs)) - 4));
}

/// Whether jobs wait until they start, and no longer: only then the waiting jobs are the backlog.
void check_waiting(const CheckedCell& cell, Problems& problems) {
    const CellSettings& settings = cell.settings;
    if (settings.policy
        && settings.policy->description->traits(settings.policy->choice.parameters).preemptive) {
        problems.add_once(
            "drift under preemption",
            {nearest_position(cell.tree, "load.search.criterion"),
             "load.search.criterion",
             fmt::format(
                 "criterion 'drift' under policy '{}'{} (which lets jobs that have started wait "
                 "again: their backlog is not that of the waiting jobs)",
                 settings.policy->choice.name,
                 cell.where
             ),
             "Use criterion 'response_time'."}
        );
    }
}

/// A growing backlog shows only where there is a deep queue from the first measured job on.
void check_drift(const CheckedCell& cell, Problems& problems) {
    check_waiting(cell, problems);
    if (!cell.settings.horizon) {
        return;
    }
    const engine::Horizon& horizon = cell.settings.horizon->horizon;
    if (horizon.start_backlog == 0) {
        problems.add(
            nearest_position(cell.tree, "load.search.criterion"),
            "load.search.criterion",
            "criterion 'drift' needs a start from a deep queue (from an empty system every backlog "
            "grows at first)",
            "Add 'horizon: {start: {backlog: 1000}, warm_up: {jobs: 1000}}'."
        );
    } else if (const std::uint64_t least = deep_backlog(horizon.jobs);
               horizon.start_backlog < least) {
        problems.add_once(
            "shallow start",
            {nearest_position(cell.tree, "horizon.start.backlog"),
             "horizon.start",
             fmt::format(
                 "a start with a backlog of {} for {} under criterion 'drift'{} (at the saturation "
                 "point so short a queue often empties by chance before the last job comes)",
                 engine::counted(horizon.start_backlog, "job"),
                 engine::counted(horizon.jobs, "job"),
                 cell.where
             ),
             fmt::format("Write 'start: {{backlog: {}}}', or ask for fewer jobs.", least)}
        );
    }
}

/// The threshold is given in mean service times.
void check_threshold(const CheckedCell& cell, Problems& problems) {
    const CellSettings& settings = cell.settings;
    if (settings.workload && settings.system && !workload_traits(settings).mean_service_time) {
        problems.add_once(
            "threshold",
            {nearest_position(cell.tree, "load.search.threshold"),
             "load.search.threshold",
             fmt::format(
                 "workload model '{}' does not tell its mean service time{} (in which the "
                 "threshold is given)",
                 settings.workload->choice.name,
                 cell.where
             ),
             "Use criterion 'drift'."}
        );
    }
}

}  // namespace

void check_search(const CheckedCell& cell, Problems& problems) {
    const CellSettings& settings = cell.settings;
    if (!settings.is_open() || !settings.load_search) {
        return;
    }
    if (settings.load_search->criterion == SearchCriterion::drift) {
        check_drift(cell, problems);
    } else {
        check_threshold(cell, problems);
    }
}

}  // namespace schedfarm::app
