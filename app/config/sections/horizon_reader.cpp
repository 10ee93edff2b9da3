#include "app/config/sections/horizon_reader.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <variant>

#include <fmt/format.h>

#include "app/config/sections/section_reader.hpp"

namespace schedfarm::app {

namespace {

using engine::ExperimentKind;
using engine::Parameters;

std::uint64_t horizon_count_of(const Parameters& parameters, const char* key) {
    return static_cast<std::uint64_t>(parameters.integer(key));
}

std::uint64_t warm_up_jobs(const engine::Choice& warm_up, std::uint64_t jobs) {
    if (warm_up.name == "jobs") {
        return horizon_count_of(warm_up.parameters, "jobs");
    }
    if (warm_up.name == "none") {
        return 0;
    }
    const double fraction = warm_up.parameters.real("fraction");
    return static_cast<std::uint64_t>(std::floor(fraction * static_cast<double>(jobs) + 0.5));
}

/// Whether a section leaves the number of jobs to the program.
bool leaves_jobs(const Node* section) {
    const Node* jobs = section == nullptr ? nullptr : section->find("jobs");
    return jobs == nullptr || (jobs->is_scalar() && jobs->scalar == "auto");
}

/// Takes jobs and warm-up of a section; false when no job would be measured.
bool take_jobs(
    const Parameters& parameters,
    const Node& cell,
    const std::string& section_name,
    engine::Horizon& horizon,
    Problems& problems
) {
    const bool is_auto = std::holds_alternative<std::string>(parameters.at("jobs").data());
    horizon.jobs = is_auto ? default_jobs : horizon_count_of(parameters, "jobs");
    horizon.warm_up_jobs = warm_up_jobs(parameters.choice("warm_up"), horizon.jobs);
    if (horizon.warm_up_jobs < horizon.jobs) {
        return true;
    }
    const std::string key_path = section_name + ".warm_up";
    problems.add_once(
        "warm_up >= jobs",
        {nearest_position(cell, key_path),
         key_path,
         fmt::format(
             "a warm-up of {} of {} jobs (none would be measured)",
             horizon.warm_up_jobs,
             horizon.jobs
         ),
         fmt::format("Make '{}.jobs' larger or the warm-up shorter?", section_name)}
    );
    return false;
}

/// The backlog at the start holds unmeasured jobs only, and does not end the replication at once.
bool expect_start_fits(const engine::Horizon& horizon, const Node& cell, Problems& problems) {
    const auto refuse = [&](const char* rule, std::string reason, std::string suggestion) {
        problems.add_once(
            rule,
            {nearest_position(cell, "horizon.start.backlog"),
             "horizon.start",
             std::move(reason),
             std::move(suggestion)}
        );
        return false;
    };
    if (horizon.start_backlog > horizon.warm_up_jobs) {
        return refuse(
            "start > warm_up",
            fmt::format(
                "a start with a backlog of {} jobs but a warm-up of {} (jobs of the backlog would "
                "be measured)",
                horizon.start_backlog,
                horizon.warm_up_jobs
            ),
            "Make the warm-up longer or the backlog smaller?"
        );
    }
    if (horizon.queue_limit > 0 && horizon.start_backlog > horizon.queue_limit) {
        return refuse(
            "start > limit",
            fmt::format(
                "a start with a backlog of {} jobs but a queue limit of {} (every replication "
                "would end at once)",
                horizon.start_backlog,
                horizon.queue_limit
            ),
            "Make 'horizon.queue_limit' larger?"
        );
    }
    return true;
}

bool take_open_ended(
    const Parameters& parameters,
    const Node& cell,
    ExperimentKind experiment,
    HorizonSettings& settings,
    Problems& problems
) {
    engine::Horizon& horizon = settings.horizon;
    horizon.queue_limit = horizon_count_of(parameters, "queue_limit");
    settings.series_bins = static_cast<std::uint32_t>(
        std::min(horizon_count_of(parameters, "ensemble_bins"), horizon.jobs)
    );
    const engine::Choice& start = parameters.choice("start");
    if (!experiment.is_open() || start.name != "backlog") {
        return true;
    }
    horizon.start_backlog = horizon_count_of(start.parameters, "backlog");
    return expect_start_fits(horizon, cell, problems);
}

}  // namespace

std::optional<HorizonSettings> read_horizon(
    const Node& cell, std::optional<ExperimentKind> experiment, Problems& problems
) {
    const Node* node = cell.find("horizon");
    const SourcePosition& at = node == nullptr ? cell.at : node->at;
    HorizonSettings settings;
    settings.is_auto = leaves_jobs(node);
    Node without_jobs = node == nullptr ? Node::map(at) : *node;
    if (settings.is_auto) {
        without_jobs.erase("jobs");
    }
    const auto parameters =
        read_section(node == nullptr ? nullptr : &without_jobs, "horizon", at, problems);
    if (!parameters || !experiment) {
        return std::nullopt;
    }
    settings.warm_up_grows = parameters->choice("warm_up").name == "fraction";
    if (!experiment->has_time()) {
        settings.horizon.fills = horizon_count_of(*parameters, "fills");
        return settings;
    }
    if (!take_jobs(*parameters, cell, "horizon", settings.horizon, problems)) {
        return std::nullopt;
    }
    if (experiment->keeps_backlog()) {
        settings.horizon.backlog = horizon_count_of(*parameters, "backlog");
    }
    const bool is_right = !experiment->has_arrivals()
                          || take_open_ended(*parameters, cell, *experiment, settings, problems);
    return is_right ? std::optional(settings) : std::nullopt;
}

std::optional<PilotSettings> read_pilot(const Node& cell, Problems& problems) {
    const Node* node = cell.find("pilot");
    const SourcePosition& at = node == nullptr ? cell.at : node->at;
    const auto parameters = read_section(node, "pilot", at, problems);
    PilotSettings settings;
    if (!parameters || !take_jobs(*parameters, cell, "pilot", settings.horizon, problems)) {
        return std::nullopt;
    }
    settings.horizon.backlog = horizon_count_of(*parameters, "backlog");
    settings.replications = horizon_count_of(*parameters, "replications");
    return settings;
}

}  // namespace schedfarm::app
