#include "models/trace/prepared_log.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <deque>
#include <filesystem>
#include <mutex>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "engine/foundation/message_text.hpp"

#include "models/trace/built_in_logs.hpp"
#include "models/trace/reading/clock.hpp"
#include "models/trace/reading/log_error.hpp"
#include "models/trace/reading/number.hpp"
#include "models/trace/reading/reader.hpp"
#include "models/trace/resampling.hpp"

namespace schedfarm::models::trace {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kept_logs = 8;

/// The first file of the folder, in order of names, that begins as the text does.
std::optional<std::string> file_beginning_with(const std::string& text, const fs::path& folder) {
    std::optional<std::string> first;
    std::error_code error;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
        const std::string name = entry.path().filename().string();
        if (!text.empty() && name.starts_with(text) && entry.exists(error)
            && (!first || name < *first)) {
            first = name;
        }
    }
    return first;
}

/// Where a log may lie, the first place first.
struct Places {
    fs::path here;
    std::optional<fs::path> in_traces;
    std::optional<fs::path> beside_campaign;

    std::vector<fs::path> all() const {
        std::vector<fs::path> all{here};
        for (const auto& place : {in_traces, beside_campaign}) {
            if (place) {
                all.push_back(*place);
            }
        }
        return all;
    }
};

Places places_of(const std::string& file, const engine::NamingFolders& folders) {
    const fs::path current = folders.current;
    Places places{.here = current / file, .in_traces = {}, .beside_campaign = {}};
    const char* const traces = std::getenv("SCHEDFARM_TRACES");  // NOLINT(concurrency-mt-unsafe)
    if (traces != nullptr) {
        places.in_traces = fs::path(traces) / file;
    }
    if (!folders.campaign.empty() && fs::path(file).is_relative()) {
        places.beside_campaign = current / folders.campaign / file;
    }
    return places;
}

/// "neither this path in /home nor /traces/x.swf"
std::string absence_text(
    const Places& places, const fs::path& file, const engine::NamingFolders& folders
) {
    std::error_code error;
    const std::string current =
        folders.current.empty() ? fs::current_path(error).string() : folders.current;
    std::string text = fmt::format(
        "neither this path{} nor {}",
        file.is_relative() ? " in " + current : "",
        places.in_traces ? places.in_traces->string() : "a folder $SCHEDFARM_TRACES"
    );
    return places.beside_campaign ? text + " nor " + places.beside_campaign->string() : text;
}

fs::path found_file(const std::string& file, const engine::NamingFolders& folders) {
    const Places places = places_of(file, folders);
    std::error_code error;
    for (const fs::path& place : places.all()) {
        if (fs::exists(place, error)) {
            return place;
        }
    }
    std::optional<std::string> similar;
    for (const fs::path& place : places.all()) {
        if (const std::string broken = engine::broken_link_text(place); !broken.empty()) {
            throw LogError(fmt::format("{}: {}. Put the log back.", place.string(), broken));
        }
    }
    for (const auto& place : {places.in_traces, places.beside_campaign}) {
        if (place && !similar) {
            similar = file_beginning_with(file, place->parent_path());
        }
    }
    throw LogError(fmt::format(
        "{}: there is no such log ({}). {}",
        file,
        absence_text(places, file, folders),
        similar ? "Did you mean '" + *similar + "'?"
                : "Check the path. Logs of the Parallel Workloads Archive, "
                  "https://www.cs.huji.ac.il/labs/parallel/workload, belong into $SCHEDFARM_TRACES"
    ));
}

fs::path found_file(const TraceSettings& settings) {
    return found_file(settings.file, settings.folders);
}

/// A folder is, whatever comes of it.
bool can_be_read_again(const fs::path& file) {
    std::error_code error;
    const fs::file_status status = fs::status(file, error);
    return fs::is_regular_file(status) || fs::is_directory(status);
}

Log opened(const std::string& file, const engine::NamingFolders& folders, const Reading& reading) {
    return is_built_in_log(file) ? built_in_log(file)
                                 : read_log(found_file(file, folders), reading);
}

void expect_jobs(const Log& log) {
    if (log.jobs() == 0) {
        throw LogError(log.name + ": there is no job in it. Check that this is the log.");
    }
}

bool accepts_any(const TraceSettings& settings) {
    return settings.sha256.empty() || is_built_in_log(settings.file);
}

/// What is to be known of the log: the example is part of the program.
Checksum checksum_of(const TraceSettings& settings, Checksum wanted) {
    const bool has_none = is_built_in_log(settings.file);
    return has_none || (wanted == Checksum::none && accepts_any(settings)) ? Checksum::none
                                                                           : Checksum::sha256;
}

