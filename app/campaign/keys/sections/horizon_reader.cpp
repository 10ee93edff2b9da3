#include "app/campaign/keys/sections/horizon_reader.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "app/campaign/checks/cell_settings.hpp"
#include "app/campaign/checks/fixed_jobs.hpp"
#include "app/campaign/keys/section_lists.hpp"
#include "app/campaign/keys/section_reader.hpp"

namespace schedfarm::app {

namespace {

constexpr std::uint64_t default_queue_limit = 100'000;

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

engine::Choice default_warm_up() {
    engine::Choice fraction{"fraction"};
    fraction.parameters.set("fraction", 0.2);
    return fraction;
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

const Section& horizon_section() {
    static const Section section =
        Section("horizon", "How long a replication is. An experiment uses the keys that it needs.")
            .integer("jobs", {1, most_jobs}, "jobs")
            .means(
                "open, trace, offline: jobs counted; saturated: jobs started. `all`: as many "
                "as a log or a list has. open: while later jobs may overtake them, more come, "
                "which are not counted. `auto`: 20000, and in an open experiment with a "
                "warm-up, from empty, as many times more as it takes until the start no longer "
                "shows; cells that are compared have equally many "
                "([how](../background/stopping.md))",
                "auto",
                "integer, `auto` or `all`"
            )
            .choice("warm_up", &warm_up_alternatives)
            .means(
                "jobs at the beginning that are simulated but not measured; none off-line, and "
                "where it is not given none of `jobs: all` of a list or of a log that is not "
                "resampled",
                default_warm_up()
            )
            .integer("backlog", {1, 1e7}, "jobs")
            .means("saturated: waiting jobs at every instant", 64)
            .integer("fills", {1, most_jobs}, "fills")
            .means("bin_filling: fills per replication", 10000)
            .choice("start", &start_alternatives)
            .means("open: the state in which a replication begins", engine::Choice{"empty"})
            .integer("queue_limit", {0, most_jobs}, "jobs")
            .means(
                "open, trace: a replication with more waiting jobs than this ends, and its cell as "
                "unstable; 0: no limit. So does one that waits for counted jobs while more come "
                "than are counted, 100,000 at least. `auto`: 100000, and no limit for a list of "
                "jobs or a log that is not resampled, which end",
                "auto",
                "integer or `auto`"
            )
            .integer("ensemble_bins", {0, 10000})
            .means(
                "open, trace: parts of the jobs whose mean response times show whether the warm-up "
                "is long enough (no more parts than jobs); 0: none",
                200
            );
    return section;
}

const Section& pilot_section() {
    static const Section section =
        Section(
            "pilot",
            "The saturated experiment that estimates the maximal utilization where a load is "
            "placed by it and theory does not give it. One pilot cell is added for every "
            "system, workload, policy and source of random numbers."
        )
            .integer("jobs", {1, most_jobs}, "jobs")
            .means("jobs started", static_cast<std::int64_t>(default_jobs))
            .choice("warm_up", &warm_up_alternatives)
            .means("jobs at the beginning that are simulated but not measured", default_warm_up())
            .integer("backlog", {1, 1e7}, "jobs")
            .means("waiting jobs at every instant", 64)
            .integer("replications", {2, 1e9}, "replications")
            .means("replications of the pilot", 64);
    return section;
}

/// A number, or what stands for a word in its place.
std::uint64_t number_or(
    const engine::Parameters& written, const char* key, std::uint64_t otherwise
) {
    const auto* number = std::get_if<std::int64_t>(&written.at(key).data());
    return number == nullptr ? otherwise : static_cast<std::uint64_t>(*number);
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
    const engine::Parameters& written,
    const engine::Choice& warm_up,
    const Node& cell,
    const std::string& section_name,
    engine::Horizon& horizon,
    Problems& problems
) {
    horizon.jobs = number_or(written, "jobs", default_jobs);
    horizon.warm_up_jobs = warm_up_jobs(warm_up, horizon.jobs);
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
         fmt::format("Make '{}.jobs' larger or the warm-up shorter.", section_name)}
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
            "Make the warm-up longer or the backlog smaller."
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
            "Make 'horizon.queue_limit' larger."
        );
    }
    return true;
}

bool take_open_ended(
    const engine::Parameters& written,
    const Node& cell,
    const CellSettings& read,
    HorizonSettings& settings,
    Problems& problems
) {
    engine::Horizon& horizon = settings.horizon;
    const bool is_limited = !leaves(cell.find("horizon"), "queue_limit")
                            || read.workload_facts().end != engine::JobsEnd::given;
    horizon.queue_limit = is_limited ? number_or(written, "queue_limit", default_queue_limit) : 0;
    settings.series_bins = static_cast<std::uint32_t>(
        std::min<std::uint64_t>(number_or(written, "ensemble_bins", 0), horizon.jobs)
    );
    const engine::Choice& start = written.choice("start");
    if (!read.experiment->is_open() || start.name != "backlog") {
        return true;
    }
    horizon.start_backlog = number_or(start.parameters, "backlog", 0);
    return expect_start_fits(horizon, cell, problems);
}

}  // namespace

std::vector<Section> horizon_sections() {
    return {horizon_section(), pilot_section()};
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
    const auto written = read_section(&numbers, horizon_section(), at, problems);
    if (!written || !read.experiment) {
        return std::nullopt;
    }
    const bool is_whole =
        count == JobCount::all && read.workload_facts().end == engine::JobsEnd::given;
    const bool has_none =
        read.experiment->starts_with_all() || (is_whole && numbers.find("warm_up") == nullptr);
    const engine::Choice warm_up = has_none ? engine::Choice{"none"} : written->choice("warm_up");
    settings.warm_up_grows = warm_up.name == "fraction";
    if (!read.experiment->has_time()) {
        settings.horizon.fills = number_or(*written, "fills", 0);
        return settings;
    }
    if (!take_jobs(*written, warm_up, cell, "horizon", settings.horizon, problems)) {
        return std::nullopt;
    }
    if (read.experiment->keeps_backlog()) {
        settings.horizon.backlog = number_or(*written, "backlog", 0);
    }
    const bool is_right = !read.experiment->has_arrivals()
                          || take_open_ended(*written, cell, read, settings, problems);
    return is_right ? std::optional(settings) : std::nullopt;
}

std::optional<PilotSettings> read_pilot(const Node& cell, Problems& problems) {
    const auto written = read_section_in(cell, pilot_section(), problems);
    PilotSettings settings;
    if (!written
        || !take_jobs(
            *written, written->choice("warm_up"), cell, "pilot", settings.horizon, problems
        )) {
        return std::nullopt;
    }
    settings.horizon.backlog = number_or(*written, "backlog", 0);
    settings.replications = number_or(*written, "replications", 0);
    return settings;
}

}  // namespace schedfarm::app
