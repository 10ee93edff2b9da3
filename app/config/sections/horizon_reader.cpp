#include "app/config/sections/horizon_reader.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "app/config/cell_settings.hpp"
#include "app/config/fixed_jobs.hpp"
#include "app/config/schema/section_lists.hpp"
#include "app/config/sections/section_reader.hpp"

namespace schedfarm::app {

namespace {

const std::vector<engine::Alternative>& warm_up_alternatives() {
    static const std::vector<engine::Alternative> alternatives{
        {.name = "none", .summary = "Every job is measured.", .parameters = {}},
        {.name = "fraction",
         .summary = "A fraction of the jobs, rounded to a whole number.",
         .parameters =
             {{.name = "fraction",
               .meaning = "fraction of the jobs",
               .range = {.low = 0, .high = 1, .high_is_open = true}}}},
        {.name = "jobs",
         .summary = "A number of jobs.",
         .parameters = {
             {.name = "jobs",
              .meaning = "number of jobs",
              .unit = "jobs",
              .type = engine::ParameterType::integer,
              .range = {.low = 0, .high = most_jobs}}}}};
    return alternatives;
}

const std::vector<engine::Alternative>& start_alternatives() {
    static const std::vector<engine::Alternative> alternatives{
        {.name = "empty", .summary = "No job is there at time 0.", .parameters = {}},
        {.name = "backlog",
         .summary = "So many jobs are there at time 0; all of them belong to the warm-up.",
         .parameters = {
             {.name = "backlog",
              .meaning = "jobs at time 0",
              .unit = "jobs",
              .type = engine::ParameterType::integer,
              .range = {.low = 1, .high = 1e7}}}}};
    return alternatives;
}

/// Jobs and warm-up of a section as the campaign writes them.
struct WrittenJobs {
    std::uint64_t jobs = default_jobs;
    engine::Choice warm_up{
        "fraction",
        engine::with_defaults({{.name = "fraction", .meaning = "", .default_value = 0.2}})};
    std::uint64_t backlog = 64;
};

struct WrittenHorizon : WrittenJobs {
    std::uint64_t fills = 10000;
    engine::Choice start{"empty", {}};
    std::uint64_t queue_limit = 100000;
    std::uint64_t ensemble_bins = 200;
};

struct WrittenPilot : WrittenJobs {
    std::uint64_t replications = 64;
};

constexpr const char* warm_up_meaning = "jobs at the beginning that are simulated but not measured";

const auto& horizon_table() {
    using T = WrittenHorizon;
    static const auto table =
        Table<T>("horizon", "How long a replication is. An experiment uses the keys that it needs.")
            .key("jobs", &T::jobs, {1, most_jobs}, "jobs")
            .means(
                "open, trace, offline: jobs counted; saturated: jobs started. `all`: as many "
                "as a log or a list has. open: while later jobs may overtake them, more come, "
                "which are not counted. `auto`: 20000, and in an open experiment with a "
                "warm-up, from empty, as many times more as it takes until the start no longer "
                "shows; cells that are compared have equally many "
                "([how](../background/stopping.md))",
                "integer, `auto` or `all`"
            )
            .by_default("auto")
            .choice("warm_up", &T::warm_up, &warm_up_alternatives)
            .means(
                "jobs at the beginning that are simulated but not measured; none off-line, and "
                "where it is not given none of `jobs: all` of a list or of a log that is not "
                "resampled"
            )
            .key("backlog", &T::backlog, {1, 1e7}, "jobs")
            .means("saturated: waiting jobs at every instant")
            .key("fills", &T::fills, {1, most_jobs}, "fills")
            .means("bin_filling: fills per replication")
            .choice("start", &T::start, &start_alternatives)
            .means("open: the state in which a replication begins")
            .key("queue_limit", &T::queue_limit, {0, most_jobs}, "jobs")
            .means(
                "open, trace: a replication with more waiting jobs than this ends, and its cell as "
                "unstable; 0: no limit. So does one that waits for counted jobs while more come "
                "than are counted, 100,000 at least. `auto`: 100000, and no limit for a list of "
                "jobs or a log that is not resampled, which end",
                "integer or `auto`"
            )
            .by_default("auto")
            .key("ensemble_bins", &T::ensemble_bins, {0, 10000})
            .means(
                "open, trace: parts of the jobs whose mean response times show whether the warm-up "
                "is long enough (no more parts than jobs); 0: none"
            );
    return table;
}

const auto& pilot_table() {
    using T = WrittenPilot;
    static const auto table =
        Table<T>(
            "pilot",
            "The saturated experiment that estimates the maximal utilization where a load is "
            "placed by it and theory does not give it. One pilot cell is added for every "
            "system, workload, policy and source of random numbers."
        )
            .key("jobs", &T::jobs, {1, most_jobs}, "jobs")
            .means("jobs started")
            .choice("warm_up", &T::warm_up, &warm_up_alternatives)
            .means(warm_up_meaning)
            .key("backlog", &T::backlog, {1, 1e7}, "jobs")
            .means("waiting jobs at every instant")
            .key("replications", &T::replications, {2, 1e9}, "replications")
            .means("replications of the pilot");
    return table;
}

std::uint64_t warm_up_jobs(const engine::Choice& warm_up, std::uint64_t jobs) {
    if (warm_up.name == "jobs") {
        return static_cast<std::uint64_t>(warm_up.parameters.integer("jobs"));
    }
    if (warm_up.name == "none") {
        return 0;
    }
    const double fraction = warm_up.parameters.real("fraction");
    return static_cast<std::uint64_t>(std::floor(fraction * static_cast<double>(jobs) + 0.5));
}

/// Whether a section leaves this number to the program.
bool leaves(const Node* section, const char* key) {
    const Node* number = section == nullptr ? nullptr : section->find(key);
    return number == nullptr || (number->is_scalar() && number->scalar == "auto");
}

/// Takes jobs and warm-up of a section; false when no job would be measured.
bool take_jobs(
    const WrittenJobs& written,
    const Node& cell,
    const std::string& section_name,
    engine::Horizon& horizon,
    Problems& problems
) {
    horizon.jobs = written.jobs;
    horizon.warm_up_jobs = warm_up_jobs(written.warm_up, written.jobs);
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
    const WrittenHorizon& written,
    const Node& cell,
    const CellSettings& read,
    HorizonSettings& settings,
    Problems& problems
) {
    engine::Horizon& horizon = settings.horizon;
    const bool is_limited = !leaves(cell.find("horizon"), "queue_limit")
                            || read.workload_facts().end != engine::JobsEnd::given;
    horizon.queue_limit = is_limited ? written.queue_limit : 0;
    settings.series_bins =
        static_cast<std::uint32_t>(std::min(written.ensemble_bins, horizon.jobs));
    if (!read.experiment->is_open() || written.start.name != "backlog") {
        return true;
    }
    horizon.start_backlog = static_cast<std::uint64_t>(written.start.parameters.integer("backlog"));
    return expect_start_fits(horizon, cell, problems);
}

}  // namespace

std::vector<Section> horizon_sections() {
    return {horizon_table().section(), pilot_table().section()};
}

std::optional<HorizonSettings> read_horizon(
    const Node& cell, JobCount count, const CellSettings& read, Problems& problems
) {
    const Node* node = cell.find("horizon");
    const SourcePosition& at = node == nullptr ? cell.at : node->at;
    HorizonSettings settings;
    settings.is_auto = leaves(node, "jobs");
    Node numbers = node == nullptr ? Node::map(at) : *node;
    for (const char* key : {"jobs", "queue_limit"}) {
        if (leaves(node, key)) {
            numbers.erase(key);
        }
    }
    auto written = read_table(horizon_table(), &numbers, at, problems);
    if (!written || !read.experiment) {
        return std::nullopt;
    }
    const bool is_whole =
        count == JobCount::all && read.workload_facts().end == engine::JobsEnd::given;
    if (read.experiment->starts_with_all() || (is_whole && numbers.find("warm_up") == nullptr)) {
        written->warm_up = {"none", {}};
    }
    settings.warm_up_grows = written->warm_up.name == "fraction";
    if (!read.experiment->has_time()) {
        settings.horizon.fills = written->fills;
        return settings;
    }
    if (!take_jobs(*written, cell, "horizon", settings.horizon, problems)) {
        return std::nullopt;
    }
    if (read.experiment->keeps_backlog()) {
        settings.horizon.backlog = written->backlog;
    }
    const bool is_right = !read.experiment->has_arrivals()
                          || take_open_ended(*written, cell, read, settings, problems);
    return is_right ? std::optional(settings) : std::nullopt;
}

std::optional<PilotSettings> read_pilot(const Node& cell, Problems& problems) {
    const auto written = read_table_in(cell, pilot_table(), problems);
    PilotSettings settings;
    if (!written || !take_jobs(*written, cell, "pilot", settings.horizon, problems)) {
        return std::nullopt;
    }
    settings.horizon.backlog = written->backlog;
    settings.replications = written->replications;
    return settings;
}

}  // namespace schedfarm::app