/// What a simulation may ask of a log: the memory of a process is smaller without the rest.
FieldSet needed_fields(const TraceSettings& settings, WaitGroups groups) {
    FieldSet result{
        Field::job_number,
        Field::submit_time,
        Field::run_time,
        Field::allocated_processors,
        Field::used_memory,
        Field::requested_processors,
        Field::requested_time,
        Field::requested_memory,
        Field::user,
        settings.queue.field,
        Field::eligible_time,
        Field::state,
        Field::group,
        Field::partition,
        Field::quality,
        Field::allocated_nodes,
        Field::requested_nodes,
        Field::gpus,
        Field::array,
        Field::left_time,
        Field::released,
        Field::options};
    if (!settings.selection.statuses.empty() || settings.filling.left == LeftRule::replayed) {
        result.add(Field::status);
        result.add(Field::wait_time);
    }
    if (!settings.selection.cpu_time.is_everything()) {
        result.add(Field::cpu_time);
    }
    if (const auto field = field_of(settings.classes)) {
        result.add(*field);
    }
    if (settings.dependencies == DependencyRule::keep) {
        result.add(Field::preceding_job);
        result.add(Field::think_time);
    }
    if (settings.resampling == Resampling::none) {
        result.add(Field::wait_time);
        if (groups == WaitGroups::of_every_kind) {
            result.add(Field::queue);
            result.add(Field::started_by);
        }
    }
    return result;
}

/// Without parameters that say something of logs which are no plain SWF alone, where they say
/// nothing: cells that have none of these are the same cells as before there were any.
engine::Parameters without_unsaid(const engine::Parameters& parameters) {
    constexpr std::array<std::string_view, 8> others{
        "arrival",
        "dependencies",
        "leave_out",
        "left_waiting",
        "period",
        "queue",
        "queues",
        "partition_limits"};
    engine::Parameters result;
    result.set_folders(parameters.folders());
    for (const auto& [name, value] : parameters.entries()) {
        const auto& table = trace_parameters();
        const auto row = std::find_if(table.begin(), table.end(), [&name](const auto& known) {
            return known.name == name;
        });
        const bool may_be_unsaid =
            is_of_reading(name) || std::find(others.begin(), others.end(), name) != others.end();
        if (!may_be_unsaid || value.text() != row->default_value->text()) {
            result.set(name, value);
        }
    }
    return result;
}

/// The second of the log that the text means; absent where it is empty.
std::optional<double> instant(const Log& log, const std::string& text) {
    if (text.empty()) {
        return std::nullopt;
    }
    if (const auto second = parse_number(text)) {
        return second;
    }
    const auto clock = clock_of(log.header);
    if (clock && clock->is_zone_unknown()) {
        throw LogError(fmt::format(
            "{}: '{}' is a date in a zone that this machine does not know ('{}', TimeZoneString in "
            "its header). Install tzdata, or write a second of the log.",
            log.name,
            text,
            clock->zone_name
        ));
    }
    const auto second = clock ? log_time(*clock, text) : std::nullopt;
    if (!second) {
        throw LogError(fmt::format(
            "{}: '{}' is no instant of the log ({}). Write {}.",
            log.name,
            text,
            clock                              ? "no date"
            : log.header.find("UnixStartTime") ? "UnixStartTime in its header is no date"
                                               : "its header has no UnixStartTime",
            clock ? "1996-08-01 or a second" : "a second of the log"
        ));
    }
    return second;
}

/// What works for every log.
constexpr const char* shaken = "none with shake: 60";

bool has_whole_week(const PreparedLog& prepared) {
    const JobList& jobs = prepared.jobs;
    const WholeWeeks& whole = prepared.weeks;
    const double end = whole.start + whole.count * week_s;
    const auto first = std::lower_bound(jobs.submit.begin(), jobs.submit.end(), whole.start);
    return !whole.drawn.empty() && first != jobs.submit.end() && *first < end;
}

void expect_enough(const Log& log, const PreparedLog& prepared, Resampling resampling) {
    const JobList& jobs = prepared.jobs;
    if (jobs.size() == 0) {
        throw LogError(fmt::format(
            "{}: no job is left (left out: {}). {}",
            log.name,
            dropped_text(prepared.dropped, meaning(Dropped::size)),
            way_to_keep(prepared.dropped)
        ));
    }
    if (draws_users(resampling) && !log.user.is_given()) {
        throw LogError(fmt::format(
            "{}: users cannot be resampled (the log names none). Write resampling: {}.",
            log.name,
            has_whole_week(prepared) ? "weeks" : shaken
        ));
    }
    if (resampling == Resampling::weeks) {
        const auto clock = clock_of(log.header);
        if (clock && clock->zone == ZoneSource::none && clock->is_zone_unknown()) {
            throw LogError(fmt::format(
                "{}: its weeks cannot be told (their zone '{}', TimeZoneString in its header, is "
                "none that this machine knows). Install tzdata, or write TimeZone into its header.",
                log.name,
                clock->zone_name
            ));
        }
    }
    // Of a log that short users cannot be moved either.
    if (resampling == Resampling::weeks && !has_whole_week(prepared)) {
        throw LogError(fmt::format(
            "{}: weeks cannot be resampled (no job lies in a whole week). Write resampling: {}.",
            log.name,
            shaken
        ));
    }
}

/// Statuses are kept only where they matter: a log with partial executions is read twice, but what
/// can be read only once, a pipe, is read with them.
Log log_to_prepare(const TraceSettings& settings, Checksum checksum, WaitGroups groups) {
    FieldSet fields = needed_fields(settings, groups);
    if (!is_built_in_log(settings.file) && !fs::is_regular_file(found_file(settings))) {
        fields.add(Field::status);
    }
    Log log = opened_log(settings, fields, checksum);
    const auto is_partial = [](const Oddity& oddity) {
        return oddity.kind == OddityKind::partial_execution;
    };
    if (!fields.has(Field::status)
        && std::any_of(log.oddities.begin(), log.oddities.end(), is_partial)) {
        fields.add(Field::status);
        log = opened_log(settings, fields, checksum);
    }
    return log;
}

PreparedLog prepare(const TraceSettings& settings, Checksum checksum, WaitGroups groups) {
    const Log log = log_to_prepare(settings, checksum, groups);
    SelectedJobs selected = selected_jobs(log, settings);
    PreparedLog prepared;
    prepared.sha256 = log.sha256;
    const auto clock = clock_of(log.header);
    if (selected.jobs.size() > 0) {
        const double first = selected.jobs.submit.front();
        prepared.clock = clock ? static_cast<double>(clock->unix_start) : 0;
        const double week_start =
            clock ? first - second_of_week(clock->without_summer_time(), first) : first;
        const LogPeriod found = dense_period(selected, week_start);
        prepared.period.empty_weeks = found.empty_weeks;
        if (settings.from.empty()) {
            prepared.period.from = found.from;
            prepared.period.jobs_before = found.jobs_before;
        }
        if (settings.before.empty()) {
            prepared.period.before = found.before;
            prepared.period.jobs_after = found.jobs_after;
        }
        if (settings.extent == Extent::dense) {
            selected = selected_jobs(log, settings, prepared.period);
            const double begin = selected.jobs.submit.front() - week_start;
            const double day = week_start + std::floor(begin / day_s) * day_s;
            prepared.period.empty_weeks = dense_period(selected, day).empty_weeks;
            prepared.weeks = dense_weeks(selected.jobs, day, prepared.period.empty_weeks);
        } else {
            prepared.weeks = whole_weeks(selected.jobs, week_start);
            prepared.period_text = period_text(prepared.period, clock);
        }
    }
    prepared.jobs = std::move(selected.jobs);
    if (!draws_users(settings.resampling)) {
        prepared.left = std::move(selected.left);
    }
    prepared.lines = log.jobs();
    prepared.dropped = selected.dropped;
    prepared.oddities = log.oddities;
    const JobList& jobs = prepared.jobs;
    for (std::size_t i = 0; i < jobs.size(); ++i) {
        prepared.cut += jobs.run[i] < log.run_time[jobs.row[i]] ? 1U : 0U;
    }
    if (jobs.size() > 0) {
        prepared.max_size = *std::max_element(jobs.processors.begin(), jobs.processors.end());
        const double duration = jobs.submit.back() - jobs.submit.front();
        prepared.offered_area_per_s = duration > 0 ? area(jobs) / duration : 0;
    }
    prepared.columns = row_columns(log, jobs, settings.memory, settings.classes, settings.queue);
    if (settings.dependencies == DependencyRule::keep) {
        prepared.dependencies = dependencies_of(log, jobs, settings.filling.arrival);
    }
    if (const std::uint64_t absent = prepared.dependencies.absent; absent > 0) {
        prepared.oddities.push_back({OddityKind::preceding_job_absent, 0, absent});
    }
    prepared.requests = request_column(log, jobs, prepared.left);
    prepared.machine = log.header.processors();
    if (settings.resampling == Resampling::none) {
        prepared.logged = logged_waits(log, jobs, groups);
    }
    expect_enough(log, prepared, settings.resampling);
    if (draws_users(settings.resampling)) {
        prepared.users = user_sequences(jobs);
    }
    return prepared;
}

std::string key_of(const TraceSettings& settings, const std::string& parameters) {
    if (is_built_in_log(settings.file)) {
        return parameters;
    }
    const fs::path file = found_file(settings);
    std::error_code error;
    if (!fs::is_regular_file(file, error)) {  // a pipe: read once, whenever it was written to
        return fmt::format("{} {}", file.string(), parameters);
    }
    const auto size = fs::file_size(file, error);
    const auto written = fs::last_write_time(file, error).time_since_epoch().count();
    return fmt::format("{} {} {} {}", file.string(), size, written, parameters);
}

/// The logs prepared last, the newest in front.
class KeptLogs {
  public:
    std::shared_ptr<const PreparedLog> get(
        const TraceSettings& settings, const std::string& key, Checksum checksum, WaitGroups groups
    ) {
        const std::lock_guard lock(mutex_);
        const auto found = std::find_if(logs_.begin(), logs_.end(), [&](const Entry& entry) {
            return entry.key == key;
        });
        if (found != logs_.end()) {
            if (is_asked_for(*found->log, settings, checksum)
                && found->log->logged.groups >= groups) {
                return found->log;
            }
            logs_.erase(found);  // read without its checksum or groups, or another
        }
        logs_.push_front(
            {key, std::make_shared<const PreparedLog>(prepare(settings, checksum, groups))}
        );
        if (logs_.size() > kept_logs) {
            logs_.pop_back();
        }
        return logs_.front().log;
    }

  private:
    struct Entry {
        std::string key;
        std::shared_ptr<const PreparedLog> log;
    };

    static bool is_asked_for(
        const PreparedLog& log, const TraceSettings& settings, Checksum checksum
    ) {
        const bool is_known =
            checksum_of(settings, checksum) == Checksum::none || !log.sha256.empty();
        return is_known && (accepts_any(settings) || log.sha256 == settings.sha256);
    }

    std::mutex mutex_;
    std::deque<Entry> logs_;
};

}  // namespace

Log opened_log(const std::string& file, const Reading& reading) {
    Log log = opened(file, {}, reading);
    expect_jobs(log);
    return log;
}

Log opened_log(const TraceSettings& settings, FieldSet kept, Checksum checksum) {
    Reading reading = settings.reading;
    reading.checksum = checksum_of(settings, checksum);
    reading.kept = kept;
    Log log = opened(settings.file, settings.folders, reading);
    if (!accepts_any(settings) && log.sha256 != settings.sha256) {
        throw LogError(fmt::format(
            "{}: not the log that was asked for (its uncompressed text has the sha256 {}). Give "
            "the version that was asked for.",
            log.name,
            log.sha256
        ));
    }
    expect_jobs(log);
    return log;
}

void expect_readable_again(const TraceSettings& settings) {
    if (!is_built_in_log(settings.file) && !can_be_read_again(found_file(settings))) {
        throw LogError(fmt::format(
            "{}: no regular file (the log is read again, in every process and when a run goes on). "
            "Write it into a file, or give it to simulate --trace.",
            settings.file
        ));
    }
}

SelectedJobs selected_jobs(const Log& log, const TraceSettings& settings, const LogPeriod& period) {
    Selection selection = settings.selection;
    selection.submit_from = instant(log, settings.from).value_or(period.from);
    selection.submit_before = instant(log, settings.before).value_or(period.before);
    return select(log, selection, settings.filling);
}

engine::Parameters checksummed(const engine::Parameters& parameters) {
    const TraceSettings settings(parameters);
    engine::Parameters result = without_unsaid(parameters);
    if (settings.sha256.empty() && !is_built_in_log(settings.file)) {
        result.set("sha256", prepared_log(settings, Checksum::sha256)->sha256);
    }
    return result;
}

std::shared_ptr<const PreparedLog> prepared_log(
    const TraceSettings& settings, Checksum checksum, WaitGroups groups
) {
    static KeptLogs kept;
    return kept.get(settings, key_of(settings, settings.prepared_text), checksum, groups);
}

}  // namespace schedfarm::models::trace
